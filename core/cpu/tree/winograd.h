#pragma once
// What follows from the Winograd levels of a path: tiles, blocks of them, matrices. Source: "Automatic Program
// Generation for Convolutional Neural Networks on Resource Constrained Devices", chapter 6.
//
// Outputs are made in tiles: of m x m in two dimensions, of 1 x m in the sum of one-dimensional ones. A tile's inputs
// are transformed to `positions`; at each of them a block of tiles is multiplied by the transformed kernels, as a
// 1x1 convolution over the block's tiles; products of a tile are transformed back.
//
// In the sum of one-dimensional ones (section 6.12) rows stay what they are: the product sums over the kernel's rows,
// which stand a row of tiles apart, so it is a convolution over tiles whose taps are dilated by the tiles of a row.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/kernel_transform.h"
#include "core/cpu/tree/plan.h"
#include "core/winograd/equations/linear_program.h"
#include "core/winograd/matrices/transform.h"

namespace convscope::cpu {

/// The programs of F(m, r) with its matrices.
struct WinogradPrograms {
  winograd::Transform matrices;
  winograd::LinearProgram input, output;
};

/// Null if these aren't points of F(m, r). Computed once for each, then shared.
std::shared_ptr<const WinogradPrograms> winograd_programs(int m, int r, const std::string& points);

/// "0,1,-1,1/2,-2": different sets of points of F(m, r) that a path may choose.
std::vector<std::string> point_choices(int m, int r);

/// Outputs by the tiles that make them, those of the transform that was chosen first. What is left beyond whole tiles
/// stands behind, if it isn't computed by tiles of that size: below, beside, and in the corner.
std::vector<TilePart> tile_parts(const Plan& plan);
/// Whether the last tile of a row or of a column has outputs that don't exist.
bool has_partial_tiles(const Plan& plan);

/// The plan of a part.
Plan with_part(const Plan& plan, const TilePart& part);

/// The programs of a part's tiles, along columns and along rows; the first are null where rows aren't transformed.
struct SidePrograms {
  std::shared_ptr<const WinogradPrograms> y, x;
};
SidePrograms side_programs(const Plan& plan, const TilePart& part);

/// What the tiles of a plan's part are. 'y' is along the kernel's height.
struct TileGrid {
  int top = 0, left = 0;                 ///< the first output
  int outputs_y = 1, outputs_x = 1;      ///< of a tile
  int positions_y = 1, positions_x = 1;  ///< of a transformed tile, and elements of the image that it takes
  int rows = 1, columns = 1;             ///< tiles
  int halo = 0;                          ///< rows of transformed inputs beyond those of a block's tiles
};
/// Precondition: the plan has come to its transform.
TileGrid tile_grid(const Plan& plan);

/// Along each dimension, near-equal blocks: `extent` tiles each, `count` blocks.
struct TileBlocks {
  std::vector<TileRun> rows, columns;
  int count() const;          ///< blocks
  int largest_tiles() const;  ///< of a block
};
/// Blocks of at most `most` tiles, whole rows of them where they fit; 0: all tiles are one.
TileBlocks tile_blocks(const TileGrid& grid, int most);

/// What is computed at one position: image columns are transformed tiles of a block of `rows` x `columns` tiles.
Problem product_problem(const Problem& convolution, const TileGrid& grid, int rows, int columns);
/// Of a plan's part: as the plan has them, those behind the first part with no more tiles than the largest of it, as
/// the loops were chosen for those.
TileBlocks part_blocks(const Plan& plan);
/// Room for transformed inputs and for products of the largest block of any part.
struct BlockRoom {
  int positions_y = 1, positions_x = 1;
  int inputs = 0, products = 0;  ///< tiles
  std::int64_t bytes(const Problem& convolution) const;
};
BlockRoom block_room(const Plan& plan);

/// Of a plan that has come to its points; none for other plans.
KernelTransform kernel_transform(const Plan& plan);

}  // namespace convscope::cpu
