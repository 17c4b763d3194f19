#include "core/nve/simulation_options.h"

namespace convscope::nve {

SimulationInput simulation_input(const target::OptionValues& options) {
  return {options.text("image"),
          static_cast<std::uint64_t>(options.integer("coefficients-seed")),
          static_cast<int>(options.integer("strips")),
          {static_cast<double>(options.integer("image-mean")), static_cast<double>(options.integer("image-scale"))}};
}

}  // namespace convscope::nve
