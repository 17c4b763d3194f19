#pragma once
// Where a layer's kernels lie in DRAM.

#include <cstdint>
#include <vector>

#include "core/snowflake/plan/layer_shape.h"

namespace convscope::snowflake {

/// Words of the kernel region.
std::int64_t kernel_region_words_of(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Fills the layer's KernelPlace by its mapping and adds its kernel region, if it has kernels. Weights lie so on every
/// level that decides alike.
void place_kernels(ProgramLayer& layer, std::vector<Region>& regions, const Mapping& mapping,
                   const ComputeMachine& machine);

}  // namespace convscope::snowflake
