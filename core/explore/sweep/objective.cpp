#include "core/explore/sweep/objective.h"

#include <algorithm>

namespace convscope::explore {

const std::vector<ObjectiveKind>& objective_kinds() {
  static const std::vector<ObjectiveKind> kinds = {{"seconds", "Time", "s"},
                                                   {"cycles", "Cycles", "cycles"},
                                                   {"utilization", "Utilization", "", true},
                                                   {"bytes", "Traffic", "byte"},
                                                   {"bytes_in", "Input traffic", "byte"},
                                                   {"bytes_out", "Output traffic", "byte"},
                                                   {"bytes_weights", "Weight traffic", "byte"},
                                                   {"mac_units", "MAC units", "", false, true},
                                                   {"on_chip_bits", "Memory on chip", "bit", false, true},
                                                   {"instruction_bits", "Instruction memory", "bit", false, true},
                                                   {"memory_ports", "Memory ports", "", false, true}};
  return kinds;
}

const ObjectiveKind* find_objective(std::string_view key) {
  const auto& kinds = objective_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.key == key; });
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<Objective> default_objectives() {
  return {{"seconds", false}, {"on_chip_bits", false}};
}

}  // namespace convscope::explore
