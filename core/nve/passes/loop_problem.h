#pragma once
// The complete scheduling problem of a program's loop.

#include <memory>
#include <vector>

#include "core/nve/passes/body_graph.h"

namespace convscope::nve {

/// Every operation of an iteration, writes and activations included, with all dependences, iterations apart too, and
/// all resources; nothing is placed. Any schedule that `schedule::verify` accepts with an interval makes a correct
/// program, if buffers are large enough.
Loop loop_problem(const std::vector<std::shared_ptr<const Body>>& bodies, const Structure& structure,
                  const Window& window, const SchedulingMachine& machine);

}  // namespace convscope::nve
