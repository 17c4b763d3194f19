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

/// What a path's tiles are. 'y' is along the kernel's height.
struct TileGrid {
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
/// Bytes of transformed inputs and of products of the largest block.
std::int64_t block_bytes(const Problem& convolution, const TileGrid& grid, const TileBlocks& blocks);

/// Of a plan that has come to its points; none for other plans.
KernelTransform kernel_transform(const Plan& plan);

}  // namespace convscope::cpu
