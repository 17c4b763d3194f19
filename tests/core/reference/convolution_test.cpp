// The plain execution against results worked out by hand, and float against fixed point.
#include "core/reference/convolution.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace convscope::reference {
namespace {

using network::Layer;
using network::Shape;
using network::Size;

Layer make_layer(Shape in, Shape out, Size kernel, Size stride, std::vector<std::vector<int>> inputs) {
  Layer layer;
  layer.name = "L1";
  layer.in = in;
  layer.out = out;
  layer.kernel = kernel;
  layer.stride = stride;
  layer.inputs = std::move(inputs);
  return layer;
}

template <typename T>
Tensor<T> tensor(Shape shape, std::vector<T> values) {
  Tensor<T> result(shape);
  EXPECT_EQ(values.size(), result.values.size());
  result.values = std::move(values);
  return result;
}

// Table entry = index / 4, so that results tell the index.
Activation quarter_activation(int shift) {
  Activation activation;
  activation.shift = shift;
  for (std::size_t i = 0; i < 1024; ++i) activation.table[i] = static_cast<std::uint8_t>(i / 4);
  return activation;
}

TEST(Convolution, TwoByTwoByHand) {
  const Layer layer = make_layer({1, {3, 3}}, {1, {2, 2}}, {2, 2}, {1, 1}, {{0}});
  const auto in = tensor<float>({1, {3, 3}}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Coefficients<float> coefficients{{{1, 10, 100, 1000}}, {0.5F}};
  // Row-major kernel: 1*1 + 10*2 + 100*4 + 1000*5 + 0.5, and so on.
  EXPECT_EQ(convolve_float(layer, in, coefficients, false).values,
            (std::vector<float>{5421.5F, 6532.5F, 8754.5F, 9865.5F}));
}

TEST(Convolution, KernelRowsAndColumnsAreNotMixedUp) {
  const Layer layer = make_layer({1, {2, 4}}, {1, {1, 2}}, {2, 3}, {1, 1}, {{0}});
  const auto in = tensor<float>({1, {2, 4}}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Coefficients<float> coefficients{{{1, 0, 0, 0, 0, 100}}, {0}};
  EXPECT_EQ(convolve_float(layer, in, coefficients, false).values, (std::vector<float>{701, 802}));
}

TEST(Convolution, ConnectionTableAndItsOrder) {
  const Layer layer = make_layer({3, {1, 1}}, {2, {1, 1}}, {1, 1}, {1, 1}, {{2, 0}, {1}});
  const auto in = tensor<float>({3, {1, 1}}, {3, 5, 7});
  const Coefficients<float> coefficients{{{10, 1}, {2}}, {0, 1}};
  EXPECT_EQ(convolve_float(layer, in, coefficients, false).values, (std::vector<float>{73, 11}));
}

TEST(Convolution, Strides) {
  std::vector<float> ramp(49);
  std::iota(ramp.begin(), ramp.end(), 0.0F);
  const auto in = tensor<float>({1, {7, 7}}, ramp);
  const Coefficients<float> identity{{{1}}, {0}};
  const auto at_stride = [&](int sy, int sx) {
    const Layer layer = make_layer({1, {7, 7}}, {1, {2, 3}}, {1, 1}, {sy, sx}, {{0}});
    return convolve_float(layer, in, identity, false).values;
  };
  EXPECT_EQ(at_stride(1, 1), (std::vector<float>{0, 1, 2, 7, 8, 9}));
  EXPECT_EQ(at_stride(2, 3), (std::vector<float>{0, 3, 6, 14, 17, 20}));
  EXPECT_EQ(at_stride(3, 2), (std::vector<float>{0, 2, 4, 21, 23, 25}));
}

TEST(Convolution, MissingPixelsAreZeros) {
  // Outputs that reach one row and one column beyond the input, as speed-sign L2's do.
  const Layer layer = make_layer({1, {3, 3}}, {1, {2, 2}}, {2, 2}, {2, 2}, {{0}});
  const auto in = tensor<float>({1, {3, 3}}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Coefficients<float> ones{{{1, 1, 1, 1}}, {0}};
  EXPECT_EQ(convolve_float(layer, in, ones, false).values, (std::vector<float>{12, 9, 15, 9}));
}

TEST(Convolution, ColumnsWhollyOutsideAreZeros) {
  const Layer layer = make_layer({1, {1, 1}}, {1, {2, 3}}, {1, 2}, {2, 2}, {{0}});
  const auto in = tensor<float>({1, {1, 1}}, {7});
  const Coefficients<float> coefficients{{{1, 1}}, {2}};
  EXPECT_EQ(convolve_float(layer, in, coefficients, false).values, (std::vector<float>{9, 2, 2, 2, 2, 2}));
}

TEST(Convolution, Sigmoid) {
  const Layer layer = make_layer({1, {1, 3}}, {1, {1, 3}}, {1, 1}, {1, 1}, {{0}});
  const auto out = convolve_float(layer, tensor<float>({1, {1, 3}}, {0, 1, -1}), {{{1}}, {0}}, true);
  EXPECT_FLOAT_EQ(out.values[0], 0.5F);
  EXPECT_FLOAT_EQ(out.values[1], 0.731058578F);
  EXPECT_FLOAT_EQ(out.values[1] + out.values[2], 1.0F);
}

TEST(Convolution, FixedPointByHand) {
  const Layer layer = make_layer({1, {1, 2}}, {1, {1, 1}}, {1, 2}, {1, 1}, {{0}});
  const auto in = tensor<std::uint8_t>({1, {1, 2}}, {200, 100});
  // 200 * 300 - 100 * 500 + 240 = 10240; >> 8 = 40; + 512 = 552; / 4 = 138.
  const auto out = convolve_fixed(layer, in, {{{300, -500}}, {240}}, quarter_activation(8));
  EXPECT_EQ(out.values, std::vector<std::uint8_t>{138});
}

TEST(Convolution, ShiftRoundsDownAndIndexIsClamped) {
  const Layer layer = make_layer({1, {1, 1}}, {1, {1, 1}}, {1, 1}, {1, 1}, {{0}});
  const auto out = [&](std::uint8_t pixel, std::int16_t weight, std::int16_t bias, int shift) {
    return convolve_fixed(layer, tensor<std::uint8_t>({1, {1, 1}}, {pixel}), {{{weight}}, {bias}},
                          quarter_activation(shift))
        .values[0];
  };
  EXPECT_EQ(out(0, 0, 0, 8), 512 / 4);
  EXPECT_EQ(out(0, 0, -1, 8), 511 / 4) << "-1 >> 8 is -1";
  EXPECT_EQ(out(255, 32767, 0, 8), 1023 / 4);
  EXPECT_EQ(out(255, -32768, 0, 8), 0);
  EXPECT_EQ(out(0, 0, 511, 0), 1023 / 4);
  EXPECT_EQ(out(0, 0, 512, 0), 1023 / 4);
  EXPECT_EQ(out(0, 0, -512, 0), 0);
}

TEST(Convolution, AccumulatorsWrapAroundAt32Bits) {
  // 258 * 255 * 32767 = 2,155,740,930 = 2^31 + 8,257,282: negative after wrapping.
  const Layer layer = make_layer({1, {1, 258}}, {1, {1, 1}}, {1, 258}, {1, 1}, {{0}});
  const auto in = tensor<std::uint8_t>({1, {1, 258}}, std::vector<std::uint8_t>(258, 255));
  const Coefficients<std::int16_t> coefficients{{std::vector<std::int16_t>(258, 32767)}, {0}};
  const std::int64_t wrapped = std::int64_t{258} * 255 * 32767 - (std::int64_t{1} << 32);
  const auto expected = static_cast<std::uint8_t>(((wrapped >> 22) + 512) / 4);
  EXPECT_EQ(convolve_fixed(layer, in, coefficients, quarter_activation(22)).values[0], expected);
  EXPECT_LT(expected, 128);
}

TEST(Convolution, SigmoidTable) {
  const Activation activation = sigmoid_activation();
  EXPECT_EQ(activation.shift, 8);
  EXPECT_EQ(sigmoid_activation(3).shift, 3);
  EXPECT_EQ(activation.table[512], 128) << "255 / 2, rounded";
  EXPECT_EQ(activation.table[512 + 64], 186) << "255 / (1 + 1/e)";
  EXPECT_EQ(activation.table[512 - 64], 69);
  EXPECT_EQ(activation.table[0], 0);
  EXPECT_EQ(activation.table[1023], 255);
  EXPECT_TRUE(std::is_sorted(activation.table.begin(), activation.table.end()));
}

// Eq. 2.1 as it is written, pixel by pixel, independent of the executor's order of loops.
std::int64_t plain_sum(const Layer& layer, const Tensor<std::uint8_t>& in, const Coefficients<std::int16_t>& c, int m,
                       int y, int x) {
  const auto map = static_cast<std::size_t>(m);
  std::int64_t sum = c.bias[map];
  for (std::size_t i = 0; i < layer.inputs[map].size(); ++i)
    for (int ky = 0; ky < layer.kernel.height; ++ky)
      for (int kx = 0; kx < layer.kernel.width; ++kx)
        sum +=
            std::int64_t{
                c.weights[map][(i * static_cast<std::size_t>(layer.kernel.height) + static_cast<std::size_t>(ky)) *
                                   static_cast<std::size_t>(layer.kernel.width) +
                               static_cast<std::size_t>(kx)]} *
            in.padded(layer.inputs[map][i], y * layer.stride.height + ky, x * layer.stride.width + kx);
  return sum;
}

Layer random_layer(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const Size kernel{pick(1, 7), pick(1, 7)};
  const Size stride{pick(1, 3), pick(1, 3)};
  const Size out{pick(1, 9), pick(1, 9)};
  const int in_maps = pick(1, 6);
  const int missing = pick(0, 1);
  const Size in{std::max(1, (out.height - 1) * stride.height + kernel.height - missing * (stride.height - 1)),
                std::max(1, (out.width - 1) * stride.width + kernel.width - missing * (stride.width - 1))};
  std::vector<std::vector<int>> inputs(static_cast<std::size_t>(pick(1, 4)));
  for (auto& list : inputs) {
    std::vector<int> all(static_cast<std::size_t>(in_maps));
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), random);
    list.assign(all.begin(), all.begin() + pick(1, in_maps));
  }
  return make_layer({in_maps, in}, {static_cast<int>(inputs.size()), out}, kernel, stride, inputs);
}

TEST(Convolution, RandomLayersEqualTheFormulaInFixedPointAndFloat) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const Layer layer = random_layer(random);
    const auto in = seeded_image(layer.in, static_cast<std::uint64_t>(round));
    const auto coefficients = seeded_coefficients(layer, static_cast<std::uint64_t>(round) + 1000);
    Coefficients<float> as_float;
    for (const auto& w : coefficients.weights) as_float.weights.emplace_back(w.begin(), w.end());
    as_float.bias.assign(coefficients.bias.begin(), coefficients.bias.end());
    Tensor<float> in_float(in.shape);
    std::copy(in.values.begin(), in.values.end(), in_float.values.begin());
    const Activation activation = quarter_activation(10);
    const auto fixed = convolve_fixed(layer, in, coefficients, activation);
    const auto sums = convolve_float(layer, in_float, as_float, false);
    for (int m = 0; m < layer.out.maps; ++m)
      for (int y = 0; y < layer.out.size.height; ++y)
        for (int x = 0; x < layer.out.size.width; ++x) {
          const std::int64_t sum = plain_sum(layer, in, coefficients, m, y, x);
          const auto index = static_cast<std::size_t>(std::clamp<std::int64_t>(sum >> 10, -512, 511) + 512);
          ASSERT_EQ(fixed.at(m, y, x), activation.table[index]) << "round " << round;
          // Every partial sum is an integer below 2^24, so float is exact.
          ASSERT_EQ(sums.at(m, y, x), static_cast<float>(sum)) << "round " << round;
        }
  }
}

