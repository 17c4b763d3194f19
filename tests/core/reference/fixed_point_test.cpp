#include "core/reference/fixed_point.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace convscope::reference {
namespace {

FixedTensor seeded(network::Shape shape, std::uint64_t seed, int amplitude) {
  FixedTensor tensor(shape);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = seeded_word(seed, i, amplitude);
  return tensor;
}

std::vector<std::int16_t> seeded(std::size_t size, std::uint64_t seed, int amplitude) {
  std::vector<std::int16_t> words(size);
  for (std::size_t i = 0; i < size; ++i) words[i] = seeded_word(seed, i, amplitude);
  return words;
}

FixedTensor one_pixel(std::int16_t value) {
  FixedTensor tensor(network::Shape{1, {1, 1}});
  tensor.values[0] = value;
  return tensor;
}

std::int16_t one_product(std::int16_t pixel, std::int16_t weight, std::int16_t bias, int shift, bool relu = false) {
  FixedConvolution layer;
  layer.shift = shift;
  layer.relu = relu;
  const std::vector<std::int16_t> weights{weight}, biases{bias};
  return convolve(layer, one_pixel(pixel), weights, biases, nullptr, {1, {1, 1}}).values[0];
}

TEST(FixedPoint, RoundsHalvesUp) {
  EXPECT_EQ(one_product(1, 128, 0, 8), 1);
  EXPECT_EQ(one_product(1, 127, 0, 8), 0);
  EXPECT_EQ(one_product(-1, 128, 0, 8), 0);
  EXPECT_EQ(one_product(-1, 129, 0, 8), -1);
  EXPECT_EQ(one_product(3, 5, 2, 0), 17);
}

TEST(FixedPoint, SaturatesAndClips) {
  EXPECT_EQ(one_product(32767, 32767, 0, 8), 32767);
  EXPECT_EQ(one_product(-32768, 32767, 0, 8), -32768);
  EXPECT_EQ(one_product(-32768, -32768, 0, 15), 32767);
  EXPECT_EQ(one_product(-100, 256, 0, 8, true), 0);
  EXPECT_EQ(one_product(100, 256, 7, 8, true), 107);
}

TEST(FixedPoint, SumsWrapAroundAt48Bits) {
  // 2^17 products of 2^30 are 2^47: one too many for 48 bits with a sign.
  const int taps = 1 << 17;
  FixedTensor in(network::Shape{1, {1, taps}});
  std::ranges::fill(in.values, std::int16_t{-32768});
  const std::vector<std::int16_t> weights(static_cast<std::size_t>(taps), -32768), bias{0};
  FixedConvolution layer;
  layer.window.kernel = {1, taps};
  layer.shift = 15;
  EXPECT_EQ(convolve(layer, in, weights, bias, nullptr, {1, {1, 1}}).values[0], -32768);
}

struct Case {
  network::Size kernel, stride, dilation;
  int padding_top, padding_left, groups;
  bool bypass, relu;
};

class FixedConvolutions : public testing::TestWithParam<Case> {};

// Pixel by pixel from the definition.
TEST_P(FixedConvolutions, AgreeWithTheDefinition) {
  const Case& c = GetParam();
  const network::Shape in_shape{6, {9, 8}}, out_shape{4, {5, 4}};
  const FixedTensor in = seeded(in_shape, 1, 2000);
  const FixedTensor bypass = seeded(out_shape, 2, 2000);
  const int channels = in_shape.maps / c.groups, outputs = out_shape.maps / c.groups;
  const auto taps = static_cast<std::size_t>(channels * c.kernel.height * c.kernel.width);
  const auto weights = seeded(taps * 4, 3, 200), bias = seeded(4, 4, 500);
  const FixedConvolution layer{{c.kernel, c.stride, c.dilation, c.padding_top, c.padding_left}, c.groups, 7, c.relu};
  const FixedTensor out = convolve(layer, in, weights, bias, c.bypass ? &bypass : nullptr, out_shape);
  for (int m = 0; m < 4; ++m)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 4; ++x) {
        std::int64_t sum = 0;
        for (int i = 0; i < channels; ++i)
          for (int ky = 0; ky < c.kernel.height; ++ky)
            for (int kx = 0; kx < c.kernel.width; ++kx) {
              const int in_y = y * c.stride.height + ky * c.dilation.height - c.padding_top;
              const int in_x = x * c.stride.width + kx * c.dilation.width - c.padding_left;
              const int weight = ((m * channels + i) * c.kernel.height + ky) * c.kernel.width + kx;
              sum += in.padded(m / outputs * channels + i, in_y, in_x) * weights[static_cast<std::size_t>(weight)];
            }
        sum += (bias[static_cast<std::size_t>(m)] + (c.bypass ? bypass.at(m, y, x) : 0)) * 128;
        const std::int64_t expected = std::clamp<std::int64_t>((sum + 64) >> 7, c.relu ? 0 : -32768, 32767);
        EXPECT_EQ(out.at(m, y, x), expected);
      }
}

