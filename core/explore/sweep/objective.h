#pragma once
// What machines are compared by.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::explore {

struct ObjectiveKind {
  std::string key;  ///< column of a results file
  std::string label, unit;
  bool maximize = false;
  bool cost = false;  ///< what a machine is made of, not how it fares
};

/// Everything that a front can be drawn over, in the order in which it is offered.
const std::vector<ObjectiveKind>& objective_kinds();
/// Null if there is none of this key.
const ObjectiveKind* find_objective(std::string_view key);

struct Objective {
  std::string key;
  bool maximize = false;
  bool operator==(const Objective&) const = default;
};

/// Time and memory on chip: what a front shows if nobody says otherwise.
std::vector<Objective> default_objectives();

}  // namespace convscope::explore
