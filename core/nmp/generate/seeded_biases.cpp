#include "core/nmp/generate/seeded_biases.h"

#include <algorithm>

#include "core/reference/fixed_point.h"

namespace convscope::nmp {

std::vector<std::int32_t> seeded_biases(const Convolution& c, const NumberFormat& format, int element_bytes) {
  constexpr std::uint64_t upper_seed = 0x62696173, lower_seed = 0x66726163;  // streams of their own
  constexpr int amplitude_bits = 15;
  const int bits = std::clamp(format.shift + 8 * element_bytes - 2, 0, 30);  // of the largest bias
  const int shift = bits - amplitude_bits;
  const std::int64_t maps = std::int64_t{c.units} * c.maps_per_unit * c.repeats;
  std::vector<std::int32_t> biases(static_cast<std::size_t>(maps));
  for (std::size_t i = 0; i < biases.size(); ++i) {
    const std::int32_t upper = reference::seeded_word(upper_seed, i, (1 << amplitude_bits) - 1);
    const std::int32_t lower = reference::seeded_word(lower_seed, i, (1 << amplitude_bits) - 1);
    biases[i] = shift <= 0 ? upper / (1 << -shift) : upper * (1 << shift) + lower / (1 << (amplitude_bits - shift));
  }
  return biases;
}

}  // namespace convscope::nmp
