#pragma once
// How long values live in a pipelined schedule, and the stages in which they live shortest.

#include <cstdint>
#include <optional>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// Sum over operations of the cycles from their issue to that of their value's last reader, in whatever iteration.
std::int64_t total_lifetime(const Problem& problem, const Schedule& schedule);

/// Of all schedules with the same rows and no more stages, one of the least total lifetime: exact, by the min-cost flow
/// that is the dual of the linear program over stages (after Eichenberger, Davidson, Abraham, "Minimizing register
/// requirements of a modulo schedule via optimum stage scheduling", 1996; several readers in different rows by one
/// variable a row). Nothing if the budget is used up.
/// Precondition: the schedule verifies and begins in stage 0.
std::optional<Schedule> with_least_lifetime(const Problem& problem, const Schedule& schedule, Budget& budget);

}  // namespace convscope::schedule
