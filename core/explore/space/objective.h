#pragma once
// What machines are compared by: figures that mean the same everywhere, what they are made of, and what their targets
// say of themselves.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/artifact/figure.h"
#include "core/target/target.h"

namespace convscope::explore {

using Targets = std::vector<std::shared_ptr<const target::Target>>;

/// What is noted of every point. Targets that share a key mean the same by it.
struct Outcomes {
  std::vector<artifact::FigureDescription> figures;  ///< of networks: the common ones, then objectives of the targets
  std::vector<artifact::FigureDescription> costs;    ///< of machines: the shared ones, then objectives of the targets
};
Outcomes outcomes_of(const Targets& targets);

/// Everything that a front of these targets' machines can be drawn over, in the order in which it is offered.
std::vector<artifact::FigureDescription> objectives_of(const Targets& targets);
/// Their keys with commas, for messages.
std::string keys_of(const std::vector<artifact::FigureDescription>& objectives);

struct Objective {
  std::string key;
  bool maximize = false;
  bool operator==(const Objective&) const = default;
};

/// Time and memory on chip: what a front shows if nobody says otherwise.
std::vector<Objective> default_objectives();

}  // namespace convscope::explore
