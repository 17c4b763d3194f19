#pragma once
// Map tiles: "the maps are decomposed in tiles with output row granularity" (section 5.1), with columns and channels
// where a row of windows doesn't fit.

#include <string>
#include <vector>

#include "core/snowflake/plan/layer_shape.h"

namespace convscope::snowflake {

struct MapTile {
  int row = 0, rows = 0;  ///< output rows; `split`: of each CU, CU c from row + c * rows on
  int all_rows = 0;       ///< of all CUs, of which the last may have fewer
  int column = 0, columns = 0;
  int channel = 0, channels = 0;  ///< pooling alone; convolutions take all of the input
  // The part of the input that lies in the buffer.
  int first_row = 0;  ///< input row of buffer word 0; `split`: of CU 0, may be above the input
  int buffer_rows = 0;
  int first_column = 0, buffer_columns = 0;
  int pitch = 0;  ///< words of a pixel in the buffer
  int row_words() const { return buffer_columns * pitch; }
  int words() const { return buffer_rows * row_words(); }
  bool operator==(const MapTile&) const = default;
};

/// In the order of rows, columns, channels.
std::vector<MapTile> map_tiles(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Whether all tiles of these sizes fit. `bypass` tiles have the output's rows and columns.
bool tiles_fit(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Sets the most rows that fit; columns and channels where not even one row does. False if nothing fits.
bool largest_tiles(const LayerShape& shape, Mapping& mapping, const ComputeMachine& machine);

/// Sets the mapping of kernels that don't fit even both banks: each output is a tile of its own.
void stream_parts(Mapping& mapping);

/// LDs that bring a tile and its bypass into slot 0 or 1.
std::vector<MapLoad> tile_loads(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                                const MapTile& tile, int slot);

}  // namespace convscope::snowflake
