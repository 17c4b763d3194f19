#pragma once
// The loads of kernels, and where they lie in the buffers.

#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

/// LDs of a kernel tile for the vMACs that compute with it: the last channels alone may leave some without.
KernelLoad kernel_load(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                       const KernelShape& kernels, int tile);

/// Gives a convolution's blocks the places of their kernels and the loads of what comes next: tiles take turns in two
/// banks, from bank `start` on; or fill the buffer; or go round in a ring; or stream in parts. Units are not chosen.
void attach_kernel_loads(LayerBlocks& blocks, const LayerShape& shape, const Mapping& mapping,
                         const ComputeMachine& machine, const KernelShape& kernels, int start);

}  // namespace convscope::snowflake
