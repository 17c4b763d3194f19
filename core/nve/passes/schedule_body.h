#pragma once
// Instruction scheduling of one map's body (thesis, section 4.3).

#include "core/nve/passes/body_graph.h"

namespace convscope::nve {

/// Gives every operation a cycle by Algorithm 1, with port A as the contended resource. On machines for which that
/// leaves a conflict (Algorithm 1 looks at register loads only), every resource is considered instead.
void schedule_body(Body& body);

}  // namespace convscope::nve
