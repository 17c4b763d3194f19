#include <algorithm>

#include "ui/model/shown_run.h"
#include "ui/plot/bar_chart.h"

namespace convscope::ui {

std::vector<std::shared_ptr<const engine::CompiledNetwork>> runs_by_level(const Snapshot& snapshot) {
  std::vector<std::shared_ptr<const engine::CompiledNetwork>> runs;
  const auto shown = shown_network(snapshot);
  if (!shown) return runs;
  runs.push_back(shown);
  for (const auto& run : snapshot.levels) {
    const bool known =
        run && std::any_of(runs.begin(), runs.end(), [&](const auto& r) { return r->level == run->level; });
    if (run && !known && run->network && run->network->name == shown->network->name) runs.push_back(run);
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& a, const auto& b) { return level_index(*a) < level_index(*b); });
  return runs;
}

}  // namespace convscope::ui
