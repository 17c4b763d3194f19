#pragma once
// The numbers of a layer: real weights and ranges become 16-bit coefficients, two shifts and a table, so that no sum
// can overflow. Design 03b, 'Fixed point'.
//
// A pixel q stands for (q - zero) * scale. A sum of 32 bits stands for itself times a unit, in which weights are
// counted, too: weight w becomes round(w * in.scale / unit), a bias b becomes b / unit less the input's zero point
// times the sum of the weights, so that the border is the input's zero point. The table gives out what the activation
// makes of the middle of each index's sums.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/quantization/format.h"
#include "core/quantization/real_parameters.h"
#include "core/reference/convolution.h"

namespace convscope::nve {

/// Which real numbers pixels stand for.
struct PixelFormat {
  double scale = 1;
  std::uint8_t zero = 0;

  std::uint8_t pixel(double value) const;  ///< the nearest; saturates
  double value(std::uint8_t pixel) const { return (pixel - zero) * scale; }
};

/// The whole range in 255 steps, 0 exactly.
PixelFormat pixel_format(const quantization::Range& range);

struct RealLayer {
  quantization::RealParameters parameters;
  PixelFormat in, out;
  quantization::Range sums;  ///< before the activation, as far as its results differ
  std::function<std::vector<double>(const std::vector<double>&)> activation;
};

struct FixedLayer {
  reference::Coefficients<std::int16_t> coefficients;  ///< biases before their shift
  reference::Activation activation;
  int bias_shift = 0;
};

/// The finest unit, a power of two of the table's step, with which 255 * sum|w| + |b| stays below 2^31 for every map,
/// weights fit 16 bits and biases, shifted by at most `most_bias_shift`, too. Nothing, with the numbers in `refusal`,
/// if that leaves the weights less than 7 bits.
std::optional<FixedLayer> fixed_layer(const RealLayer& layer, int most_bias_shift, std::string& refusal);

}  // namespace convscope::nve
