#pragma once
// How a layer is laid out and divided into programs.

#include <optional>
#include <vector>

#include "core/nve/passes/core_sharing.h"
#include "core/nve/passes/estimate_program.h"
#include "core/nve/passes/partition_maps.h"
#include "core/nve/passes/schedule_structure.h"

namespace convscope::nve {

struct LayerPlan {
  Window window;
  std::vector<MapGroup> groups;  ///< empty if no layout takes the layer on this machine
};

/// Layouts that the switches allow and the image register holds, the one in image order first.
std::vector<Window> layouts_of(const Window& window, const Switches& switches, const SchedulingMachine& machine);

/// Tries the layouts, the cheapest by estimate first, until one's programs all fit; a group whose program overruns a
/// buffer is forbidden, and the maps are divided anew. With `sharing`, a layout's cost is the time of the busiest core
/// or of all transfers together, whichever is longer, and groups may be as small as it takes to load all cores.
/// With `tiling`, a group then computes several parts of its maps at once where that takes fewer instructions.
/// `exact` only. Heuristic: the least of what is tried, by estimate.
LayerPlan plan_layer(const target::PassRun& run, const std::vector<std::vector<int>>& connections, const Window& window,
                     const OutputSize& output, const Switches& switches, const Sharing& sharing,
                     const SchedulingMachine& machine);

}  // namespace convscope::nve
