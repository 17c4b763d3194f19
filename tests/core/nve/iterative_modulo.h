#pragma once
// A scheduler that shares nothing with the thesis's: iterative modulo scheduling. Source: Rau, "Iterative modulo
// scheduling", 1994, with heights as priorities.

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/result.h"

namespace convscope::nve::test {

/// Takes any problem; tries intervals from the lower bounds on, a sixteenth apart, with `tries` placements per
/// operation each. Heuristic. Fails with `circle`, `interval_limit`, `budget`, `stopped`.
schedule::Result iterative_modulo(const schedule::Problem& problem, int tries, schedule::Budget& budget);

}  // namespace convscope::nve::test
