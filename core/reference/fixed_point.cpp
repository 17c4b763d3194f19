#include "core/reference/fixed_point.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace convscope::reference {
namespace {

using Word = std::numeric_limits<std::int16_t>;

/// The low 48 bits, as a signed number.
std::int64_t wrap48(std::int64_t sum) {
  constexpr std::int64_t modulus = std::int64_t{1} << 48;
  const std::int64_t low = ((sum % modulus) + modulus) % modulus;
  return low >= modulus / 2 ? low - modulus : low;
}

std::int16_t saturated(std::int64_t value, bool relu) {
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(value, relu ? 0 : Word::min(), Word::max()));
}

std::int16_t word_of(std::int64_t sum, std::int64_t added, int shift, bool relu) {
  const std::int64_t half = shift > 0 ? std::int64_t{1} << (shift - 1) : 0;
  const std::int64_t scale = std::int64_t{1} << shift;
  return saturated(wrap48(sum + added * scale + half) >> shift, relu);
}

/// Adds weight times a row of the input to a row of sums, where the input has the pixel.
void accumulate(std::vector<std::int64_t>& sums, const std::int16_t* row, int width, int first, int stride,
                std::int32_t weight) {
  if (first >= width) return;
  const int begin = first < 0 ? (stride - 1 - first) / stride : 0;
  const int end = std::min(static_cast<int>(sums.size()), (width - first - 1) / stride + 1);
  for (int x = begin; x < end; ++x) sums[static_cast<std::size_t>(x)] += weight * std::int32_t{row[first + x * stride]};
}

int input_row(const FixedWindow& window, int y, int ky) {
  return y * window.stride.height + ky * window.dilation.height - window.padding_top;
}
int input_column(const FixedWindow& window, int x, int kx) {
  return x * window.stride.width + kx * window.dilation.width - window.padding_left;
}

/// Calls `pixel(value)` for every pixel of the window that lies inside the input.
template <typename Pixel>
void for_window(const FixedWindow& window, const FixedTensor& in, int map, int y, int x, const Pixel& pixel) {
  for (int ky = 0; ky < window.kernel.height; ++ky)
    for (int kx = 0; kx < window.kernel.width; ++kx) {
      const int in_y = input_row(window, y, ky), in_x = input_column(window, x, kx);
      if (in_y >= 0 && in_y < in.shape.size.height && in_x >= 0 && in_x < in.shape.size.width)
        pixel(in.at(map, in_y, in_x));
    }
}

/// A tensor whose pixels are `value(map, y, x)`.
template <typename Value>
FixedTensor filled(network::Shape shape, const Value& value) {
  FixedTensor out(shape);
  for (int map = 0; map < shape.maps; ++map)
    for (int y = 0; y < shape.size.height; ++y)
      for (int x = 0; x < shape.size.width; ++x) out.at(map, y, x) = value(map, y, x);
  return out;
}

/// The sums of row `y` of output map `map`.
std::vector<std::int64_t> row_sums(const FixedConvolution& layer, const FixedTensor& in,
                                   std::span<const std::int16_t> weights, int map, int y, const network::Shape& out) {
  std::vector<std::int64_t> sums(static_cast<std::size_t>(out.size.width));
  const FixedWindow& window = layer.window;
  const int inputs = in.shape.maps / layer.groups;
  const int first = map / (out.maps / layer.groups) * inputs;
  auto weight = weights.begin() + std::ptrdiff_t{map} * inputs * window.kernel.height * window.kernel.width;
  for (int input = first; input < first + inputs; ++input)
    for (int ky = 0; ky < window.kernel.height; ++ky) {
      const int in_y = input_row(window, y, ky);
      for (int kx = 0; kx < window.kernel.width; ++kx, ++weight)
        if (in_y >= 0 && in_y < in.shape.size.height)
          accumulate(sums, &in.at(input, in_y, 0), in.shape.size.width, input_column(window, 0, kx),
                     window.stride.width, *weight);
    }
  return sums;
}

}  // namespace

FixedTensor convolve(const FixedConvolution& layer, const FixedTensor& in, std::span<const std::int16_t> weights,
                     std::span<const std::int16_t> bias, const FixedTensor* bypass, network::Shape out) {
  assert(layer.groups > 0 && in.shape.maps % layer.groups == 0 && out.maps % layer.groups == 0);
  assert(bias.size() == static_cast<std::size_t>(out.maps));
  FixedTensor result(out);
  for (int map = 0; map < out.maps; ++map)
    for (int y = 0; y < out.size.height; ++y) {
      const auto sums = row_sums(layer, in, weights, map, y, out);
      for (int x = 0; x < out.size.width; ++x) {
        const std::int64_t added =
            std::int64_t{bias[static_cast<std::size_t>(map)]} + (bypass != nullptr ? bypass->at(map, y, x) : 0);
        result.at(map, y, x) = word_of(sums[static_cast<std::size_t>(x)], added, layer.shift, layer.relu);
      }
    }
  return result;
}

FixedTensor max_pool(const FixedWindow& window, const FixedTensor& in, network::Shape out, bool relu) {
  return filled(out, [&](int map, int y, int x) {
    std::int16_t largest = Word::min();
    for_window(window, in, map, y, x, [&](std::int16_t pixel) { largest = std::max(largest, pixel); });
    return saturated(largest, relu);
  });
}

FixedTensor average_pool(const FixedAverage& layer, const FixedTensor& in, network::Shape out) {
  const FixedWindow& window = layer.window;
  return filled(out, [&](int map, int y, int x) {
    std::int64_t sum = 0;
    int inside = 0;
    for_window(window, in, map, y, x, [&](std::int16_t pixel) {
      sum += pixel;
      ++inside;
    });
    const int count = layer.count_padding ? window.kernel.height * window.kernel.width : inside;
    return word_of(count == 0 ? 0 : sum * reciprocal(count, layer.weight_fraction), 0, layer.shift, layer.relu);
  });
}

std::int16_t reciprocal(int count, int fraction) {
  assert(count > 0 && fraction >= 0 && fraction < 16);
  return saturated(((std::int64_t{1} << fraction) + count / 2) / count, false);
}

std::int16_t seeded_word(std::uint64_t seed, std::uint64_t index, int amplitude) {
  assert(amplitude >= 0 && amplitude <= Word::max());
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  const auto values = 2 * static_cast<std::uint64_t>(amplitude) + 1;
  return static_cast<std::int16_t>(static_cast<int>((z >> 32) % values) - amplitude);
}

}  // namespace convscope::reference
