#include "core/nmp/simulate/elements.h"

#include <algorithm>
#include <limits>

namespace convscope::nmp::simulation {
namespace {

constexpr int average_bits = 31, slope_bits = 15, segment_bits = 7;

std::int64_t rounding_shift(std::int64_t value, int bits) {
  return bits == 0 ? value : (value + (std::int64_t{1} << (bits - 1))) >> bits;
}

class ElementUnit {
 public:
  ElementUnit(const ConvolutionSettings& settings, const ConvolutionTiles& tiles) : s_(settings), tiles_(tiles) {}

  void run() {
    std::int64_t index = 0;
    for (int unit = 0; unit < s_.units; ++unit)
      for (int row = 0; row < s_.out_rows; ++row)
        for (int column = 0; column < s_.out_columns; ++column, ++index)
          put(index, is_pool(s_.computation)                  ? pooled(unit, row, column)
                     : s_.computation == Computation::nearest ? repeated(unit, row, column)
                                                              : combined(unit, row, column));
  }

 private:
  std::int64_t element(std::span<const std::uint8_t> bytes, std::int64_t index) const {
    if (s_.element_bytes == 1) return static_cast<std::int8_t>(bytes[static_cast<std::size_t>(index)]);
    const std::uint8_t* const at = bytes.data() + 2 * index;
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(at[0] | at[1] << 8));
  }

  void put(std::int64_t index, std::int64_t value) {
    const std::int64_t limit = std::int64_t{1} << (8 * s_.element_bytes - 1);
    value = std::clamp(value, -limit, limit - 1);
    if (s_.clamp_low != 0 || s_.clamp_high != 0) value = std::clamp<std::int64_t>(value, s_.clamp_low, s_.clamp_high);
    for (int byte = 0; byte < s_.element_bytes; ++byte)
      tiles_.out[static_cast<std::size_t>(index * s_.element_bytes + byte)] =
          static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * byte));
  }

  std::int64_t pooled(int unit, int row, int column) const {
    const int top = row * s_.stride_y - s_.zeros_top, left = column * s_.stride_x - s_.zeros_left;
    std::int64_t sum = 0, greatest = std::numeric_limits<std::int64_t>::min(), inside = 0;
    for (int ky = 0; ky < s_.kernel_height; ++ky) {
      const int y = top + ky * s_.dilation_y;
      if (y < 0 || y >= s_.in_rows) continue;
      for (int kx = 0; kx < s_.kernel_width; ++kx) {
        const int x = left + kx * s_.dilation_x;
        if (x < 0 || x >= s_.in_columns) continue;
        const std::int64_t value = element(tiles_.in, (std::int64_t{unit} * s_.in_rows + y) * s_.in_columns + x);
        sum += value;
        greatest = std::max(greatest, value);
        ++inside;
      }
    }
    if (inside == 0) return 0;
    if (s_.computation == Computation::max_pool) return greatest;
    const std::int64_t count = s_.computation == Computation::average_pool ? s_.taps() : inside;
    return rounding_shift(sum * (((std::int64_t{1} << average_bits) + count / 2) / count), average_bits);
  }

  std::int64_t repeated(int unit, int row, int column) const {
    const std::int64_t y = (row + s_.zeros_top) / s_.stride_y, x = (column + s_.zeros_left) / s_.stride_x;
    return element(tiles_.in, (std::int64_t{unit} * s_.in_rows + y) * s_.in_columns + x);
  }

  std::int64_t scaled(std::int64_t in) const { return rounding_shift(in * s_.slope, s_.shift) + s_.offset; }

  // The upper bits of IN choose a segment, the rest tells where in it.
  std::int64_t looked_up(std::int64_t in) const {
    const int rest = 8 * s_.element_bytes - segment_bits;
    const std::int64_t place = in + (std::int64_t{1} << (8 * s_.element_bytes - 1));
    const auto segment = static_cast<std::size_t>(place >> rest);
    const std::int64_t low = tiles_.biases[segment], high = tiles_.biases[segment + 1];
    return low + rounding_shift((high - low) * (place & ((std::int64_t{1} << rest) - 1)), rest);
  }

  /// Of one operand.
  std::int64_t activated(std::int64_t in) const {
    constexpr std::int64_t one = std::int64_t{1} << gate_bits;
    if (s_.computation == Computation::copy) return in;
    if (s_.computation == Computation::slope) return in >= 0 ? in : rounding_shift(in * s_.slope, slope_bits);
    if (s_.computation == Computation::affine) return scaled(in);
    if (s_.computation == Computation::table) return looked_up(in);
    return rounding_shift(in * std::clamp<std::int64_t>(scaled(in), 0, one), gate_bits);
  }

  std::int64_t combined(int unit, int row, int column) const {
    const std::int64_t place = std::int64_t{row} * s_.out_columns + column;
    const std::int64_t in = element(tiles_.in, std::int64_t{unit} * s_.out_rows * s_.out_columns + place);
    if (!is_pair(s_.computation)) return activated(in);
    const std::int64_t other =
        element(tiles_.weights, unit * s_.filter_pitch + (is_spread(s_.computation) ? 0 : place));
    switch (s_.computation) {
      case Computation::add:
      case Computation::add_spread:
        return in + other;
      case Computation::subtract:
      case Computation::subtract_spread:
        return in - other;
      case Computation::multiply:
      case Computation::multiply_spread:
        return rounding_shift(in * other, s_.shift);
      case Computation::maximum:
      case Computation::maximum_spread:
        return std::max(in, other);
      case Computation::slope_spread:
        return in >= 0 ? in : rounding_shift(in * other, slope_bits);
      default:
        return std::min(in, other);
    }
  }

  const ConvolutionSettings& s_;
  const ConvolutionTiles& tiles_;
};

}  // namespace

void compute_elements(const ConvolutionSettings& settings, const ConvolutionTiles& tiles) {
  ElementUnit(settings, tiles).run();
}

}  // namespace convscope::nmp::simulation
