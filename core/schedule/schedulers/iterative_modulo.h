#pragma once
// Iterative modulo scheduling as published. Source: B. R. Rau, "Iterative modulo scheduling: an algorithm for software
// pipelining loops", MICRO-27, 1994.

#include <cstdint>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// Figures 2 and 3 of the paper at one interval: operations by height (HeightR), each in the first free row from its
/// predecessors on; if there is none, where it stood before plus one, and whoever is in the way waits again.
/// `tries` placements per operation at most (the paper's BudgetRatio; 6 there).
/// Heuristic. For problems without choices. Precondition: the interval meets all recurrences.
/// Fails with `interval_limit` (the placements are used up, or an operation meets itself), `budget`, `stopped`.
Result iterative_modulo_at(const Problem& problem, const Graph& graph, std::int64_t interval, int tries,
                           Budget& budget);

}  // namespace convscope::schedule
