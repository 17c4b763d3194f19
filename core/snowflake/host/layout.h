#pragma once
// Where a layer's words lie in DRAM: maps by MapsPlace, kernels and biases by KernelPlace
// (docs/snowflake-simulation.md, 'Host').

#include <cstdint>
#include <span>

#include "core/base/diagnostic.h"
#include "core/reference/fixed_point.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

/// Sizes of a layer's kernels in words, as KernelPlace arranges them.
struct KernelLayout {
  KernelLayout(const ProgramLayer& layer, int macs);

  bool taps_apart = false;        ///< every tap is a row of its own, of KernelPlace::span channels
  int rows = 1;                   ///< of a kernel
  std::int64_t row_words = 0;     ///< of a row; cooperative: rounded up to whole vectors
  std::int64_t kernel_words = 0;  ///< of a kernel; independent: of `macs` kernels
  std::int64_t bias_first = 0;    ///< from the beginning of a vMAC's part of a tile
  std::int64_t part_words = 0;    ///< a vMAC's part of a tile
  int lanes = 1;                  ///< kernels that lie word by word beside each other: 1, or `macs`
  int slots = 1;                  ///< of a part: kernels, or groups of `macs` kernels
  int vmacs = 1;                  ///< of a tile
  int tiles = 1;

  int kernels_per_tile() const { return slots * vmacs * lanes; }
};

/// The input channel that is the first word of a tap's row, for the kernel of an output channel: kernels written
/// together (`vmacs` x lanes output channels) read the same words, so they take the groups of all of them, or the whole
/// input if groups and kernels written together don't divide each other.
int first_input_channel(const ProgramLayer& layer, const KernelLayout& layout, int output);

/// Whether regions, places and geometry are sound, so that host and reference can work with them; else diagnostics.
bool check_layers(const Program& program, Diagnostics& diagnostics);

/// Plain [channel][row][column] from and to DRAM.
reference::FixedTensor read_maps(std::span<const std::int16_t> dram, const Program& program, const MapsPlace& place);
void write_maps(std::span<std::int16_t> dram, const Program& program, const MapsPlace& place,
                const reference::FixedTensor& maps);

/// Weights and biases of a layer: weights [output][input of its group][kernel row][kernel column].
struct LayerParameters {
  std::vector<std::int16_t> weights, bias;
};

/// Into the layer's kernel region; an average pool gets its reciprocals instead: word i for i + 1 pixels.
void write_kernels(std::span<std::int16_t> dram, const Program& program, const ProgramLayer& layer,
                   const LayerParameters& parameters);

}  // namespace convscope::snowflake
