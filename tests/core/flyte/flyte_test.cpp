#include "core/flyte/flyte.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace convscope::flyte {
namespace {

constexpr Rounding both[] = {Rounding::nearest_even, Rounding::truncated};

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
float value_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

TEST(Flyte, TextIsReadBack) {
  for (const char* name : {"float32", "flyte-24", "flyte-16", "flyte-8", "flyte-16 truncated", "float64",
                           "flyte-56 of float64", "flyte-8 truncated of float64"}) {
    const auto storage = parse_storage(name);
    ASSERT_TRUE(storage) << name;
    EXPECT_EQ(text(*storage), name);
  }
  for (const char* name : {"", "flyte", "flyte-0", "flyte-12", "flyte-32", "flyte-64 of float64", "flyte-16 rounded"})
    EXPECT_FALSE(parse_storage(name)) << name;
}

/// Every value that can be stored stands for itself: stored, read and stored again, it has the same bytes.
TEST(Flyte, EveryStoredValueComesBack) {
  for (const Rounding rounding : both)
    for (int bytes = 1; bytes <= 3; ++bytes) {
      const Storage storage{bytes, rounding};
      const std::uint32_t unit = 1U << (8 * (4 - bytes));
      const std::uint32_t step = bytes == 3 ? 61 : 1;  // coprime to all: 275,000 of the 2^24
      for (std::uint32_t stored = 0; stored < 1U << (8 * bytes); stored += step) {
        const float value = value_of(stored * unit), again = rounded(value, storage);
        const bool loud = std::isnan(value) && bytes > 1;
        ASSERT_EQ(bits_of(again), bits_of(value) | (loud ? 0x00400000U : 0U)) << text(storage) << " " << stored;
      }
    }
}

/// The thesis's own example, section 8.2.3: 21.35.
TEST(Flyte, NumberOfTheThesis) {
  EXPECT_FLOAT_EQ(rounded(21.35F, {2, Rounding::truncated}), 21.25F);
  EXPECT_NEAR((21.35 - 21.25) / 21.35, 0.0047, 5e-5) << "0.47 %";
  EXPECT_EQ(rounded(21.35F, {1, Rounding::truncated}), 8.0F);
  EXPECT_EQ(rounded(1.0F, {1, Rounding::truncated}), .5F);
  EXPECT_EQ(rounded(1.0F, {1, Rounding::nearest_even}), 2.0F);
}

double largest_seen(const Storage& storage) {
  double largest = 0;
  std::mt19937 random(7);
  const auto look = [&](std::uint32_t mantissa) {
    for (const std::uint32_t exponent : {120U, 127U, 128U}) {
      const float value = value_of(exponent << 23 | mantissa);
      const double exact = static_cast<double>(value);
      largest = std::max(largest, std::abs(static_cast<double>(rounded(value, storage)) - exact) / exact);
    }
  };
  for (int i = 0; i < 20000; ++i) look(random() & 0x7fffff);
  for (std::uint32_t low = 0; low < 1U << 16; ++low) look(low);  // where numbers are smallest, and errors largest
  look(0x7fffff);
  return largest;
}

TEST(Flyte, LargestRelativeErrors) {
  EXPECT_NEAR(largest_seen({3, Rounding::truncated}), 3.03e-5, 3e-7);
  EXPECT_NEAR(largest_seen({3}), 1.53e-5, 2e-7) << "the 0.00152 % of the thesis, there said of truncating";
  EXPECT_NEAR(largest_seen({2, Rounding::truncated}), 7.8e-3, 1e-4);
  EXPECT_NEAR(largest_seen({2}), 3.9e-3, 1e-4);
  EXPECT_NEAR(largest_seen({1, Rounding::truncated}), .75, 1e-6);
  EXPECT_NEAR(largest_seen({1}), 1, 1e-6);
  for (const Rounding rounding : both)
    for (int bytes = 1; bytes <= 3; ++bytes) {
      const double seen = largest_seen({bytes, rounding}), stated = largest_relative_error({bytes, rounding});
      EXPECT_LE(seen, stated);
      EXPECT_GE(seen, .98 * stated) << "and no more is stated than there is";
    }
  EXPECT_EQ(largest_relative_error({}), 0);
  EXPECT_DOUBLE_EQ(largest_relative_error({7, Rounding::nearest_even, 8}), 0x1p-45);
  EXPECT_DOUBLE_EQ(largest_relative_error({1, Rounding::nearest_even, 8}), 255);
}

/// By definition: of the two neighbours the nearer one, of equally near ones the even one.
TEST(Flyte, RoundsToTheNearest) {
  std::mt19937 random(3);
  for (int i = 0; i < 200000; ++i) {
    const float value = value_of(random() & 0x7effffffU);
    for (int bytes = 2; bytes <= 3; ++bytes) {
      const std::uint32_t unit = 1U << (8 * (4 - bytes)), below = bits_of(value) / unit * unit, above = below + unit;
      const double down = static_cast<double>(value) - static_cast<double>(value_of(below));
      const double up = static_cast<double>(value_of(above)) - static_cast<double>(value);
      const bool even_below = below / unit % 2 == 0;
      const std::uint32_t wanted = down < up || (down == up && even_below) ? below : above;
      ASSERT_EQ(bits_of(rounded(value, {bytes})), wanted) << value;
      ASSERT_EQ(bits_of(rounded(-value, {bytes})), wanted | 0x80000000U) << value;
      ASSERT_EQ(bits_of(rounded(value, {bytes, Rounding::truncated})), below) << value;
    }
  }
}

TEST(Flyte, NumbersThatAreNone) {
  const float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  for (const Rounding rounding : both) {
    for (const int bytes : {2, 3}) {
      const Storage storage{bytes, rounding};
      EXPECT_EQ(rounded(infinity, storage), infinity);
      EXPECT_EQ(rounded(-infinity, storage), -infinity);
      EXPECT_TRUE(std::isnan(rounded(value_of(0x7f800001), storage))) << "its payload is dropped";
      EXPECT_TRUE(std::signbit(rounded(value_of(0xff800001), storage)));
      EXPECT_EQ(rounded(most, storage), rounding == Rounding::truncated
                                            ? value_of(bits_of(most) >> (32 - 8 * bytes) << (32 - 8 * bytes))
                                            : infinity);
    }
    for (const float value : {infinity, most, value_of(0x7fc00000), value_of(0x7f800001)})
      EXPECT_EQ(rounded(value, {1, rounding}), 0x1p127F) << "the largest that one byte holds";
    EXPECT_EQ(rounded(-infinity, {1, rounding}), -0x1p127F);
    for (int bytes = 1; bytes <= 3; ++bytes) {
      EXPECT_EQ(bits_of(rounded(0.0F, {bytes, rounding})), 0U);
      EXPECT_EQ(bits_of(rounded(-0.0F, {bytes, rounding})), 0x80000000U);
    }
  }
  EXPECT_EQ(bits_of(rounded(value_of(0xff), {3, Rounding::truncated})), 0U) << "a subnormal";
  EXPECT_EQ(bits_of(rounded(value_of(0xff), {3})), 0x100U);
}

TEST(Flyte, Doubles) {
  std::mt19937_64 random(5);
  for (const Rounding rounding : both)
    for (int bytes = 1; bytes <= 7; ++bytes) {
      const Storage storage{bytes, rounding, 8};
      std::vector<double> values{0.0,
                                 -0.0,
                                 1.0,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::max(),
                                 -std::numeric_limits<double>::denorm_min()};
      for (int i = 0; i < 1000; ++i) values.push_back(std::bit_cast<double>(random() & 0xbfefffffffffffff));
      const auto stored = encoded(values, storage);
      ASSERT_EQ(stored.size(), values.size() * static_cast<std::size_t>(bytes));
      const std::vector<double> back = decoded_doubles(stored, storage);
      ASSERT_EQ(back.size(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back[i]), std::bit_cast<std::uint64_t>(rounded(values[i], storage)));
        if (bytes > 1 && std::isnormal(values[i]) && std::isfinite(back[i])) {
          ASSERT_LE(std::abs(back[i] - values[i]), std::ldexp(std::abs(values[i]), 12 - 8 * bytes)) << values[i];
        }
      }
    }
  EXPECT_EQ(rounded(std::numeric_limits<double>::max(), {1, Rounding::nearest_even, 8}),
            std::bit_cast<double>(std::uint64_t{0x7f00000000000000}));
}

TEST(Flyte, LowestByteComesFirst) {
  const std::vector<float> values{value_of(0x12345678), value_of(0xabcdef01)};
  const auto stored = encoded(values, {3, Rounding::truncated});
  const std::uint8_t wanted[] = {0x56, 0x34, 0x12, 0xef, 0xcd, 0xab};
  ASSERT_EQ(stored.size(), std::size(wanted));
  for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(std::to_integer<int>(stored[i]), wanted[i]);
  const std::vector<float> back = decoded(stored, {3});
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(bits_of(back[1]), 0xabcdef00U);
}

}  // namespace
}  // namespace convscope::flyte
