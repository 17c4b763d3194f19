#pragma once
// What code is made from: blocks that compute a map tile with a range of kernel tiles and load what comes next, as
// tables of numbers. Source: "Compiling Deep Learning Models …", section 5.1, steps 4 and 5, and figure 2.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convscope::snowflake {

/// A contiguous multiply-accumulate (or comparison).
struct Trace {
  int maps = 0;     ///< words from the window's first word
  int kernels = 0;  ///< words from the kernel's first word
  int words = 0;    ///< 1-2,048
  bool operator==(const Trace&) const = default;
};

/// Outputs of a row whose windows have the same valid columns, so that they take the same traces.
struct ColumnWindow {
  int outputs = 0;
  int maps = 0;  ///< word of the first output's window, from the row's
  std::vector<Trace> traces;
  bool partial = false;  ///< more traces of these outputs come later: no write-back yet
  bool operator==(const ColumnWindow&) const = default;
};

/// Rows of outputs whose windows have the same valid rows, computed by the same CUs: the paper's compute object.
struct Strip {
  int rows = 0;
  int maps = 0;          ///< word of the first row's windows, from the tile's
  std::int64_t out = 0;  ///< word of the first output, from the tile's
  int bypass = 0;
  std::uint32_t configuration = 0;  ///< register 26
  std::vector<ColumnWindow> columns;
  bool operator==(const Strip&) const = default;

  int outputs() const {  ///< of a row
    int sum = 0;
    for (const ColumnWindow& column : columns) sum += column.outputs;
    return sum;
  }
  int vectors() const {  ///< of a row, bypass moves not counted
    int sum = 0;
    for (const ColumnWindow& column : columns) sum += column.outputs * static_cast<int>(column.traces.size());
    return sum;
  }
};

/// Words from an output to the next, and from a row to the next.
struct Steps {
  int maps = 0, bypass = 0;
  std::int64_t out = 0;
  bool operator==(const Steps&) const = default;
};

/// One LD of maps.
struct MapLoad {
  std::int64_t dram = 0;
  int buffer = 0, words = 0;
  int cu = -1;  ///< -1: to all CUs
  int unit = 0;
  bool operator==(const MapLoad&) const = default;
};

/// LDs of one kernel tile, one for each vMAC. With `broadcast`, a vMAC's of all CUs.
struct KernelLoad {
  std::int64_t dram = 0;  ///< of the first vMAC's kernels
  int words = 0;          ///< of each vMAC
  int stride = 0;         ///< DRAM words from vMAC to vMAC
  int vmacs = 0;          ///< LDs
  bool broadcast = false;
  std::vector<int> units;  ///< of each LD
  bool operator==(const KernelLoad&) const = default;
};

/// Kernels and the word of each vMAC's buffer where they go.
struct PlacedKernels {
  KernelLoad load;
  int buffer = 0;
};

/// Loads before a block, of the layer's first ones or into a buffer that the block before still read; `fillers`: what
/// the buffers held may still be read.
struct FirstLoads {
  bool fillers = false;
  std::vector<MapLoad> maps;
  std::size_t early = 0;  ///< of `maps`, those that come before the kernels
  std::vector<PlacedKernels> kernels;
};

enum class VectorKind { cooperative, independent, lanes, maximum };
enum class TraceForm { looped, unrolled };

/// A piece of kernels too large to lie in the buffer as a whole: they stream through the banks, piece by piece, for a
/// single output of each.
struct KernelPart {
  int words = 0;      ///< of each vMAC
  bool last = false;  ///< has the bias, and writes back
  std::vector<Strip> strips;
  std::vector<MapLoad> maps = {};  ///< that come with it, if they stream as well
};

/// One block of instructions.
struct Block {
  std::vector<FirstLoads> before;  ///< loads before all else

  int layer = 0;  ///< 1: of the pool that takes turns with this layer
  int map_tile = 0;
  int kernel_tile = 0;  ///< the first
  int tiles = 1;        ///< turns of the kernel loop
  int slots = 1;        ///< kernels of each vMAC that a turn computes

  VectorKind kind = VectorKind::cooperative;
  int cu_stride = 0;  ///< register 27
  int maps_base = 0, bypass_base = 0;
  std::int64_t out_base = 0;
  int bypass_select = -1;  ///< of VMOV; -1: no bypass
  Steps slot_step;         ///< from slot to slot, on and on through the tiles
  Steps x_step, y_step;
  std::vector<Strip> strips;

  bool biases = false;
  /// Register 26 of their moves: every CU whose kernels are loaded, so that those without outputs wait for theirs.
  std::uint32_t bias_configuration = 0;
  int kernel_words = 0;             ///< from slot to slot
  int first_slot = 0;               ///< of the tile's, where the block starts
  int bias_at = 0;                  ///< from the tile's first word; of first_slot
  int bias_words = 0;               ///< from slot to slot
  int bank = 0;                     ///< word where the first tile's kernels lie
  int other_bank = 0;               ///< word of the other bank: tiles alternate
  bool load_tiles = false;          ///< within the loop, load the next tile
  bool single = false;              ///< a tile fills the buffer: each turn loads its own and waits
  KernelLoad tile_load;             ///< of the tile behind the block's first (`single`: of its first)
  std::int64_t tile_load_step = 0;  ///< DRAM words from tile to tile
  std::optional<KernelLoad> next;   ///< the next block's first tile, loaded in the last turn
  std::vector<KernelPart> parts;    ///< then tile_load is that of the first tile's first part
  std::vector<MapLoad> map_loads;   ///< for a later block, in the first turn
  // Kernels that go round in a ring, a slot a block: traces have the buffer's words, and `bank` is 0.
  std::vector<PlacedKernels> ring_loads;  ///< of the next kernel, where the one before this one lay
  std::vector<PlacedKernels> late_loads;  ///< the rest of it, at the block's end, where this one's first words lay
  int late_fillers = 0;                   ///< before them, so that nothing still reads these words
  TraceForm form = TraceForm::looped;
  int outputs_per_turn = 1;
};

}  // namespace convscope::snowflake
