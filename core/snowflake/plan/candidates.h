#pragma once
// Mappings worth thinking of besides the paper's.

#include <string>
#include <vector>

#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

/// Modes, broadcasts, loops, sizes of kernel tiles, heights of map tiles; not all of them fit. A heuristic choice,
/// small enough to time each.
std::vector<Mapping> candidates(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine);

/// E.g. "INDP, kernels broadcast, Mloop, 14 rows, 2 kernels a vMAC".
std::string mapping_name(const Mapping& mapping);

}  // namespace convscope::snowflake
