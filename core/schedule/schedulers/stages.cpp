#include "core/schedule/schedulers/stages.h"

#include <algorithm>

namespace convscope::schedule {
namespace {

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace

Schedule with_fewest_stages(const Graph& graph, const Schedule& schedule) {
  const std::int64_t interval = schedule.initiation_interval;
  Schedule result = schedule;
  for (std::int64_t& cycle : result.cycles) cycle -= floor_divided(cycle, interval) * interval;
  // Of row a in stage p and row b in stage q: b + q * interval >= a + p * interval + length.
  const auto stages = longest_paths(graph.all.into, graph.components, true, [&](const Edge& edge, int to) {
    const std::int64_t from_row = result.cycles[static_cast<std::size_t>(edge.other)];
    const std::int64_t missing = from_row + edge.length(interval) - result.cycles[static_cast<std::size_t>(to)];
    return -floor_divided(-missing, interval);
  });
  for (std::size_t i = 0; i < stages.size(); ++i) result.cycles[i] += stages[i] * interval;
  return result;
}

std::int64_t stages_of(const Schedule& schedule) {
  if (schedule.cycles.empty()) return 0;
  return floor_divided(*std::max_element(schedule.cycles.begin(), schedule.cycles.end()),
                       schedule.initiation_interval) +
         1;
}

}  // namespace convscope::schedule