INSTANTIATE_TEST_SUITE_P(All, FixedConvolutions,
                         testing::Values(Case{{1, 1}, {1, 1}, {1, 1}, 0, 0, 1, false, false},
                                         Case{{3, 3}, {2, 2}, {1, 1}, 1, 1, 1, true, true},
                                         Case{{3, 2}, {1, 2}, {2, 3}, 2, 0, 1, false, true},
                                         Case{{2, 3}, {2, 1}, {1, 2}, 0, 3, 2, true, false},
                                         Case{{5, 1}, {1, 1}, {3, 1}, 6, 0, 2, false, false}));

TEST(FixedPoint, PoolsLeaveOutWhatIsOutside) {
  FixedTensor in(network::Shape{1, {2, 2}});
  in.values = {-10, -20, -30, -41};
  FixedWindow window;
  window.kernel = {2, 2};
  window.stride = {1, 1};
  window.padding_top = window.padding_left = 1;
  const auto largest = max_pool(window, in, {1, {3, 3}});
  EXPECT_EQ(largest.values, (std::vector<std::int16_t>{-10, -10, -20, -10, -10, -20, -30, -30, -41}));
  const auto clipped = max_pool(window, in, {1, {3, 3}}, true);
  EXPECT_EQ(clipped.values, std::vector<std::int16_t>(9, 0));
  FixedAverage average{window, false, 14, 14, false};
  const auto inside = average_pool(average, in, {1, {3, 3}});
  EXPECT_EQ(inside.values, (std::vector<std::int16_t>{-10, -15, -20, -20, -25, -30, -30, -35, -41}));
  average.count_padding = true;
  const auto all = average_pool(average, in, {1, {3, 3}});
  EXPECT_EQ(all.values, (std::vector<std::int16_t>{-2, -7, -5, -10, -25, -15, -7, -18, -10}));
}

TEST(FixedPoint, ReciprocalsAreRounded) {
  EXPECT_EQ(reciprocal(1, 15), 32767);
  EXPECT_EQ(reciprocal(1, 14), 16384);
  EXPECT_EQ(reciprocal(3, 15), 10923);
  EXPECT_EQ(reciprocal(49, 15), 669);
}

TEST(FixedPoint, SeededWordsAreTheSameEverywhere) {
  EXPECT_EQ(seeded_word(0, 0, 32767), seeded_word(0, 0, 32767));
  // SplitMix64 of seed 0 begins with 0xe220a8397b1dcdaf.
  EXPECT_EQ(seeded_word(0, 0, 100), static_cast<int>(0xe220a839U % 201) - 100);
  int low = 0, high = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    low = std::min<int>(low, seeded_word(9, i, 5));
    high = std::max<int>(high, seeded_word(9, i, 5));
  }
  EXPECT_EQ(low, -5);
  EXPECT_EQ(high, 5);
}

}  // namespace
}  // namespace convscope::reference
