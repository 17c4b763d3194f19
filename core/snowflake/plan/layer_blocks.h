#pragma once
// A layer as blocks in the order of its loops, with the loads of what comes next.
// Source: "Compiling Deep Learning Models …", section 5.1, steps 4 and 5.

#include <string>
#include <vector>

#include "core/snowflake/plan/layer_shape.h"

namespace convscope::snowflake {

struct LayerBlocks {
  std::string refused;  ///< why this mapping can't be: what, limit, what to do; else empty
  FirstLoads first;     ///< maps and kernels that the first block needs
  std::vector<Block> blocks;
  int map_tiles = 0, kernel_tiles = 0;
};

LayerBlocks layer_blocks(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Why a mapping can't be, but for its code; empty if it can.
std::string refused_mapping(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Words of the kernel region.
std::int64_t kernel_region_words_of(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Fills the layer's KernelPlace by its mapping and adds its kernel region, if it has kernels. Weights lie so on every
/// level that decides alike.
void place_kernels(ProgramLayer& layer, std::vector<Region>& regions, const Mapping& mapping,
                   const ComputeMachine& machine);

}  // namespace convscope::snowflake
