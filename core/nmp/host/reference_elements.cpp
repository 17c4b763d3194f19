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
        for (int c = 0; c < l_.out.columns; ++c)
          out.push_back(finished(is_pool(l_.computation) ? pool(map, r, c) : element(map, r, c)));
    }
    return out;
  }

 private:
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
    if (l_.computation == Computation::copy) return a;
    if (l_.computation == Computation::slope) return a < 0 ? without(a * l_.slope, 15) : a;
    const std::int64_t index = (std::int64_t{map} * l_.out.rows + row) * l_.out.columns + column;
    const std::int64_t b = read_element(dram_, l_.weights.first_byte + index * l_.element_bytes, l_.element_bytes);
    if (l_.computation == Computation::add) return a + b;
    if (l_.computation == Computation::subtract) return a - b;
    if (l_.computation == Computation::multiply) return without(a * b, l_.shift);
    return l_.computation == Computation::maximum ? std::max(a, b) : std::min(a, b);
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
