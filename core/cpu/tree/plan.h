#pragma once
// What a path says, decoded: the decisions as numbers, and the loops and register tiles that follow from them.

#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/tree/microkernels.h"

namespace convscope::cpu {

/// Kernels beyond the last full vector.
enum class Tail { none, narrow, scalar, masked, shared };
/// `buffer` is a copy of the whole image, `rows` one of a block of its rows at a time. `tile` and `indirection` are of
/// Winograd paths alone: what a tile lacks is copied with it, or pointed to.
enum class Padding { none, tests, peeled, buffer, rows, tile, indirection };

/// Outputs beyond the last whole tile: of a tile that is computed as a whole, what is too much not stored; tap by tap;
/// or by tiles as small as what is left.
enum class Partial { discard, direct, smaller };

/// What makes tiles along one dimension.
struct TileSide {
  int outputs = 0;     ///< m of F(m, r); 1: plain sums
  std::string points;  ///< empty for plain sums
  int position = 0;    ///< first position of its transformed kernels
};
/// Outputs whose tiles are alike, H and W.
struct TilePart {
  int top = 0, left = 0, height = 0, width = 0;
  TileSide y, x;
};

struct Block {
  char dimension = 0;
  int factor = 0;  ///< iterations of the inner loop
};

/// Decisions of a path, as far as it goes; what it hasn't come to has its default.
struct Plan {
  Problem problem;  ///< that the microkernel computes: with H and W as one row where `collapsed`; Winograd's product
  Problem convolution;  ///< as it was given
  const FamilyTraits* family = nullptr;
  const Microkernel* kernel = nullptr;
  Layout image{"HWC"}, weights{"YXCM"}, output{"HWM"};
  bool collapsed = false;
  int pixels = 1, vectors = 1;  ///< of the register tile
  std::string operand;
  Tail tail = Tail::none;
  int unroll = 1;
  std::vector<Block> blocks;
  std::vector<std::string> order;  ///< names of loops, outermost first
  Padding padding = Padding::none;
  int prefetch = 0;              ///< bytes; 0: none
  bool prefetches_next = false;  ///< the weights of calls to come (next_weights.h)
  bool streaming = false;
  int threads = 1;
  int outputs = 0;      ///< m of F(m, r); 0: the path is no Winograd's, or hasn't come there
  std::string points;   ///< of F(m, r)
  int block_tiles = 0;  ///< at most, of a block of tiles; 0: all
  Partial partial = Partial::discard;
  TilePart part;  ///< of the outputs, that is computed now; no height: the first

  bool winograd() const { return kernel != nullptr && kernel->method != Method::direct; }
  int lanes() const { return family->lanes; }
  /// Kernels of a vector: none of those that run along channels.
  int kernel_lanes() const { return kernel->strategy == Strategy::pairwise ? 1 : lanes(); }
  bool inside(char dimension) const { return kernel->loops.find(dimension) != std::string_view::npos; }
  /// Sums over dimensions whose loops are outside the microkernel: each call adds to the output.
  bool accumulates() const;
  /// Channels of the output that a group has; a depthwise one is one group whose vectors run over all of them.
  int kernels() const;
  int groups() const;
  /// 0: not blocked.
  int block(char dimension) const;
};

Plan decode(const Problem& problem, const Path& path);

/// A vector of the register tile along M: its first kernel from the tile's begin on, and its lanes. Two pixels share a
/// `shared` one.
struct Column {
  int offset = 0, lanes = 1;
  int valid = 1;  ///< lanes that are kernels
  bool shared = false;
  bool operator==(const Column&) const = default;
};

/// Register tiles of equal shape side by side.
struct TileRun {
  int begin = 0;                ///< index of the dimension
  int extent = 1;               ///< indices of a tile
  int count = 1;                ///< tiles
  std::vector<Column> columns;  ///< along M
};

/// `total` things in the fewest parts of at most `most`, the larger parts first.
std::vector<TileRun> near_equal(int total, int most);
/// Near-equal tiles of at most `pixels` along W.
std::vector<TileRun> pixel_runs(const Plan& plan);
/// Tiles along M: near-equal in vectors, or full ones where the layout has blocks as large as a tile; then the tail.
std::vector<TileRun> kernel_runs(const Plan& plan);

}  // namespace convscope::cpu
