#include "core/nmp/host/reference_output.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "core/nmp/host/reference_elements.h"

namespace convscope::nmp {
namespace {

std::int64_t rounded(std::int64_t sum, int shift) {
  return shift > 0 ? (sum + (std::int64_t{1} << (shift - 1))) >> shift : sum;
}

std::int64_t saturated(std::int64_t value, int bytes) {
  const std::int64_t limit = std::int64_t{1} << (8 * bytes - 1);
  return std::clamp(value, -limit, limit - 1);
}

/// A sum has 48 bits; those of programs that the generator makes never need more.
std::int64_t shifted_up(std::int64_t value, int shift) {
  constexpr int unused_bits = 64 - 48;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift << unused_bits) >> unused_bits;
}

class LayerReference {
 public:
  LayerReference(const ProgramLayer& layer, std::span<const std::uint8_t> dram)
      : l_(layer), row_(static_cast<std::size_t>(layer.out.columns)) {
    for (int m = 0; m < l_.in.maps; ++m)
      for (int r = 0; r < l_.in.rows; ++r)
        for (int c = 0; c < l_.in.columns; ++c)
          in_.push_back(read_element(dram, l_.in.first_byte + m * l_.in.map_pitch + r * l_.in.row_pitch + c * element(),
                                     l_.element_bytes));
    for (std::int64_t i = 0; i < l_.weight_elements(); ++i)
      weights_.push_back(read_element(dram, l_.weights.first_byte + i * element(), l_.element_bytes));
    for (int m = 0; m < l_.out.maps && l_.residual.region >= 0; ++m)
      for (int r = 0; r < l_.out.rows; ++r)
        for (int c = 0; c < l_.out.columns; ++c)
          residual_.push_back(read_element(
              dram, l_.residual.first_byte + m * l_.residual.map_pitch + r * l_.residual.row_pitch + c * element(),
              l_.element_bytes));
  }

  std::vector<std::int32_t> make(const std::stop_token& stop) {
    for (int map = 0; map < l_.out.maps; ++map)
      for (int r = 0; r < l_.out.rows; ++r) {
        throw_if_stopped(stop);
        add_row(map, r);
      }
    return std::move(out_);
  }

 private:
  std::int64_t element() const { return l_.element_bytes; }
  std::int64_t taps() const { return std::int64_t{l_.vertical.kernel} * l_.horizontal.kernel; }

  void add_row(int map, int r) {
    std::ranges::fill(row_, l_.biases.empty() ? 0 : l_.biases[static_cast<std::size_t>(map)]);
    if (!residual_.empty()) add_residual(map, r);
    int channel = 0, kept = l_.shift - l_.guard;
    for (const int channels : l_.channel_parts) {
      if (channel > 0)
        for (std::int64_t& sum : row_) sum = shifted_up(saturated(rounded(sum, kept), l_.partial_sum_bytes), kept);
      for (const int end = channel + channels; channel < end; ++channel) add_channel(map, channel, r);
    }
    const bool clamps = l_.clamp_low != 0 || l_.clamp_high != 0;
    for (const std::int64_t sum : row_) {
      const std::int64_t result = saturated(rounded(sum, l_.shift), l_.element_bytes);
      out_.push_back(
          static_cast<std::int32_t>(clamps ? std::clamp<std::int64_t>(result, l_.clamp_low, l_.clamp_high) : result));
    }
  }

  void add_residual(int map, int r) {
    const auto* from = &residual_[(static_cast<std::size_t>(map) * static_cast<std::size_t>(l_.out.rows) +
                                   static_cast<std::size_t>(r)) *
                                  static_cast<std::size_t>(l_.out.columns)];
    for (std::int64_t& sum : row_) sum += std::int64_t{*from++} * (std::int64_t{1} << l_.residual_shift);
  }

  void add_channel(int map, int channel, int r) {
    const int unit = map / l_.maps_per_unit;
    const int in_map = l_.depthwise ? unit : unit / l_.units * l_.channels + channel;
    const ProgramAxis &v = l_.vertical, &h = l_.horizontal;
    const std::int64_t kernel = (std::int64_t{map} * l_.channels + channel) * taps();
    for (int ky = 0; ky < v.kernel; ++ky) {
      const int y = r * v.stride + ky * v.dilation - v.padding;
      if (y < 0 || y >= l_.in.rows) continue;
      const std::int64_t line = (std::int64_t{in_map} * l_.in.rows + y) * l_.in.columns;
      for (int kx = 0; kx < h.kernel; ++kx)
        add_tap(weights_[static_cast<std::size_t>(kernel + ky * h.kernel + kx)], kx * h.dilation - h.padding, line);
    }
  }

  // `from`: input column of the first output.
  void add_tap(std::int64_t weight, int from, std::int64_t line) {
    const int stride = l_.horizontal.stride;
    for (int c = 0, x = from; c < l_.out.columns && x < l_.in.columns; ++c, x += stride)
      if (x >= 0) row_[static_cast<std::size_t>(c)] += weight * in_[static_cast<std::size_t>(line + x)];
  }

  const ProgramLayer& l_;
  std::vector<std::int32_t> in_, weights_, residual_, out_;
  std::vector<std::int64_t> row_;
};

}  // namespace

std::int32_t read_element(std::span<const std::uint8_t> dram, std::int64_t byte, int bytes) {
  const auto first = static_cast<std::size_t>(byte);
  if (bytes == 1) return static_cast<std::int8_t>(dram[first]);
  if (bytes == 2) return static_cast<std::int16_t>(dram[first] | dram[first + 1] << 8);
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{dram[first + i]} << (8 * i);
  return static_cast<std::int32_t>(value);
}

void write_element(std::span<std::uint8_t> dram, std::int64_t byte, int bytes, std::int32_t value) {
  for (int i = 0; i < bytes; ++i)
    dram[static_cast<std::size_t>(byte + i)] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (8 * i));
}

std::vector<std::int32_t> reference_output(const ProgramLayer& layer, std::span<const std::uint8_t> dram,
                                           const std::stop_token& stop) {
  if (!multiplies(layer.computation)) return reference_elements(layer, dram, stop);
  return LayerReference(layer, dram).make(stop);
}

}  // namespace convscope::nmp
