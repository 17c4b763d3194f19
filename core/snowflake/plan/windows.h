#pragma once
// Windows: "grouping of striding windows with same window size into one object" (section 5.1, step 5). Padding is
// never computed: windows at borders have fewer rows and columns.

#include <vector>

#include "core/snowflake/plan/tiles.h"

namespace convscope::snowflake {

/// Where average pooling's weights lie: word c - first_count of bank 0 for windows of c pixels.
struct PoolWeights {
  int first_count = 1, counts = 1;
};
PoolWeights pool_weights(const LayerShape& shape);

/// The tile's strips: every output of the tile is in exactly one. `cus`: mask of the CUs that compute.
/// Empty if a window lies in the padding alone.
std::vector<Strip> strips(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                          const MapTile& tile, std::uint8_t cus);

/// Steps from output to output and from row to row.
Steps x_step(const LayerShape& shape, const MapTile& tile);
Steps y_step(const LayerShape& shape, const MapTile& tile);

}  // namespace convscope::snowflake
