// Fixed-point numbers: known values.

#include "core/quantization/format.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/quantization/error.h"

namespace convscope::quantization {
namespace {

constexpr Format q8_8{16, 8}, q5_11{16, 11};

TEST(Format, NamesWhatItHolds) {
  EXPECT_EQ(q8_8.name(), "Q8.8");
  EXPECT_EQ(q5_11.name(), "Q5.11");
  EXPECT_EQ((Format{16, 18}.name()), "Q-2.18");
  EXPECT_EQ(q8_8.least(), -32768);
  EXPECT_EQ(q8_8.most(), 32767);
}

TEST(Format, IsReadFromItsName) {
  for (const Format format : {q8_8, q5_11, Format{16, 18}, Format{8, 7}, Format{16, -2}, Format{32, 16}})
    EXPECT_EQ(parse_format(format.name()), format);
  for (const char* text :
       {"", "8.8", "Q8", "Q.8", "Q8.", "Q8.x", "Q1.0", "Q40.0", "Q0.33", "Q100.-70", "Q-900000000.8"})
    EXPECT_FALSE(parse_format(text)) << text;
}

TEST(Quantize, RoundsToTheNearestAndTiesUpwards) {
  EXPECT_EQ(quantize(1, q8_8), 256);
  EXPECT_EQ(quantize(-1, q8_8), -256);
  EXPECT_EQ(quantize(3.14159, q8_8), 804);
  EXPECT_EQ(quantize(3.14159, q5_11), 6434);
  // (x + half) >> shift of the integers 1, -1, 3, -3 with one bit behind: 1, 0, 2, -1.
  EXPECT_EQ(quantize(0.5, {16, 0}), 1);
  EXPECT_EQ(quantize(-0.5, {16, 0}), 0);
  EXPECT_EQ(quantize(1.5, {16, 0}), 2);
  EXPECT_EQ(quantize(-1.5, {16, 0}), -1);
  EXPECT_EQ(quantize(std::nextafter(0.5, 0), {16, 0}), 0);
  EXPECT_EQ(quantize(100, {16, -3}), 13);
}

TEST(Quantize, EqualsTheHardwaresShift) {
  for (int integer = -1000; integer <= 1000; ++integer)
    for (const int shift : {1, 3, 8})
      EXPECT_EQ(quantize(std::ldexp(integer, -shift), {16, 0}), (integer + (1 << (shift - 1))) >> shift) << integer;
}

TEST(Quantize, Saturates) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quantize(128, q8_8), 32767);
  EXPECT_EQ(quantize(-128, q8_8), -32768);
  EXPECT_EQ(quantize(-129, q8_8), -32768);
  EXPECT_EQ(quantize(infinity, q8_8), 32767);
  EXPECT_EQ(quantize(-infinity, q8_8), -32768);
  EXPECT_EQ(quantize(std::nan(""), q8_8), 0);
  EXPECT_EQ(quantize(1e300, {32, 31}), 2147483647);
}

TEST(Quantize, GoesBackAndForth) {
  for (const Format format : {q8_8, q5_11, Format{8, 12}, Format{16, -4}})
    for (std::int64_t integer = format.least(); integer <= format.most(); integer += 17)
      EXPECT_EQ(quantize(dequantize(integer, format), format), integer);
  std::vector<double> values{0.3, -200, 1};
  round_all(values, q8_8);
  EXPECT_EQ(values, (std::vector<double>{77.0 / 256, -128, 1}));
}

TEST(Range, HoldsZeroAndLeavesOutWhatIsNoNumber) {
  EXPECT_EQ(range_of(std::vector<double>{2, 3}), (Range{0, 3}));
  EXPECT_EQ(range_of(std::vector<double>{-2, std::nan(""), 1, -std::numeric_limits<double>::infinity()}),
            (Range{-2, 1}));
}

TEST(FormatFor, TakesTheMostFractionBitsThatFit) {
  EXPECT_EQ(format_for({0, 1}, 16), (Format{16, 14}));     // 1.0 is 2^15 in Q1.15
  EXPECT_EQ(format_for({-1, 0.5}, 16), (Format{16, 15}));  // -1.0 fits
  EXPECT_EQ(format_for({-16, 15.9}, 16), q5_11);           // Q5.11's own range
  EXPECT_EQ(format_for({-16, 16}, 16), (Format{16, 10}));
  EXPECT_EQ(format_for({-100, 127.99}, 16), q8_8);
  EXPECT_EQ(format_for({-100, 127.999}, 16), (Format{16, 7}));  // rounds to 128
  EXPECT_EQ(format_for({0, 0}, 16), (Format{16, 15}));
  EXPECT_EQ(format_for({-0.001, 0.001}, 16, {0, 30}), (Format{16, 24}));
  EXPECT_EQ(format_for({0, 1e9}, 16), (Format{16, 0}));  // saturates
  EXPECT_EQ(format_for({0, 1e9}, 16, {-20, 15}), (Format{16, -15}));
  EXPECT_EQ(format_for({-1, 0.9}, 8, {0, 7}), (Format{8, 7}));
}

TEST(QuantizationError, SaysHowFarFromFloatingPoint) {
  Error error;
  error.add(std::vector<double>{3, 4}, std::vector<double>{3, 4});
  EXPECT_EQ(error.from_floats(), "those of floating point");
  error.add(std::vector<double>{0}, std::vector<double>{0.5});
  EXPECT_EQ(error.from_floats(), "20.0 dB from floating point");
}

}  // namespace
}  // namespace convscope::quantization