TEST(SeededValues, AreTheSameOnEveryMachine) {
  // mt19937_64 is fixed by the standard: its 10000th value from the default seed is 9981545732273789042.
  const auto image = seeded_image({1, {100, 100}}, 5489);
  EXPECT_EQ(image.values.back(), 9981545732273789042ULL >> 56);
  EXPECT_EQ(seeded_image({1, {100, 100}}, 5489).values, image.values);
  EXPECT_NE(seeded_image({1, {100, 100}}, 5490).values, image.values);
}

TEST(SeededValues, CoefficientsKeepTheirRangesAndReachThem) {
  const Layer layer = make_layer({8, {9, 9}}, {200, {1, 1}}, {9, 9}, {1, 1},
                                 std::vector<std::vector<int>>(200, {0, 1, 2, 3, 4, 5, 6, 7}));
  const auto coefficients = seeded_coefficients(layer, 7);
  ASSERT_EQ(coefficients.weights.size(), 200U);
  ASSERT_EQ(coefficients.bias.size(), 200U);
  std::vector<std::int16_t> all;
  for (const auto& weights : coefficients.weights) {
    EXPECT_EQ(weights.size(), 8U * 81U);
    all.insert(all.end(), weights.begin(), weights.end());
  }
  EXPECT_EQ(*std::min_element(all.begin(), all.end()), -256);
  EXPECT_EQ(*std::max_element(all.begin(), all.end()), 255);
  EXPECT_LT(*std::min_element(coefficients.bias.begin(), coefficients.bias.end()), -25000);
  EXPECT_GT(*std::max_element(coefficients.bias.begin(), coefficients.bias.end()), 25000);
}

}  // namespace
}  // namespace convscope::reference
