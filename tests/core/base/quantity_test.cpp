#include "core/base/quantity.h"

#include <limits>

#include <gtest/gtest.h>

namespace convscope {
namespace {

std::string formatted(double value, const std::string& unit = "") {
  return format_quantity({value, unit});
}

TEST(Quantity, KeepsFourSignificantDigits) {
  EXPECT_EQ(formatted(4.8697), "4.87");
  EXPECT_EQ(formatted(13.3912), "13.39");
  EXPECT_EQ(formatted(0.123456), "0.1235");
  EXPECT_EQ(formatted(0.0001234), "0.0001234");
  EXPECT_EQ(formatted(-4.8697), "-4.87");
}

TEST(Quantity, ShowsNoTrailingZeros) {
  EXPECT_EQ(formatted(0), "0");
  EXPECT_EQ(formatted(-0.0), "0");
  EXPECT_EQ(formatted(13.0), "13");
  EXPECT_EQ(formatted(100), "100");
  EXPECT_EQ(formatted(0.5), "0.5");
}

TEST(Quantity, UsesPrefixes) {
  EXPECT_EQ(formatted(9999), "9999");
  EXPECT_EQ(formatted(10000), "10 k");
  EXPECT_EQ(formatted(12345), "12.35 k");
  EXPECT_EQ(formatted(12.1e6), "12.1 M");
  EXPECT_EQ(formatted(5e6), "5 M");
  EXPECT_EQ(formatted(3.2e9, "MAC"), "3.2 GMAC");
  EXPECT_EQ(formatted(1310e9), "1.31 T");
  EXPECT_EQ(formatted(1310, "cycles"), "1310 cycles");
}

TEST(Quantity, RoundsBeforeItChoosesThePrefix) {
  EXPECT_EQ(formatted(9999.6), "10 k");
  EXPECT_EQ(formatted(999960), "1 M");
  EXPECT_EQ(formatted(9.99996), "10");
  EXPECT_EQ(formatted(0.00099999, "s"), "1 ms");
}

TEST(Quantity, WritesSmallTimesWithPrefixes) {
  EXPECT_EQ(formatted(0.00131, "s"), "1.31 ms");
  EXPECT_EQ(formatted(0.001, "s"), "1 ms");
  EXPECT_EQ(formatted(2.5e-6, "s"), "2.5 µs");
  EXPECT_EQ(formatted(14e-9, "s"), "14 ns");
  EXPECT_EQ(formatted(0, "s"), "0 s");
  EXPECT_EQ(formatted(1.5, "s"), "1.5 s");
}

TEST(Quantity, ShowsADashForWhatIsNoNumber) {
  EXPECT_EQ(formatted(std::numeric_limits<double>::quiet_NaN(), "s"), "–");
  EXPECT_EQ(formatted(std::numeric_limits<double>::infinity()), "–");
}

TEST(Quantity, WeakerOriginWins) {
  EXPECT_EQ(weaker(Origin::simulated, Origin::estimate), Origin::estimate);
  EXPECT_EQ(weaker(Origin::published, Origin::measured), Origin::published);
  EXPECT_EQ(weaker(Origin::derived, Origin::derived), Origin::derived);
  EXPECT_EQ(origin_name(Origin::simulated), "simulated");
}

}  // namespace
}  // namespace convscope
