#pragma once
// Plain execution of convolution layers with connection tables: the oracle for every simulator. Written for clarity.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/network/network.h"

namespace convscope::reference {

/// Feature maps, map-major, rows before columns: at(m, y, x) = values[(m * height + y) * width + x].
template <typename T>
struct Tensor {
  network::Shape shape;
  std::vector<T> values;
  Tensor() = default;
  explicit Tensor(network::Shape s)
      : shape(s),
        values(static_cast<std::size_t>(s.maps) * static_cast<std::size_t>(s.size.height) *
               static_cast<std::size_t>(s.size.width)) {}
  std::size_t index(int map, int y, int x) const {
    return (static_cast<std::size_t>(map) * static_cast<std::size_t>(shape.size.height) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(shape.size.width) +
           static_cast<std::size_t>(x);
  }
  T& at(int map, int y, int x) { return values[index(map, y, x)]; }
  const T& at(int map, int y, int x) const { return values[index(map, y, x)]; }
  /// Zero outside the tensor: descriptors may need a few more pixels than there are.
  T padded(int map, int y, int x) const {
    return y < shape.size.height && x < shape.size.width && y >= 0 && x >= 0 ? at(map, y, x) : T{};
  }
};

/// Coefficients of a layer. weights[m] is ordered like layer.inputs[m]: ((i * kernel height) + y) * kernel width + x.
template <typename T>
struct Coefficients {
  std::vector<std::vector<T>> weights;
  std::vector<T> bias;
};

/// Index = clamp(accumulator >> shift, -512, 511) + 512 (thesis, section 3.1: 10 of 32 bits, 1024 entries).
struct Activation {
  std::array<std::uint8_t, 1024> table{};
  int shift = 8;
};

/// A sigmoid (eq. 2.2) over the table's range: entry i is round(255 / (1 + exp(-(i - 512) / 64))).
Activation sigmoid_activation(int shift = 8);

/// What the table makes of an accumulator.
std::uint8_t activated(const Activation& activation, std::int32_t accumulator);

/// 8-bit pixels, 16-bit coefficients, 32-bit accumulators that wrap around, activation by table.
Tensor<std::uint8_t> convolve_fixed(const network::Layer& layer, const Tensor<std::uint8_t>& in,
                                    const Coefficients<std::int16_t>& coefficients, const Activation& activation);

/// The same before activation: an activation that saturates hides differences.
Tensor<std::int32_t> accumulate_fixed(const network::Layer& layer, const Tensor<std::uint8_t>& in,
                                      const Coefficients<std::int16_t>& coefficients);

/// Without quantization; sigmoid as in eq. 2.2 if `sigmoid`, else the plain sum of eq. 2.1.
Tensor<float> convolve_float(const network::Layer& layer, const Tensor<float>& in,
                             const Coefficients<float>& coefficients, bool sigmoid);

/// Deterministic coefficients and images for networks that come without: same seed, same values on every machine.
/// Weights are uniform in [-256, 255]: wider than a byte, yet with the sigmoid's default shift a good part of the
/// outputs of kernels up to some hundred taps isn't saturated. Biases use all 16 bits, so that they show in outputs.
Coefficients<std::int16_t> seeded_coefficients(const network::Layer& layer, std::uint64_t seed);
Tensor<std::uint8_t> seeded_image(network::Shape shape, std::uint64_t seed);

}  // namespace convscope::reference
