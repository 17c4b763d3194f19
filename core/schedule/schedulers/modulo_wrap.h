#pragma once
// Modulo scheduling by wrapping one iteration's schedule around (thesis, section 5.2). Heuristic: the interval is the
// span of the busiest resource, not the least possible one; compare core/schedule/bounds/bounds.h.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// Longest span, first to last use, over the given resources.
std::int64_t longest_span(const Problem& problem, const std::vector<std::int64_t>& cycles,
                          const std::vector<int>& resources);

/// True if the schedule keeps all dependences, across iterations too, and no resource is overused modulo the interval,
/// be it by one operation that meets itself. Preconditions: not `malformed`, no choices, one cycle an operation, the
/// interval not negative (0: no overlap).
bool fits_interval(const Problem& problem, const std::vector<std::int64_t>& cycles, std::int64_t interval);

/// Intervals to look at, both included.
struct IntervalRange {
  std::int64_t first = 1, last = 1;
};

/// Gives the operations their cycles that have to stand elsewhere at each interval.
using PlaceAt = std::function<void(std::int64_t interval, std::vector<std::int64_t>& cycles)>;

/// One iteration's cycles wrapped around at the smallest interval of the range that they fit. `place` is called for
/// each interval before it is looked at. Least for these cycles, heuristic for the problem.
/// For problems without choices. Fails with `malformed` (also: an interval below 1, or not one cycle an operation),
/// `interval_limit` (the message says what is in the way at the last one), `budget`,
/// `stopped`.
Result wrap(const Problem& problem, std::vector<std::int64_t> cycles, IntervalRange range, const PlaceAt& place,
            Budget& budget);

}  // namespace convscope::schedule
