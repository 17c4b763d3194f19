#pragma once
// Modulo scheduling by wrapping one iteration's schedule around (thesis, section 5.2). Heuristic: the interval is the
// span of the busiest resource, not the least possible one; compare core/schedule/bounds.h.

#include <cstdint>
#include <vector>

#include "core/schedule/problem.h"

namespace convscope::schedule {

/// Longest span, first to last use, over the given resources.
std::int64_t longest_span(const Problem& problem, const std::vector<std::int64_t>& cycles,
                          const std::vector<int>& resources);

/// True if the schedule keeps all dependences, across iterations too, and no resource is overused modulo the interval.
bool fits_interval(const Problem& problem, const std::vector<std::int64_t>& cycles, std::int64_t interval);

}  // namespace convscope::schedule
