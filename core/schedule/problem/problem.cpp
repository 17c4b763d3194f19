#include "core/schedule/problem/problem.h"

#include <algorithm>
#include <cassert>

namespace convscope::schedule {

std::optional<Span> span(const Problem& problem, const std::vector<std::int64_t>& cycles, int resource) {
  assert(cycles.size() == problem.operations.size());
  std::optional<Span> result;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    for (const ResourceUse& use : problem.operations[i].uses) {
      if (use.resource != resource) continue;
      const std::int64_t cycle = cycles[i] + use.offset;
      if (!result) result = Span{cycle, cycle};
      result = Span{std::min(result->first, cycle), std::max(result->last, cycle)};
    }
  }
  return result;
}

}  // namespace convscope::schedule
