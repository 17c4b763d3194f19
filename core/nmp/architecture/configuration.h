#pragma once
// The 64 configuration registers C of a TLT, by name, and what loads, stores and convolutions make of them. An
// instruction takes a copy when it is issued. docs/nmp-program.md.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/nmp/architecture/instruction.h"

namespace convscope::nmp {

inline constexpr int configuration_registers = 64;
inline constexpr int largest_shift = 47;  ///< of a sum, which has 48 bits
using Configuration = std::array<std::uint32_t, configuration_registers>;

/// Positions in C. Pairs from an even one on are written together.
namespace registers {
// Of shape s from 8 s on.
inline constexpr int row_bytes = 0, counts = 1, row_pitch = 2, map_pitch = 3, multicast = 4, ring = 5;
inline constexpr int in_size = 32, out_size = 33, zeros = 34, channels_units = 35;
inline constexpr int kernel = 38, dilation_maps = 39, filter_pitch = 40, first_last = 41, bias = 42, in_address = 43,
                     format = 44, clamp_low = 45, clamp_high = 46, residual_shift = 47, slope = 48, offset = 49;
}  // namespace registers

// How fields share registers.
constexpr std::uint32_t packed_halves(int low, int high) {
  return (static_cast<std::uint32_t>(low) & 0xffffU) | static_cast<std::uint32_t>(high) << 16;
}
constexpr std::uint32_t packed_bytes(int first, int second, int third, int fourth) {
  return (static_cast<std::uint32_t>(first) & 0xffU) | (static_cast<std::uint32_t>(second) & 0xffU) << 8 |
         (static_cast<std::uint32_t>(third) & 0xffU) << 16 | static_cast<std::uint32_t>(fourth) << 24;
}

/// A box in DRAM: `maps` x `rows` rows of `row_bytes` bytes. In the local memory it lies dense.
struct TransferShape {
  std::int64_t row_bytes = 0, rows = 1, maps = 1, row_pitch = 0, map_pitch = 0;
  std::uint32_t multicast = 0;  ///< bit t: TLT t of the own TLE, and of those of `ring`
  std::uint32_t ring = 0;       ///< bit e: TLE e
  std::int64_t size() const { return row_bytes * rows * maps; }
  bool operator==(const TransferShape&) const = default;
};
/// `box`: of load3d and store3d; else a row alone.
TransferShape transfer_shape(const Configuration& configuration, int shape, bool box);

/// What a MAC unit is told: of a convolution, or of what else it makes of tiles.
struct ConvolutionSettings {
  Computation computation = Computation::convolution;  ///< by the instruction
  int in_rows = 0, in_columns = 0;                     ///< C32: of the IN tile as it lies in MB0
  int out_rows = 0, out_columns = 0;                   ///< C33
  int zeros_left = 0, zeros_top = 0;  ///< C34: padding before the tile; behind it, what is missing is zero
  int channels = 0, units = 0;        ///< C35; a depthwise unit has a map of IN to itself
  int kernel_width = 1, kernel_height = 1, stride_x = 1, stride_y = 1;  ///< C38
  int dilation_x = 1, dilation_y = 1, maps_per_unit = 1;                ///< C39
  std::int64_t filter_pitch = 0;               ///< C40: elements from one filter's first to the next filter's
  bool first = true, last = true;              ///< C41: of the channels: starts from biases; ends with elements
  bool residual = false;                       ///< C41: the first start from elements that OUT holds, too
  std::uint32_t bias = 0;                      ///< C42: byte in the data RAM of the first filter's bias, 32 bit each
  std::uint32_t in_address = 0;                ///< C43: local address in MB0
  int element_bytes = 2;                       ///< C44 [0]: 1 or 2
  bool depthwise = false;                      ///< C44 [1]
  int shift = 0, guard = 0;                    ///< C44 [15:8], [23:16]: g <= shift <= 47
  int partial_sum_bytes = 2;                   ///< C44 [31:24]: 1, 2 or 4
  std::int32_t clamp_low = 0, clamp_high = 0;  ///< C45, C46: of last results; both 0: none

  int residual_shift = 0;   ///< C47: of what OUT holds, if `residual`
  std::int32_t slope = 0;   ///< C48: of `slope`, with 15 fraction bits; of `affine` and `gate` a factor
  std::int32_t offset = 0;  ///< C49: of `affine` and `gate`, added to what is left of the product
  std::uint32_t table = 0;  ///< C48: of `table`, byte in the data RAM of its numbers

  int taps() const { return kernel_width * kernel_height; }
  /// Elements of W for one input map of a filter; pairs: of the second operand.
  std::int64_t weights_of_map() const {
    if (is_spread(computation)) return 1;
    return multiplies(computation) ? taps() : is_pair(computation) ? std::int64_t{out_rows} * out_columns : 0;
  }
  std::int64_t filters() const { return std::int64_t{units} * maps_per_unit; }
  /// Maps of the IN tile.
  std::int64_t in_maps() const { return std::int64_t{channels} * (depthwise ? units : 1); }
  std::int64_t in_bytes() const { return in_maps() * in_rows * in_columns * element_bytes; }
  /// Elements of OUT, all maps.
  std::int64_t outputs() const { return filters() * out_rows * out_columns; }
  /// Bytes of W that filter f needs, from f * filter_pitch * element_bytes on.
  std::int64_t filter_bytes() const { return channels * weights_of_map() * element_bytes; }
  std::int64_t weight_bytes() const {  ///< to the end of the last filter
    return has_weights(computation) ? (filters() - 1) * filter_pitch * element_bytes + filter_bytes() : 0;
  }
  /// Of OUT before (0 if nothing of it is read) and after.
  std::int64_t bytes_read() const {
    return !first ? outputs() * partial_sum_bytes : residual ? outputs() * element_bytes : 0;
  }
  std::int64_t bytes_written() const { return outputs() * (last ? element_bytes : partial_sum_bytes); }
  bool operator==(const ConvolutionSettings&) const = default;
};
/// Nothing, with the reason, if they make no such computation: sizes of 0, fields of other widths, bits that have no
/// meaning, what only convolutions have.
std::optional<ConvolutionSettings> convolution_settings(const Configuration& configuration, Computation computation,
                                                        std::string& why);
/// Writes C32 to C48; fields must fit (asserts). For generators and tests.
void set(Configuration& configuration, const ConvolutionSettings& settings);

/// Multiplications, comparisons or additions, one a tap and output.
std::int64_t mac_count(const ConvolutionSettings& settings);

/// Cycles of a MAC unit at full efficiency (equation 7): channels x filters x ceil(outputs of a map x taps / MACs); of
/// dot products, filters x ceil(channels x taps / MACs).
std::int64_t mac_cycles(const ConvolutionSettings& settings, int macs_per_cycle);

}  // namespace convscope::nmp
