#pragma once
// Instruction scheduling of one map's body (thesis, section 4.3).

#include "core/nve/passes/body_graph.h"
#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/result.h"

namespace convscope::nve {

/// A cycle for every operation by Algorithm 1, with port A as the contended resource. On machines for which that leaves
/// a conflict (Algorithm 1 looks at register loads only), every resource is considered instead.
/// Heuristic. Fails with `budget` and `stopped`; a body has no circle and no operation that can't stand alone.
schedule::Result schedule_body(const Body& body, schedule::Budget& budget);

}  // namespace convscope::nve
