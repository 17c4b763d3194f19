#pragma once
// The first loads of a layer during the layer before it. Not in the paper, whose layers start cold.

#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

/// Where a layer starts so that its first tiles find room beside the last ones of the layer before.
LayerStart start_behind(const LayerEnd& before, const ComputeMachine& machine);

/// Moves loads of `next` into `before`, which runs right ahead of it: kernels into its last turn, maps into its last
/// map tile, if they overwrite nothing that is read then and read nothing that is still to be written. What stays waits
/// behind fillers only if it must. The loads count as those of the layer that issues them.
void load_ahead(LayerBlocks& before, LayerBlocks& next, const ComputeMachine& machine);

}  // namespace convscope::snowflake
