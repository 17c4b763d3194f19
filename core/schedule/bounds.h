#pragma once
// Lower bounds on the initiation interval: a schedule that reaches one is proven optimal.

#include <cstdint>

#include "core/schedule/problem.h"

namespace convscope::schedule {

/// Resource bound: max over resources of ceil(uses / capacity). `resource` gets the first that gives it.
std::int64_t resource_bound(const Problem& problem, int* resource = nullptr);

/// Recurrence bound: the smallest integer interval without a positive cycle (binary search, Bellman-Ford).
/// 1 if no dependence spans iterations.
std::int64_t recurrence_bound(const Problem& problem);

}  // namespace convscope::schedule
