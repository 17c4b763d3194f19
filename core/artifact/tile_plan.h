#pragma once
// How a layer is cut into tiles: the loop nest, where each tile lies in the layer's tensors, what is moved when, what
// stays in which memory. Steps are made when asked for: a plan of a million steps is never a million objects.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/artifact/ref.h"

namespace convscope::artifact {

enum class TileTensor { input, weights, output };
inline constexpr TileTensor tile_tensors[] = {TileTensor::input, TileTensor::weights, TileTensor::output};
/// "IN", "W", "OUT".
const char* tile_tensor_name(TileTensor tensor);

/// A tensor as it lies in DRAM. Dimensions of input and output: maps, rows, columns. Weights: filters, channels, kernel
/// taps.
struct TiledTensor {
  TileTensor tensor = TileTensor::input;
  std::array<std::int64_t, 3> size{};
  int element_bytes = 1;
  std::array<std::size_t, 3> order{0, 1, 2};  ///< the dimensions from the outermost to the contiguous one
};

/// A part of a tensor, in its dimensions.
struct TileBox {
  TileTensor tensor = TileTensor::input;
  std::array<std::int64_t, 3> begin{}, size{};
  std::int64_t elements() const { return size[0] * size[1] * size[2]; }
  bool operator==(const TileBox&) const = default;
};

/// A residual is what sums begin from, in the place of the outputs.
enum class TileMove { load, store, load_partial_sums, store_partial_sums, load_residual };
inline bool is_load(TileMove move) {
  return move == TileMove::load || move == TileMove::load_partial_sums || move == TileMove::load_residual;
}

/// One command to the memory: a box moved for one worker, or for all workers of a group at once.
struct TileTransfer {
  TileMove move = TileMove::load;
  TileBox box;
  int group = 0;
  int worker = -1;  ///< inside its group; -1: all of them (multicast)
  std::int64_t bytes = 0, bursts = 0;
  bool shared =
      false;  ///< arrives with another group's transfer of the same box: no command, bytes or bursts of its own
};

/// What one worker computes in a step: the output box, from the input and weight boxes beside it.
struct TileWork {
  int group = 0, worker = 0;
  TileBox input, weights, output;
};

struct TileLoop {
  std::string name;                              ///< what it runs over: "rows", "columns", "channels", "filters"
  std::int64_t trips = 1, tile = 1, extent = 1;  ///< extent: of one group's share
};

/// What the machine calls its groups of workers and the workers of a group, in the singular, e.g. "TLE" and "TLT".
struct TileNames {
  std::string group = "group", worker = "worker";
};

/// Where tiles of a tensor stay in each worker.
struct TileMemory {
  std::string name;  ///< e.g. "MB0"
  TileTensor tensor = TileTensor::input;
  std::int64_t capacity = 0, used = 0;  ///< bytes
  std::string kept;                     ///< for how long, e.g. "for all filters", for people
};

/// One innermost iteration: loads first, then work, then stores.
struct TileStep {
  std::vector<std::int64_t> index;  ///< of each loop
  std::vector<TileTransfer> transfers;
  std::vector<TileWork> work;
};

/// What one group does in a step: its transfers of one kind, or its work. Through its key, a timeline's cell and a part
/// of a step are the same thing. A *tile* is one round of the innermost loops (TilePlan::steps_per_tile() steps); its
/// number is the iteration of the timeline's cells.
struct TileOperation {
  bool work = false;                      ///< else a transfer
  TileMove move = TileMove::load;         ///< of a transfer
  TileTensor tensor = TileTensor::input;  ///< of a transfer
  int group = -1;                         ///< -1: all of them, as the DRAM sees it
  std::int64_t position = 0;              ///< of the step in its tile
  bool operator==(const TileOperation&) const = default;
};
OperationKey key_of(const TileOperation& operation);
/// The operation of a key; nothing if the key is none of key_of's.
std::optional<TileOperation> tile_operation(OperationKey key);

class TilePlan {
 public:
  using StepMaker = std::function<TileStep(const std::vector<std::int64_t>& index)>;
  /// `loops` from the outermost; `make` must be callable from any thread. `burst_bytes` 0: a memory that knows no
  /// bursts. The last `inner_loops` of the loops run inside a tile.
  TilePlan(std::string title, std::vector<TiledTensor> tensors, std::vector<TileLoop> loops,
           std::vector<TileMemory> memories, int groups, int workers, int burst_bytes, StepMaker make,
           std::size_t inner_loops = 1, TileNames names = {});

  const std::string& title() const { return title_; }  ///< the strategy, e.g. "OFM + IS, 2 x 71 x 14 x 24"
  const std::vector<TiledTensor>& tensors() const { return tensors_; }  ///< in tile_tensors' order
  const TiledTensor& tensor(TileTensor tensor) const { return tensors_[static_cast<std::size_t>(tensor)]; }
  const std::vector<TileLoop>& loops() const { return loops_; }
  const std::vector<TileMemory>& memories() const { return memories_; }
  int groups() const { return groups_; }
  int workers() const { return workers_; }  ///< of a group
  int burst_bytes() const { return burst_bytes_; }
  const TileNames& names() const { return names_; }

  /// Number of steps: the product of the trips.
  std::int64_t steps() const;
  /// Step in execution order; asserts 0 <= number < steps().
  TileStep step(std::int64_t number) const;
  std::vector<std::int64_t> index_of(std::int64_t number) const;
  std::int64_t number_of(const std::vector<std::int64_t>& index) const;

  /// Steps of one tile: the product of the inner loops' trips.
  std::int64_t steps_per_tile() const;
  /// Step of a selected operation, whose iteration is the tile; an iteration of -1 means the first tile. -1 if the key
  /// is no tile operation or lies outside.
  std::int64_t step_of(OperationKey operation, std::int64_t iteration) const;
  /// An operation of a step, as it is selected: operation and iteration are set; `operation.position` is ignored.
  Ref ref_of(std::int64_t step, TileOperation operation) const;

 private:
  std::string title_;
  std::vector<TiledTensor> tensors_;
  std::vector<TileLoop> loops_;
  std::vector<TileMemory> memories_;
  int groups_ = 1, workers_ = 1, burst_bytes_ = 1;
  StepMaker make_;
  std::size_t inner_loops_ = 1;
  TileNames names_;
};

/// A contiguous run of elements that a box takes in its tensor's order.
struct TileRun {
  std::int64_t first = 0, length = 0;  ///< elements
};

/// Runs of a box: what lies end to end in DRAM (rows of full width, then maps of full height) is one.
struct TileRuns {
  std::int64_t count = 0, length = 0;  ///< elements of each
};
TileRuns runs_of(const TileBox& box, const TiledTensor& tensor);
/// Run number i of a box, in DRAM order; 0 <= i < count.
TileRun run_of(const TileBox& box, const TiledTensor& tensor, std::int64_t i);
/// Where an element lies in the tensor's dimensions, by its place in DRAM.
std::array<std::int64_t, 3> element_at(const TiledTensor& tensor, std::int64_t place);
/// Bursts that a box takes: ceil(run bytes / burst) for each run, alignment left out; 0 without bursts.
std::int64_t bursts_of(const TileBox& box, const TiledTensor& tensor, int burst_bytes);

}  // namespace convscope::artifact
