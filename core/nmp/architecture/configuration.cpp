#include "core/nmp/architecture/configuration.h"

#include <cassert>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

constexpr std::int64_t largest_extent = std::int64_t{1} << 28;  // local addresses end there

std::uint32_t at(const Configuration& configuration, int position) {
  return configuration[static_cast<std::size_t>(position)];
}
std::uint32_t& at(Configuration& configuration, int position) {
  return configuration[static_cast<std::size_t>(position)];
}
int low_half(std::uint32_t value) {
  return static_cast<int>(value & 0xffffU);
}
int high_half(std::uint32_t value) {
  return static_cast<int>(value >> 16);
}
int byte_of(std::uint32_t value, int index) {
  return static_cast<int>(value >> (8 * index) & 0xffU);
}

/// The first field that makes no convolution; empty if all do.
std::string field_wrong(const ConvolutionSettings& s) {
  const auto none = [](const char* what, int number, std::int64_t value) {
    return fmt::format("{} (C{}) is {}", what, number, value);
  };
  if ((s.in_rows == 0 || s.in_columns == 0) && !is_pool(s.computation))
    return none("an extent of IN", registers::in_size, 0);
  if (s.out_rows == 0 || s.out_columns == 0) return none("an extent of OUT", registers::out_size, 0);
  if (s.channels == 0 || s.units == 0) return none("channels or units", registers::channels_units, 0);
  if (s.taps() == 0 || s.stride_x == 0 || s.stride_y == 0) return none("kernel or stride", registers::kernel, 0);
  if (s.dilation_x == 0 || s.dilation_y == 0 || s.maps_per_unit == 0)
    return none("dilation or maps of a unit", registers::dilation_maps, 0);
  // Products of extents stay below 2^57.
  const auto beyond = [](std::int64_t a, std::int64_t b) { return a * b > largest_extent; };
  if (beyond(s.in_rows, s.in_columns) || beyond(s.channels, s.units)) return "IN is larger than any memory";
  if (beyond(s.out_rows, s.out_columns) || beyond(s.units, s.maps_per_unit)) return "OUT is larger than any memory";
  if (s.shift > largest_shift) return none("the shift", registers::format, s.shift);
  if (s.guard > s.shift)
    return fmt::format("guard bits (C{}) are {}, the shift {}", registers::format, s.guard, s.shift);
  const int width = s.partial_sum_bytes;
  if (width != 1 && width != 2 && width != 4) return none("the width of partial sums", registers::format, width);
  if (width < s.element_bytes) return none("partial sums narrower than elements", registers::format, width);
  if (s.residual && !s.first) return "only first channels start from a residual (C41)";
  if (s.residual_shift < 0 || s.residual_shift > largest_shift)
    return none("the residual's shift", registers::residual_shift, s.residual_shift);
  if (s.clamp_low > s.clamp_high)
    return none("the clamp's low end above its high end", registers::clamp_low, s.clamp_low);
  return {};
}

/// Strides say for how many outputs an input is; zeros, how many of the first one's are before the tile.
std::string beyond_nearest(const ConvolutionSettings& s) {
  if (s.taps() != 1 || s.dilation_x != 1 || s.dilation_y != 1) return "nearest has kernel and dilation 1 (C38, C39)";
  if (s.zeros_left >= s.stride_x || s.zeros_top >= s.stride_y)
    return "nearest begins within the outputs of the first input (C34, C38)";
  if ((s.out_rows - 1 + s.zeros_top) / s.stride_y >= s.in_rows ||
      (s.out_columns - 1 + s.zeros_left) / s.stride_x >= s.in_columns)
    return "nearest has outputs beyond IN (C32 to C38)";
  return {};
}

/// What only convolutions may have; empty if this computation has nothing of it.
std::string beyond_computation(const ConvolutionSettings& s) {
  if (s.computation == Computation::convolution) return {};
  if (s.computation == Computation::dot_product)
    return s.out_rows * s.out_columns == 1 && !s.depthwise ? "" : "a percept computes one pixel of dense filters";
  if (!s.depthwise || s.channels != 1 || s.maps_per_unit != 1 || !s.first || !s.last || s.residual)
    return fmt::format("{} takes a map of IN for each of OUT, in one step (C35, C39, C41, C44)",
                       name_of(s.computation));
  if (is_pool(s.computation)) return {};
  if (s.computation == Computation::nearest) return beyond_nearest(s);
  if (s.taps() != 1 || s.stride_x != 1 || s.stride_y != 1 || s.zeros_left != 0 || s.zeros_top != 0 ||
      s.in_rows != s.out_rows || s.in_columns != s.out_columns)
    return fmt::format("{} is element by element: kernel and stride are 1, IN is as large as OUT (C32 to C38)",
                       name_of(s.computation));
  constexpr std::int32_t most = INT16_MAX;
  if (s.slope < -most - 1 || s.slope > most) return fmt::format("the slope (C{}) is {}", registers::slope, s.slope);
  if (s.offset < -most - 1 || s.offset > most)
    return fmt::format("what is added (C{}) is {}", registers::offset, s.offset);
  return {};
}

/// Registers with bits that mean nothing; -1: none.
int register_with_stray_bits(const Configuration& configuration) {
  if ((at(configuration, registers::zeros) & 0xffffU) != 0) return registers::zeros;
  if (at(configuration, registers::first_last) > 7) return registers::first_last;
  if ((at(configuration, registers::format) & 0xfcU) != 0) return registers::format;
  return -1;
}

}  // namespace

