#pragma once
// Windows that exceed the maps buffer: each output's come in parts, with the parts of the kernels that they meet. Not
// in the paper, whose windows fit; so every convolution has a mapping.

#include "core/snowflake/plan/layer_shape.h"
#include "core/snowflake/plan/tiles.h"

namespace convscope::snowflake {

/// Whether a mapping's maps stream.
inline bool streams_maps(const Mapping& mapping) {
  return mapping.parts && mapping.undivided;
}

/// Sets the mapping: kernels and maps in parts, an output at a time.
void stream_maps(Mapping& mapping);

/// Words of each of the three places in the maps buffer where parts lie: two take turns, the last has one of its own,
/// so that it meets neither the one before it nor the first.
int streamed_place(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Gives a block's parts the loads of their maps, and its traces the places where these lie. Units are not chosen.
void attach_streamed_maps(Block& block, const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                          const MapTile& tile);

}  // namespace convscope::snowflake
