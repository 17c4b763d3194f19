#pragma once
// Transforms of tiles as syntax trees. Source: the thesis named in problem.h, sections 6.4 to 6.12; nested
// one-dimensional programs over vectors of channels are ours.

#include "core/cpu/kernels/site.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {

/// A tile: the image element of its first position, its place in its block, and its first output.
struct TileSite {
  const Plan& plan;  ///< of the part that the tile is in
  const TileGrid& grid;
  Affine row, column;  ///< of the image; may lie beside it
  Affine tile;         ///< of the block
  Affine out_row, out_column;
};

/// Image to "transformed", for all channels. What the image doesn't have is 0, in one of three ways: by tests, which
/// peeling decides; by pointers to "zeros"; from the copy "patch".
Nodes input_transform(const TileSite& site);
/// Fills "patch" with the tile's part of the image and zeros around it: rows above, rows below, then beside each row.
Nodes copy_patch(const TileSite& site);
/// "products" to the output, for all kernels; outputs beyond the last are not stored, by tests, which peeling decides.
Nodes output_transform(const TileSite& site);

}  // namespace convscope::cpu
