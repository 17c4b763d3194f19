#pragma once
// Slack modulo scheduling as published. Source: R. A. Huff, "Lifetime-sensitive modulo scheduling", PLDI 1993, sections
// 4 and 5.

#include <cstdint>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// One interval: the operation with the least slack between its earliest and latest cycle comes next (half of it counts
/// if a resource that is busy nine tenths of the time is among its own); it is placed early if more values come to it
/// than leave it, late otherwise; if no cycle is free it takes one and whoever is in the way waits again. `tries`
/// placements per operation at most.
/// Earliest and latest cycles are those of the paper's matrix of longest paths, computed by relaxation from what is
/// placed: the matrix of 10,000 operations wouldn't fit. The end has room for an interval more than the longest path
/// asks for, as here no register file is to be kept small. Heuristic. For problems without choices. Precondition: the
/// interval meets all recurrences. Fails with `interval_limit` (the placements are used up, or an operation meets
/// itself), `budget`, `stopped`.
Result slack_modulo_at(const Problem& problem, const Graph& graph, std::int64_t interval, int tries, Budget& budget);

}  // namespace convscope::schedule