TransferShape transfer_shape(const Configuration& configuration, int shape, bool box) {
  const int base = 8 * shape;
  TransferShape read;
  read.row_bytes = at(configuration, base + registers::row_bytes);
  read.multicast = at(configuration, base + registers::multicast);
  read.ring = at(configuration, base + registers::ring);
  if (!box) return read;
  const std::uint32_t counts = at(configuration, base + registers::counts);
  read.rows = low_half(counts);
  read.maps = high_half(counts);
  read.row_pitch = at(configuration, base + registers::row_pitch);
  read.map_pitch = at(configuration, base + registers::map_pitch);
  return read;
}

std::optional<ConvolutionSettings> convolution_settings(const Configuration& configuration, Computation computation,
                                                        std::string& why) {
  const auto get = [&](int position) { return at(configuration, position); };
  if (const int stray = register_with_stray_bits(configuration); stray >= 0) {
    why = fmt::format("C{} is 0x{:08x}, with bits that mean nothing", stray, get(stray));
    return std::nullopt;
  }
  const std::uint32_t kernel = get(registers::kernel), format = get(registers::format);
  ConvolutionSettings s;
  s.computation = computation;
  s.in_rows = low_half(get(registers::in_size));
  s.in_columns = high_half(get(registers::in_size));
  s.out_rows = low_half(get(registers::out_size));
  s.out_columns = high_half(get(registers::out_size));
  s.zeros_left = byte_of(get(registers::zeros), 2);
  s.zeros_top = byte_of(get(registers::zeros), 3);
  s.channels = low_half(get(registers::channels_units));
  s.units = high_half(get(registers::channels_units));
  s.kernel_width = byte_of(kernel, 0);
  s.kernel_height = byte_of(kernel, 1);
  s.stride_x = byte_of(kernel, 2);
  s.stride_y = byte_of(kernel, 3);
  s.dilation_x = byte_of(get(registers::dilation_maps), 0);
  s.dilation_y = byte_of(get(registers::dilation_maps), 1);
  s.maps_per_unit = high_half(get(registers::dilation_maps));
  s.filter_pitch = get(registers::filter_pitch);
  s.first = (get(registers::first_last) & 1U) != 0;
  s.last = (get(registers::first_last) & 2U) != 0;
  s.residual = (get(registers::first_last) & 4U) != 0;
  if (s.residual) s.residual_shift = static_cast<std::int32_t>(get(registers::residual_shift));
  s.bias = get(registers::bias);
  s.in_address = get(registers::in_address);
  s.element_bytes = (format & 1U) != 0 ? 2 : 1;
  s.depthwise = (format & 2U) != 0;
  s.shift = byte_of(format, 1);
  s.guard = byte_of(format, 2);
  s.partial_sum_bytes = byte_of(format, 3);
  s.clamp_low = static_cast<std::int32_t>(get(registers::clamp_low));
  s.clamp_high = static_cast<std::int32_t>(get(registers::clamp_high));
  if (computation == Computation::slope || is_affine(computation))
    s.slope = static_cast<std::int32_t>(get(registers::slope));
  if (is_affine(computation)) s.offset = static_cast<std::int32_t>(get(registers::offset));
  if (computation == Computation::table) s.table = get(registers::slope);
  why = field_wrong(s);
  if (why.empty()) why = beyond_computation(s);
  if (!why.empty()) return std::nullopt;
  return s;
}

void set(Configuration& configuration, const ConvolutionSettings& s) {
  at(configuration, registers::in_size) = packed_halves(s.in_rows, s.in_columns);
  at(configuration, registers::out_size) = packed_halves(s.out_rows, s.out_columns);
  at(configuration, registers::zeros) = packed_bytes(0, 0, s.zeros_left, s.zeros_top);
  at(configuration, registers::channels_units) = packed_halves(s.channels, s.units);
  at(configuration, registers::kernel) = packed_bytes(s.kernel_width, s.kernel_height, s.stride_x, s.stride_y);
  at(configuration, registers::dilation_maps) =
      packed_bytes(s.dilation_x, s.dilation_y, 0, 0) | packed_halves(0, s.maps_per_unit);
  at(configuration, registers::filter_pitch) = static_cast<std::uint32_t>(s.filter_pitch);
  at(configuration, registers::first_last) = (s.first ? 1U : 0U) | (s.last ? 2U : 0U) | (s.residual ? 4U : 0U);
  at(configuration, registers::residual_shift) = static_cast<std::uint32_t>(s.residual_shift);
  at(configuration, registers::bias) = s.bias;
  at(configuration, registers::in_address) = s.in_address;
  at(configuration, registers::format) =
      packed_bytes((s.element_bytes == 2 ? 1 : 0) | (s.depthwise ? 2 : 0), s.shift, s.guard, s.partial_sum_bytes);
  at(configuration, registers::clamp_low) = static_cast<std::uint32_t>(s.clamp_low);
  at(configuration, registers::clamp_high) = static_cast<std::uint32_t>(s.clamp_high);
  at(configuration, registers::slope) =
      s.computation == Computation::table ? s.table : static_cast<std::uint32_t>(s.slope);
  at(configuration, registers::offset) = static_cast<std::uint32_t>(s.offset);
#ifndef NDEBUG
  std::string why;
  assert(convolution_settings(configuration, s.computation, why) == s);
#endif
}

std::int64_t mac_count(const ConvolutionSettings& s) {
  return s.channels * s.taps() * s.outputs();
}

std::int64_t mac_cycles(const ConvolutionSettings& s, int macs_per_cycle) {
  if (s.computation == Computation::dot_product)
    return s.filters() * divide_up(std::int64_t{s.channels} * s.taps(), macs_per_cycle);
  const std::int64_t map = std::int64_t{s.out_rows} * s.out_columns * s.taps();
  return s.channels * s.filters() * divide_up(map, macs_per_cycle);
}

}  // namespace convscope::nmp
