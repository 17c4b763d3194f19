#pragma once
// Lower bounds on the initiation interval: a schedule that reaches one is proven optimal.

#include <cstdint>
#include <limits>
#include <vector>

#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// What the bounds are if no interval will do: dependences within one iteration form a circle that none can meet, or
/// something uses a resource without units.
inline constexpr std::int64_t no_interval = std::numeric_limits<std::int64_t>::max();

/// Resource bound: max over resources of ceil(uses / capacity). `resource` gets the first that gives it.
/// 0, and resource -1, if nothing is used; no_interval if something is of which there are 0. Precondition: no choices;
/// `without_choices` (alternatives.h) turns them into resources whose bounds are those of Hall's sets.
std::int64_t resource_bound(const Problem& problem, int* resource = nullptr);

/// Recurrence bound: the smallest integer interval without a positive cycle (binary search, Bellman-Ford).
/// Only strongly connected components are searched, each in O(log(sum of distances)) tests of at most
/// operations * dependences steps. 1 if no dependence spans iterations; no_interval if none will do.
std::int64_t recurrence_bound(const Problem& problem);

/// The same, not below `at_least`, which saves the search where recurrences ask for no more. `circle` gets the
/// operations of one that asks for the bound, in its order; empty if `at_least` is the answer.
std::int64_t recurrence_bound(const Graph& graph, std::int64_t at_least, std::vector<int>& circle);

/// Operations of a circle that no interval meets, in its order; empty if there is none, that is if recurrence_bound
/// isn't no_interval.
std::vector<int> unmet_circle(const Problem& problem);

}  // namespace convscope::schedule
