#include "core/nve/simulation_options.h"

namespace convscope::nve {

SimulationInput simulation_input(const target::OptionValues& options) {
  return {options.text("image"), static_cast<std::uint64_t>(options.integer("coefficients-seed")),
          static_cast<int>(options.integer("strips"))};
}

}  // namespace convscope::nve
