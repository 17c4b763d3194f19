#include "core/nmp/generate/number_format.h"

#include <algorithm>
#include <bit>

namespace convscope::nmp {

int guard_bits(int shift, int element_bytes, int partial_sum_bytes) {
  return std::max(0, std::min(shift, 8 * (partial_sum_bytes - element_bytes) - 2));
}

void rectify(NumberFormat& format, int element_bytes) {
  format.clamp_low = 0;
  format.clamp_high = (1 << (8 * element_bytes - 1)) - 1;
}

// A sum of n products of independent full-scale numbers is about sqrt(n) full-scale products.
NumberFormat random_format(const Convolution& c, const Machine& m) {
  const auto products = static_cast<unsigned>(std::int64_t{c.channels} * c.taps());
  const int bits = 8 * m.element_bytes;
  const int shift = bits - 1 + static_cast<int>(std::bit_width(products)) / 2;
  return {shift, guard_bits(shift, m.element_bytes, m.partial_sum_bytes), 0, 0, c.residual ? shift : 0};
}

}  // namespace convscope::nmp
