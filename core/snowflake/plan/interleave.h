#pragma once
// Max pooling in turns with the convolution before it: rows are pooled as soon as they are stored, while the kernels
// and maps of the next ones are loaded. The paper names what its layers lose without: "non-overlapped Maxpool layers"
// (section 6.4); how is ours.

#include <string>

#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

/// A layer's shape with its mapping.
struct MappedShape {
  const LayerShape& shape;
  const Mapping& mapping;
};

/// Why a convolution's blocks and a pool's can't take turns; empty if they can. The pool reads all that the convolution
/// writes, in the same pixels.
std::string refused_interleaving(const MappedShape& convolution, const MappedShape& pool);

/// Blocks of both: a pool's tile is loaded during the first of the convolution's blocks behind the one that completed
/// its input, and computed behind that. The tiles that wait for the last block come at the end. Both must have been
/// made for parts of the maps buffer that lie apart, and the pool's must be undivided. Loads start as the
/// convolution's, and end as the pool's.
LayerBlocks interleaved(LayerBlocks convolution, const MappedShape& by, LayerBlocks pool, const MappedShape& pool_by,
                        const ComputeMachine& machine);

}  // namespace convscope::snowflake
