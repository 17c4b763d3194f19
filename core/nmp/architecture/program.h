#pragma once
// A program of one layer, or of a network: one code for all TLTs, what each finds in its data RAM, where everything
// lies in DRAM, and what the layer computes, so that a file of it is all that a simulator needs (docs/nmp-program.md).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/nmp/architecture/instruction.h"
#include "core/nmp/architecture/machine.h"

namespace convscope::nmp {

/// Inputs, weights and tables are never written. `maps` are of networks: outputs of layers that others read, and the
/// network's own inputs; what lives at different times may lie at the same place.
enum class RegionKind : std::uint8_t { input, weights, partial_sums, output, maps, tables };
inline constexpr std::size_t region_kinds = 6;
inline bool is_written(RegionKind kind) {
  return kind == RegionKind::partial_sums || kind == RegionKind::output || kind == RegionKind::maps;
}

/// A stretch of DRAM. Regions don't overlap.
struct Region {
  std::string name;
  RegionKind kind = RegionKind::input;
  std::int64_t first_byte = 0, bytes = 0;
  bool operator==(const Region&) const = default;
};

/// Maps in a region: element (m, r, c) begins at `first_byte` + m * map_pitch + r * row_pitch + c * its bytes.
struct MapsPlace {
  int region = -1;              ///< in Program::regions; -1: there are none
  std::int64_t first_byte = 0;  ///< in DRAM
  int maps = 0, rows = 0, columns = 0;
  std::int64_t row_pitch = 0, map_pitch = 0;  ///< bytes
  bool operator==(const MapsPlace&) const = default;
};

/// Weights lie dense: [group][unit][map of the unit][channel][kernel row][kernel column]; the second operand of pairs
/// [unit][row][column], or [unit] where it is spread over rows and columns.
struct WeightsPlace {
  int region = -1;
  std::int64_t first_byte = 0;  ///< in DRAM
  bool operator==(const WeightsPlace&) const = default;
};

/// One axis of the image. Outputs beyond what input and padding hold see zeros.
struct ProgramAxis {
  int kernel = 1, stride = 1, dilation = 1;
  int padding = 0;  ///< zeros before the first input
  bool operator==(const ProgramAxis&) const = default;
};

/// What is computed: enough for a reference. IN has groups * channels maps (depthwise: units), OUT
/// groups * units * maps_per_unit.
struct ProgramLayer {
  std::string name;
  Computation computation = Computation::convolution;
  ProgramAxis vertical, horizontal;
  int groups = 1, channels = 1, units = 1, maps_per_unit = 1;
  bool depthwise = false;  ///< unit u sees map u alone; channels and groups are 1
  int element_bytes = 2, partial_sum_bytes = 2;
  int shift = 0, guard = 0;
  int clamp_low = 0, clamp_high = 0;  ///< of results; both 0: none
  int slope = 0;                      ///< of numbers below 0, with 15 fraction bits; of `affine` and `gate` the factor
  int offset = 0;                     ///< of `affine` and `gate`
  std::vector<std::int32_t> table = {};  ///< of `table`: its numbers, first that of the least input
  /// Channels that are added up before a partial sum is rounded, in their order; their sum is `channels`.
  std::vector<int> channel_parts;
  std::vector<std::int32_t> biases;  ///< of all output maps; empty: 0
  int residual_shift = 0;            ///< of the residual, to the fraction bits of sums
  MapsPlace in, out;
  MapsPlace partial_sums;  ///< of tilings that store them
  MapsPlace residual;      ///< elements that sums begin from, as `out`; usually none
  WeightsPlace weights;
  /// Elements of W, all filters; 0 if there is none.
  std::int64_t weight_elements() const;
  bool operator==(const ProgramLayer&) const = default;
};

/// What a stretch of code is for, so that listings and refusals can tell.
struct CodeRange {
  enum class Kind : std::uint8_t { setup, loop, input, weights, partial_sums, compute, store, end };
  Kind kind = Kind::setup;
  int first = 0, count = 0;  ///< instructions
  bool operator==(const CodeRange&) const = default;
};
inline constexpr std::size_t code_range_kinds = 8;

/// What moves between DRAM and TLEs. A multicast counts once.
enum class TrafficKind : std::uint8_t { input, weights, partial_loads, partial_stores, output, tables };
inline constexpr std::size_t traffic_kinds = 6;
using TrafficBytes = std::array<std::int64_t, traffic_kinds>;

inline constexpr int data_ram_bytes = 4096;  ///< of a TLT
inline constexpr int dma_queue = 16;         ///< transfers of a TLE, the one that runs included
inline constexpr int mac_queue = 16;         ///< convolutions of a TLT, the one that runs included

struct Program {
  std::string name;
  Machine machine;                     ///< `doubled` is empty and memories are whole: what a parameter file of it says
  CostLevel level = CostLevel::burst;  ///< what transfers cost: `volume` as `burst`
  /// The cost of a command, and a tile's way around the ring, keep the DRAM from everybody (lockstep), or only its DMA
  /// busy (free-running TLEs).
  bool commands_hold_dram = true;
  std::int64_t dram_bytes = 0;
  std::vector<Region> regions;
  std::vector<ProgramLayer> layers;
  std::vector<EncodedInstruction> code;          ///< of all TLTs; instruction i at byte 4 i, the first runs first
  std::vector<std::vector<std::uint32_t>> data;  ///< by TLT: data RAM from byte 0 on; what is left is 0
  std::vector<std::uint32_t> tables;             ///< what lies in the region of tables, if there is one
  std::vector<CodeRange> ranges;                 ///< sorted by first
  TrafficBytes traffic{};                        ///< planned, of the whole run
  bool operator==(const Program&) const = default;

  int tlts() const { return machine.tles * machine.tlts; }
  /// Null if there is none.
  const Region* tables_region() const;
  /// Position in `data`.
  std::size_t tlt(int tle, int of_tle) const {
    return static_cast<std::size_t>(tle) * static_cast<std::size_t>(machine.tlts) + static_cast<std::size_t>(of_tle);
  }
};

/// The machine as Program::machine has it: memories that hold two tiles (double_buffering, doubled) in full size.
Machine whole_machine(const Machine& machine);
/// A stretch of DRAM, [begin, end).
struct ByteRange {
  std::int64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};
/// From the first to behind the last byte of maps, or of a layer's W.
ByteRange bytes_of(const MapsPlace& place, int element_bytes);
ByteRange bytes_of_weights(const ProgramLayer& layer);
/// Bytes of `maps` that layers read before any layer has written them, in the layers' order: the network's inputs.
std::vector<ByteRange> given_maps(const Program& program);

/// Bytes of a TLT's memory.
std::int64_t memory_bytes(const Machine& whole, Memory memory);

}  // namespace convscope::nmp
