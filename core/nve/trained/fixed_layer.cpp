#include "core/nve/trained/fixed_layer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

constexpr double largest_pixel = 255, largest_sum = 2147483647, largest_coefficient = 32767;
constexpr int indices = 1024, least_index = -512, most_shift = 31;
constexpr std::int64_t least_largest_weight = 63;  // 7 bits with the sign

/// Coefficients in a unit, and how large sums of them can be.
struct Scaled {
  std::vector<std::vector<std::int64_t>> weights;
  std::vector<std::int64_t> bias;
  std::int64_t largest_weight = 0, largest_bias = 0;
  double most = 0;  ///< 255 * sum|w| + |b|
};

/// Far beyond what coefficients hold, so that sums of many can still be counted.
std::int64_t rounded(double value) {
  constexpr double most = 1e12;
  return std::isnan(value) ? 0 : std::llround(std::clamp(value, -most, most));
}

Scaled scale_by(const RealLayer& layer, double unit) {
  const std::size_t maps = layer.parameters.bias.size(), taps = layer.parameters.weights.size() / maps;
  Scaled scaled;
  for (std::size_t map = 0; map < maps; ++map) {
    std::vector<std::int64_t>& weights = scaled.weights.emplace_back();
    std::int64_t sum = 0, magnitudes = 0;
    for (std::size_t tap = 0; tap < taps; ++tap) {
      const std::int64_t weight = rounded(layer.parameters.weights[map * taps + tap] * layer.in.scale / unit);
      weights.push_back(weight);
      sum += weight;
      magnitudes += std::abs(weight);
      scaled.largest_weight = std::max<std::int64_t>(scaled.largest_weight, std::abs(weight));
    }
    const std::int64_t bias = rounded(layer.parameters.bias[map] / unit) - layer.in.zero * sum;
    scaled.bias.push_back(bias);
    scaled.largest_bias = std::max<std::int64_t>(scaled.largest_bias, std::abs(bias));
    scaled.most =
        std::max(scaled.most, largest_pixel * static_cast<double>(magnitudes) + static_cast<double>(std::abs(bias)));
  }
  return scaled;
}

int shift_of_biases(const Scaled& scaled) {
  int shift = 0;
  while (shift < most_shift && std::ldexp(static_cast<double>(scaled.largest_bias), -shift) >= largest_coefficient)
    ++shift;
  return shift;
}

// Rounding a bias to its shift adds half a step at most.
bool fits(const Scaled& scaled, int most_bias_shift) {
  const int shift = shift_of_biases(scaled);
  return static_cast<double>(scaled.largest_weight) <= largest_coefficient && shift <= most_bias_shift &&
         scaled.most + std::ldexp(1, shift) <= largest_sum;
}

// The largest with which weights could fit, if biases were none.
int first_shift(const RealLayer& layer, double step) {
  double most = 1e-30;
  for (const double weight : layer.parameters.weights) most = std::max(most, std::abs(weight));
  const double shift = std::log2(largest_coefficient * step / (most * layer.in.scale));
  return static_cast<int>(std::clamp(std::ceil(shift), 0.0, static_cast<double>(most_shift)));
}

reference::Activation table_of(const RealLayer& layer, double step, int shift) {
  std::vector<double> middles;
  for (int index = 0; index < indices; ++index) middles.push_back((index + least_index + .5) * step);
  const std::vector<double> results = layer.activation(middles);
  reference::Activation activation;
  activation.shift = shift;
  for (std::size_t index = 0; index < results.size() && index < activation.table.size(); ++index)
    activation.table[index] = layer.out.pixel(results[index]);
  return activation;
}

FixedLayer coefficients_of(const Scaled& scaled) {
  FixedLayer fixed;
  fixed.bias_shift = shift_of_biases(scaled);
  for (const std::vector<std::int64_t>& weights : scaled.weights)
    fixed.coefficients.weights.emplace_back(weights.begin(), weights.end());
  for (const std::int64_t bias : scaled.bias)
    fixed.coefficients.bias.push_back(
        static_cast<std::int16_t>(std::llround(std::ldexp(static_cast<double>(bias), -fixed.bias_shift))));
  return fixed;
}

}  // namespace

std::uint8_t PixelFormat::pixel(double value) const {
  const double rounded = std::nearbyint(value / scale) + zero;
  return static_cast<std::uint8_t>(std::isnan(rounded) ? zero : std::clamp(rounded, 0.0, largest_pixel));
}

PixelFormat pixel_format(const quantization::Range& range) {
  const double length = range.most - range.least;
  if (!(length > 0)) return {};
  const double scale = length / largest_pixel;
  return {scale, static_cast<std::uint8_t>(std::clamp(std::nearbyint(-range.least / scale), 0.0, largest_pixel))};
}

std::optional<FixedLayer> fixed_layer(const RealLayer& layer, int most_bias_shift, std::string& refusal) {
  const double reach = std::max({-layer.sums.least, layer.sums.most, 1e-9});
  const double step = reach / -least_index;  // of the table
  int shift = first_shift(layer, step);
  Scaled scaled = scale_by(layer, std::ldexp(step, -shift));
  while (shift > 0 && !fits(scaled, most_bias_shift)) scaled = scale_by(layer, std::ldexp(step, -(--shift)));
  const bool zeros = std::all_of(layer.parameters.weights.begin(), layer.parameters.weights.end(),
                                 [](double weight) { return weight == 0; });
  if (!fits(scaled, most_bias_shift) || (scaled.largest_weight < least_largest_weight && !zeros)) {
    refusal = fmt::format(
        "sums up to {:.3g} must stay below 2^31 and biases within 16 bits shifted by {}: that leaves weights up to {}, "
        "biases up to {} and 255 * sum|w| + |b| up to {:.0f}",
        reach, most_bias_shift, scaled.largest_weight, scaled.largest_bias, scaled.most);
    return std::nullopt;
  }
  FixedLayer fixed = coefficients_of(scaled);
  fixed.activation = table_of(layer, step, shift);
  return fixed;
}

}  // namespace convscope::nve
