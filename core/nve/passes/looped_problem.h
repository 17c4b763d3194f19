#pragma once
// The head and a pass of a looped program as one scheduling problem: an iteration of two passes, after which the ring's
// third slot comes round.

#include <vector>

#include "core/nve/passes/looped_body.h"

namespace convscope::nve {

struct LoopedProblem {
  Loop loop;                ///< scheduled: cycles are those of the body, the pass's behind the head's
  std::vector<int> number;  ///< in `loop`, of the head's operations and then the pass's
};

/// Of a program whose iterations are heads alone, `with_pass` is false.
LoopedProblem looped_problem(const LoopedBody& body, bool with_pass, const SchedulingMachine& machine);

}  // namespace convscope::nve
