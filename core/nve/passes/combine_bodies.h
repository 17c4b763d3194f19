#pragma once
// One iteration from the scheduled bodies of its maps (thesis, section 5.3: the next map starts before the one before
// has finished).

#include <vector>

#include "core/nve/passes/body_graph.h"

namespace convscope::nve {

/// An iteration whose bodies are placed one after the other, each as early as registers, ports and issue fields allow.
struct Combined {
  Loop loop;
  std::vector<int> set_bias;  ///< operation of each body, in order
};

/// The order of the bodies is kept. Dependences of registers between neighbouring bodies, and from the last body to
/// the next iteration's first, are added to the problem.
Combined combine_bodies(const std::vector<Body>& bodies, const SchedulingMachine& machine);

}  // namespace convscope::nve
