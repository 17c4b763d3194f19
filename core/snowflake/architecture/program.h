#pragma once
// A program for one layer or a whole network: instructions, where everything lies in DRAM, and how a host arranges
// weights, so that a file of it is all that a simulator needs (docs/snowflake-program.md).

#include <cstdint>
#include <string>
#include <vector>

#include "core/snowflake/architecture/instruction.h"
#include "core/snowflake/architecture/machine.h"

namespace convscope::snowflake {

enum class RegionKind { input, maps, output, kernels, instructions, zeros };

/// A stretch of DRAM. Addresses are in words of 16 bit.
struct Region {
  std::string name;
  RegionKind kind = RegionKind::maps;
  std::int64_t first_word = 0, words = 0;
  int first_layer = 0, last_layer = 0;  ///< positions in Program::layers between which it is alive
  bool operator==(const Region&) const = default;
};

/// Feature maps in a region: depth-minor, unpadded; word ((y * width) + x) * pitch + channel.
struct MapsPlace {
  int region = -1;
  std::int64_t offset = 0;  ///< words into the region (parts of a concatenation start further in)
  int height = 1, width = 1, channels = 1;
  int pitch = 1;  ///< words from pixel to pixel, >= channels
  bool operator==(const MapsPlace&) const = default;
};

enum class LayerKind { convolution, max_pool, average_pool, fully_connected };
enum class KernelOrder { cooperative, independent };

/// How a layer's weights and biases lie in its kernel region (design: [kernel tile][vMAC of the tile][kernels of the
/// vMAC], rows rounded up to whole vectors; biases behind the kernels of each LD).
struct KernelPlace {
  int region = -1;
  KernelOrder order = KernelOrder::cooperative;
  int vmacs = 16;            ///< over which a tile is spread: all of the machine, or those of one CU
  int kernels_per_vmac = 1;  ///< of a tile (cooperative: single kernels; independent: groups of `macs` kernels)
  int span = 0;              ///< input channels of a tap's row if taps have rows of their own; 0: they haven't
  bool operator==(const KernelPlace&) const = default;
};

/// What a layer computes, for reference and host: enough to compute its output from its inputs and seeded weights.
struct ProgramLayer {
  std::string name;
  LayerKind kind = LayerKind::convolution;
  MapsPlace in, out;
  MapsPlace bypass;  ///< region -1: none; as large as `out`
  int kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  int dilation_height = 1, dilation_width = 1;
  int padding_top = 0, padding_left = 0;
  int groups = 1;
  bool relu = false;
  bool count_padding = false;  ///< average pooling
  int fraction = 8;            ///< of weights and bypass scaling: the shift of the result
  int weights_fraction = 8, in_fraction = 8, out_fraction = 8;  ///< n of Qm.n of each
  KernelPlace kernels;
  bool operator==(const ProgramLayer&) const = default;
};

/// What a stretch of instructions is for, so that lines link to layer, tile, window and loads.
struct CodeRange {
  enum class Kind : std::uint8_t { setup, loads, window, loop, jump } kind = Kind::window;
  int first = 0, count = 0;  ///< instructions, in the order of Program::code
  int layer = 0, tile = 0, window = 0;
  bool operator==(const CodeRange&) const = default;
};

/// Instructions that are loaded into one bank together, in the order in which banks are filled.
struct CodeBlock {
  int first = 0, count = 0;    ///< instructions in Program::code; count <= instruction_bank
  std::int64_t dram_word = 0;  ///< where they lie
  bool operator==(const CodeBlock&) const = default;
};

struct Program {
  std::string name;
  Machine machine;
  std::vector<Region> regions;
  std::vector<ProgramLayer> layers;
  std::vector<EncodedInstruction> code;
  std::vector<CodeBlock> blocks;  ///< block 0 is loaded into bank 0 before the run starts
  std::vector<CodeRange> ranges;  ///< sorted by first
  std::int64_t dram_words = 0;
  bool operator==(const Program&) const = default;
};

}  // namespace convscope::snowflake
