#include "core/explore/space/objective.h"

#include "core/target/resources.h"

namespace convscope::explore {
namespace {

using Descriptions = std::vector<artifact::FigureDescription>;

// What people ask for first stands first.
constexpr const char* offered_first[] = {"seconds",  "cycles",    "utilization",  "bytes",
                                         "bytes_in", "bytes_out", "bytes_weights"};

/// Adds the targets' own objectives, costs or not, that are not there yet.
void add_own(const Targets& targets, bool cost, Descriptions& descriptions) {
  for (const auto& target : targets)
    for (const artifact::FigureDescription& each : target->figures())
      if (each.objective && each.cost == cost && artifact::find_figure(descriptions, each.key) == nullptr)
        descriptions.push_back(each);
}

}  // namespace

Outcomes outcomes_of(const Targets& targets) {
  Outcomes outcomes{artifact::common_figures(), target::shared_resources()};
  add_own(targets, false, outcomes.figures);
  add_own(targets, true, outcomes.costs);
  return outcomes;
}

Descriptions objectives_of(const Targets& targets) {
  Descriptions objectives;
  for (const char* key : offered_first) objectives.push_back(artifact::common_figure(key));
  add_own(targets, false, objectives);
  for (const artifact::FigureDescription& each : outcomes_of(targets).costs) objectives.push_back(each);
  return objectives;
}

std::string keys_of(const Descriptions& objectives) {
  std::string keys;
  for (const artifact::FigureDescription& each : objectives) keys += (keys.empty() ? "" : ", ") + each.key;
  return keys;
}

std::vector<Objective> default_objectives() {
  return {{"seconds", false}, {target::on_chip_bits, false}};
}

}  // namespace convscope::explore
