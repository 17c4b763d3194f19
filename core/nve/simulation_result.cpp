#include "core/nve/simulation_result.h"

namespace convscope::nve {
namespace {

artifact::NamedQuantity count(const char* key, std::int64_t value) {
  return {key, {static_cast<double>(value), "", Origin::simulated}};
}

std::vector<artifact::NamedQuantity> simulated_figures(const artifact::Metrics& derived, std::int64_t cycles) {
  Quantity layer_cycles = derived.cycles, seconds = derived.seconds, utilization = derived.utilization;
  layer_cycles.origin = Origin::simulated;
  const Quantity* executed = derived.find("instructions");
  const double all_cores = executed ? executed->value : derived.cycles.value;
  if (all_cores > 0 && cycles > 0) {
    const double ratio = static_cast<double>(cycles) / all_cores;
    layer_cycles.value *= ratio;
    seconds.value *= ratio;
    utilization.value /= ratio;
  }
  return {{"cycles", layer_cycles}, {"seconds", seconds}, {"utilization", utilization}};
}

}  // namespace

target::SimulationResult program_result(const ProgramCheck& check) {
  return {check.ran,
          check.matches,
          {count("cycles", check.cycles), count("macs", check.macs), count("strips", check.strips),
           count("outputs", check.outputs)},
          {}};
}

target::SimulationResult layer_result(const ProgramCheck& check, const artifact::Metrics& derived, bool whole) {
  target::SimulationResult result{
      check.ran,
      check.matches,
      {count("cycles", check.cycles), count("strips", check.strips), count("outputs", check.outputs)},
      {}};
  if (check.ran && whole) result.figures = simulated_figures(derived, check.cycles);
  return result;
}

}  // namespace convscope::nve
