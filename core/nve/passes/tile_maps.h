#pragma once
// In-map tiling (thesis, section 9.2.1): where nothing is left to fuse, a loop computes several parts of its maps.

#include "core/nve/passes/fuse_maps.h"

namespace convscope::nve {

/// Columns of one of `tiles` equal parts of a map; the last part may be shorter, and what its loop computes beyond the
/// map is discarded.
int tile_columns(int columns, int tiles);

/// The group with its bodies once for each part: tile t stands behind tile t - 1, with inputs of its own, and computes
/// the columns from t * tile_columns on. So coefficient words fill up over several bodies, as those of several maps do,
/// and the loop runs so many times less. Precondition: a group without tiles.
MapGroup tiled(const MapGroup& group, int tiles);

}  // namespace convscope::nve
