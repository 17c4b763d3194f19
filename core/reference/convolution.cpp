#include "core/reference/convolution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>

namespace convscope::reference {
namespace {

// Adds weight * pixel to a row of sums, for every output column whose pixel exists: the others read zeros.
template <typename Sum, typename Pixel>
void accumulate(std::vector<Sum>& sums, const Pixel* row, int row_width, int first_column, int stride, Sum weight) {
  if (first_column >= row_width) return;
  const int begin = first_column < 0 ? (stride - 1 - first_column) / stride : 0;
  const int end = std::min(static_cast<int>(sums.size()), (row_width - first_column - 1) / stride + 1);
  for (int x = begin; x < end; ++x)
    sums[static_cast<std::size_t>(x)] += weight * static_cast<Sum>(row[first_column + x * stride]);
}

// Eq. 2.1 for one row of one output map, in the order bias, input, kernel row, kernel column.
template <typename Sum, typename Pixel, typename Weight>
std::vector<Sum> sums_of_row(const network::Layer& layer, const Tensor<Pixel>& in,
                             const Coefficients<Weight>& coefficients, const std::vector<int>& inputs, int map, int y) {
  std::vector<Sum> sums(static_cast<std::size_t>(layer.out.size.width),
                        static_cast<Sum>(coefficients.bias[static_cast<std::size_t>(map)]));
  auto weight = coefficients.weights[static_cast<std::size_t>(map)].begin();
  for (const int input : inputs) {
    for (int ky = 0; ky < layer.kernel.height; ++ky) {
      const int in_y = y * layer.stride.height + ky * layer.dilation.height - layer.padding.top;
      for (int kx = 0; kx < layer.kernel.width; ++kx, ++weight)
        if (in_y >= 0 && in_y < in.shape.size.height)
          accumulate(sums, &in.at(input, in_y, 0), in.shape.size.width, kx * layer.dilation.width - layer.padding.left,
                     layer.stride.width, static_cast<Sum>(*weight));
    }
  }
  return sums;
}

std::size_t taps(const network::Layer& layer) {
  return static_cast<std::size_t>(layer.kernel.height) * static_cast<std::size_t>(layer.kernel.width);
}

template <typename Pixel, typename Weight>
void assert_fits(const network::Layer& layer, const Tensor<Pixel>& in, const Coefficients<Weight>& coefficients) {
  [[maybe_unused]] const auto maps = static_cast<std::size_t>(layer.out.maps);
  assert(in.shape.maps >= layer.in.maps);
  assert(layer.dense || layer.inputs.size() == maps);
  assert(coefficients.weights.size() == maps && coefficients.bias.size() == maps);
  for (std::size_t map = 0; map < maps; ++map)
    assert(coefficients.weights[map].size() == layer.inputs_of(static_cast<int>(map)).size() * taps(layer));
  static_cast<void>(in);
  static_cast<void>(coefficients);
}

// `finish` turns an accumulator into a pixel of the output.
template <typename Sum, typename Out, typename Pixel, typename Weight, typename Finish>
Tensor<Out> convolve(const network::Layer& layer, const Tensor<Pixel>& in, const Coefficients<Weight>& coefficients,
                     Finish finish) {
  assert_fits(layer, in, coefficients);
  Tensor<Out> out(layer.out);
  auto pixel = out.values.begin();
  for (int map = 0; map < layer.out.maps; ++map) {
    const std::vector<int> inputs = layer.inputs_of(map);
    for (int y = 0; y < layer.out.size.height; ++y)
      for (const Sum sum : sums_of_row<Sum>(layer, in, coefficients, inputs, map, y)) *pixel++ = finish(sum);
  }
  return out;
}

// The standard fixes this generator's raw output but not its distributions.
class SeededValues {
 public:
  explicit SeededValues(std::uint64_t seed) : generator_(seed) {}
  /// The upper bits, as a signed number.
  std::int16_t signed_bits(int bits) {
    return static_cast<std::int16_t>(static_cast<int>(generator_() >> (64 - bits)) - (1 << (bits - 1)));
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(generator_() >> 56); }

 private:
  std::mt19937_64 generator_;
};

}  // namespace

Activation sigmoid_activation(int shift) {
  assert(shift >= 0 && shift < 32);
  Activation activation;
  activation.shift = shift;
  for (int i = 0; i < 1024; ++i)
    activation.table[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(std::lround(255.0 / (1.0 + std::exp(-(i - 512) / 64.0))));
  return activation;
}

std::uint8_t activated(const Activation& activation, std::int32_t accumulator) {
  const int index = std::clamp(accumulator >> activation.shift, -512, 511) + 512;
  return activation.table[static_cast<std::size_t>(index)];
}

Tensor<std::uint8_t> convolve_fixed(const network::Layer& layer, const Tensor<std::uint8_t>& in,
                                    const Coefficients<std::int16_t>& coefficients, const Activation& activation) {
  // Unsigned sums wrap around as the accumulators do; signed ones would be undefined.
  return convolve<std::uint32_t, std::uint8_t>(layer, in, coefficients, [&](std::uint32_t sum) {
    return activated(activation, static_cast<std::int32_t>(sum));
  });
}

Tensor<std::int32_t> accumulate_fixed(const network::Layer& layer, const Tensor<std::uint8_t>& in,
                                      const Coefficients<std::int16_t>& coefficients) {
  return convolve<std::uint32_t, std::int32_t>(layer, in, coefficients,
                                               [](std::uint32_t sum) { return static_cast<std::int32_t>(sum); });
}

Tensor<float> convolve_float(const network::Layer& layer, const Tensor<float>& in,
                             const Coefficients<float>& coefficients, bool sigmoid) {
  return convolve<float, float>(layer, in, coefficients,
                                [&](float sum) { return sigmoid ? 1.0F / (1.0F + std::exp(-sum)) : sum; });
}

Coefficients<std::int16_t> seeded_coefficients(const network::Layer& layer, std::uint64_t seed) {
  SeededValues values(seed);
  Coefficients<std::int16_t> coefficients;
  for (int map = 0; map < layer.out.maps; ++map) {
    auto& weights = coefficients.weights.emplace_back(layer.inputs_of(map).size() * taps(layer));
    for (std::int16_t& weight : weights) weight = values.signed_bits(9);
    coefficients.bias.push_back(values.signed_bits(16));
  }
  return coefficients;
}

Tensor<std::uint8_t> seeded_image(network::Shape shape, std::uint64_t seed) {
  SeededValues values(seed);
  Tensor<std::uint8_t> image(shape);
  for (std::uint8_t& pixel : image.values) pixel = values.byte();
  return image;
}

}  // namespace convscope::reference
