#pragma once
// Feature map fusion by cost: the groups with the least time in sum.

#include <functional>
#include <optional>
#include <vector>

#include "core/nve/passes/estimate_program.h"
#include "core/nve/passes/fuse_maps.h"

namespace convscope::nve {

/// Cost of a structure's program; nothing if it doesn't fit.
using StructureCost = std::function<std::optional<ProgramCost>(const Structure&)>;

struct Partition {
  std::vector<MapGroup> groups;  ///< empty if some map fits nowhere
  ProgramCost cost;
};

/// Maps in an order that keeps those with common inputs together; of all ways to cut that order into groups, the one
/// that costs least. Maps without a common input may share a program, too: its loop is filled and drained once for all.
/// Optimal for the order; the order is heuristic (nearest neighbour by inputs that differ, then by common ones).
/// `cost` is asked once for each structure. Groups have at most `largest` maps.
Partition partition_maps(const std::vector<std::vector<int>>& connections, int largest, const StructureCost& cost);

}  // namespace convscope::nve
