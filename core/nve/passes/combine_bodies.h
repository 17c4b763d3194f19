#pragma once
// One iteration's graph from those of its maps (thesis, section 5.3).

#include <memory>
#include <vector>

#include "core/nve/passes/body_graph.h"

namespace convscope::nve {

/// The bodies of a structure's maps, in order, with the dependences of registers between neighbouring bodies, and from
/// the last body to the next iteration's first. `bodies` has one for each map; maps of one shape may share it.
Loop combine_bodies(const std::vector<std::shared_ptr<const Body>>& bodies, const Structure& structure,
                    const SchedulingMachine& machine);

}  // namespace convscope::nve
