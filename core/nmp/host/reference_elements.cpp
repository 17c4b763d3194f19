#include "core/nmp/host/reference_elements.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "core/nmp/host/reference_output.h"

namespace convscope::nmp {
namespace {

std::int64_t without(std::int64_t value, int bits) {
  const std::int64_t unit = std::int64_t{1} << bits, doubled = 2 * value + (bits > 0 ? unit : 0);
  // Floor of value / unit + 1 / 2.
  const std::int64_t quotient = doubled / (2 * unit);
  return doubled % (2 * unit) < 0 ? quotient - 1 : quotient;
}

class ElementsReference {
 public:
  ElementsReference(const ProgramLayer& layer, std::span<const std::uint8_t> dram) : l_(layer), dram_(dram) {}

  std::vector<std::int32_t> make(const std::stop_token& stop) const {
    std::vector<std::int32_t> out;
    for (int map = 0; map < l_.out.maps; ++map) {
      throw_if_stopped(stop);
      for (int r = 0; r < l_.out.rows; ++r)
        for (int c = 0; c < l_.out.columns; ++c) out.push_back(finished(value(map, r, c)));
    }
    return out;
  }

 private:
  std::int64_t value(int map, int row, int column) const {
    if (is_pool(l_.computation)) return pool(map, row, column);
    if (l_.computation == Computation::nearest) return in(map, row / l_.vertical.stride, column / l_.horizontal.stride);
    return element(map, row, column);
  }

  std::int64_t in(int map, int row, int column) const {
    return read_element(
        dram_,
        l_.in.first_byte + map * l_.in.map_pitch + row * l_.in.row_pitch + std::int64_t{column} * l_.element_bytes,
        l_.element_bytes);
  }

  std::int32_t finished(std::int64_t value) const {
    const std::int64_t most = l_.element_bytes == 1 ? INT8_MAX : INT16_MAX;
    value = std::min(std::max(value, -most - 1), most);
    if (l_.clamp_low == 0 && l_.clamp_high == 0) return static_cast<std::int32_t>(value);
    return static_cast<std::int32_t>(
        std::min<std::int64_t>(std::max<std::int64_t>(value, l_.clamp_low), l_.clamp_high));
  }

  std::vector<std::int64_t> window(int map, int row, int column) const {
    const ProgramAxis &v = l_.vertical, &h = l_.horizontal;
    std::vector<std::int64_t> values;
    for (int y = row * v.stride - v.padding, ky = 0; ky < v.kernel; ++ky, y += v.dilation)
      for (int x = column * h.stride - h.padding, kx = 0; kx < h.kernel; ++kx, x += h.dilation)
        if (y >= 0 && y < l_.in.rows && x >= 0 && x < l_.in.columns) values.push_back(in(map, y, x));
    return values;
  }

  std::int64_t pool(int map, int row, int column) const {
    const std::vector<std::int64_t> values = window(map, row, column);
    if (values.empty()) return 0;
    if (l_.computation == Computation::max_pool) return *std::ranges::max_element(values);
    std::int64_t sum = 0;
    for (const std::int64_t value : values) sum += value;
    const auto count = l_.computation == Computation::average_pool
                           ? std::int64_t{l_.vertical.kernel} * l_.horizontal.kernel
                           : static_cast<std::int64_t>(values.size());
    constexpr std::int64_t one = std::int64_t{1} << 31;
    return without(sum * ((one + count / 2) / count), 31);
  }

  std::int64_t element(int map, int row, int column) const {
    const std::int64_t a = in(map, row, column);
    switch (l_.computation) {
      case Computation::copy:
        return a;
      case Computation::slope:
        return a < 0 ? without(a * l_.slope, 15) : a;
      case Computation::affine:
        return without(a * l_.slope, l_.shift) + l_.offset;
      case Computation::gate: {
        const std::int64_t open = without(a * l_.slope, l_.shift) + l_.offset, one = std::int64_t{1} << 14;
        return open <= 0 ? 0 : without(a * std::min(open, one), 14);
      }
      case Computation::table:
        return interpolated(a);
      default:
        break;
    }
    const bool spread = is_spread(l_.computation);
    const std::int64_t index = spread ? map : (std::int64_t{map} * l_.out.rows + row) * l_.out.columns + column;
    return of_two(a, read_element(dram_, l_.weights.first_byte + index * l_.element_bytes, l_.element_bytes));
  }

  std::int64_t of_two(std::int64_t a, std::int64_t b) const {
    switch (l_.computation) {
      case Computation::add:
      case Computation::add_spread:
        return a + b;
      case Computation::subtract:
      case Computation::subtract_spread:
        return a - b;
      case Computation::multiply:
      case Computation::multiply_spread:
        return without(a * b, l_.shift);
      case Computation::maximum:
      case Computation::maximum_spread:
        return std::max(a, b);
      case Computation::slope_spread:
        return a < 0 ? without(a * b, 15) : a;
      default:
        return std::min(a, b);
    }
  }

  // The line between the numbers at both ends of a segment; all segments are equally long.
  std::int64_t interpolated(std::int64_t a) const {
    const int rest = 8 * l_.element_bytes - 7;  // 128 segments
    const std::int64_t length = std::int64_t{1} << rest, from_least = a + 64 * length;
    const std::int64_t begin = from_least / length, along = from_least % length;
    const std::int64_t low = l_.table[static_cast<std::size_t>(begin)];
    const std::int64_t high = l_.table[static_cast<std::size_t>(begin + 1)];
    return low + without((high - low) * along, rest);
  }

  const ProgramLayer& l_;
  std::span<const std::uint8_t> dram_;
};

}  // namespace

std::vector<std::int32_t> reference_elements(const ProgramLayer& layer, std::span<const std::uint8_t> dram,
                                             const std::stop_token& stop) {
  return ElementsReference(layer, dram).make(stop);
}

}  // namespace convscope::nmp
