#pragma once
// Layers in 16-bit fixed point (Qm.n), as machines with 48-bit accumulators compute them: the oracle for their
// simulators. Written for clarity.
//
// A sum becomes a word by sat16((sum + ((bias + bypass) << n) + half) >> n), half = 2^(n-1) for n > 0, where n is the
// shift from the sum's fraction bits to the result's; then ReLU. Sums wrap around at 48 bits. Bias and bypass have the
// result's fraction bits.

#include <cstdint>
#include <span>

#include "core/network/network.h"
#include "core/reference/convolution.h"

namespace convscope::reference {

/// Which pixels of the input an output pixel sees; pixels outside are zero (convolution) or left out (pools).
struct FixedWindow {
  network::Size kernel{1, 1}, stride{1, 1}, dilation{1, 1};
  int padding_top = 0, padding_left = 0;
};

struct FixedConvolution {
  FixedWindow window;
  int groups = 1;  ///< divides input and output maps
  int shift = 8;   ///< n, 0 to 15
  bool relu = false;
};

using FixedTensor = Tensor<std::int16_t>;

/// `weights` [output][input of its group][kernel row][kernel column], `bias` [output]; `bypass` is added to the output
/// and has its shape, or is null. A fully connected layer is one whose kernel covers the input.
FixedTensor convolve(const FixedConvolution& layer, const FixedTensor& in, std::span<const std::int16_t> weights,
                     std::span<const std::int16_t> bias, const FixedTensor* bypass, network::Shape out);

/// Largest pixel of each window; -32768 where a window has none.
FixedTensor max_pool(const FixedWindow& window, const FixedTensor& in, network::Shape out, bool relu = false);

struct FixedAverage {
  FixedWindow window;
  bool count_padding = false;  ///< divide by the kernel's size, else by the pixels that are inside
  int weight_fraction = 15;    ///< of the reciprocal, 0 to 15
  int shift = 15;              ///< n
  bool relu = false;
};
/// Sum of each window times `reciprocal(count, weight_fraction)`, rounded as above.
FixedTensor average_pool(const FixedAverage& layer, const FixedTensor& in, network::Shape out);
/// round(2^fraction / count), at most 32767.
std::int16_t reciprocal(int count, int fraction);

/// A word for position `index` of stream `seed`, uniform in [-amplitude, amplitude] (amplitude 0 to 32767): SplitMix64
/// of seed + (index + 1) * 0x9e3779b97f4a7c15, its upper 32 bits modulo 2 * amplitude + 1, less amplitude.
std::int16_t seeded_word(std::uint64_t seed, std::uint64_t index, int amplitude);

}  // namespace convscope::reference
