#include "core/base/numbers.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(Numbers, AreReadAsProgramsWriteThem) {
  EXPECT_EQ(parse_number("0"), 0.0);
  EXPECT_EQ(parse_number("66.6"), 66.6);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_number("+2E-2"), 0.02);
  EXPECT_EQ(parse_number("0x10"), 16.0);
  EXPECT_EQ(parse_number("-0X1.8p1"), -3.0);
}

TEST(Numbers, RefuseWhatIsNone) {
  for (const char* text : {"",   " ",    "x",   "66,6", "1.234,5", "1 ",   " 1",  "1e",    "--1",    "+-1",   "-+1",
                           "0x", "0x-1", "0xg", "1f",   "inf",     "-inf", "nan", "1e999", "-1e999", "1e-999"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(Numbers, MayStandBeforeSomethingElse) {
  const auto number = leading_number("16 GB/s");
  ASSERT_TRUE(number);
  EXPECT_EQ(number->value, 16);
  EXPECT_EQ(number->rest, " GB/s");
  EXPECT_EQ(leading_number("66,6")->rest, ",6");
  EXPECT_EQ(leading_number("-2")->rest, "");
  for (const char* text : {"", " 1", "+1", "GB", "inf", "nan", "1e999"}) EXPECT_FALSE(leading_number(text)) << text;
}

TEST(Numbers, IntegersFitTheirType) {
  EXPECT_EQ(parse_integer<int>("-12"), -12);
  EXPECT_EQ(parse_integer<std::uint64_t>("ffffffffffffffff", 16), ~std::uint64_t{0});
  EXPECT_EQ(parse_integer<std::int64_t>("9223372036854775807"), INT64_MAX);
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "1e3", "1,000", "0x10", "2147483648"})
    EXPECT_EQ(parse_integer<int>(text), std::nullopt) << text;
  EXPECT_EQ(parse_integer<std::uint64_t>("-1"), std::nullopt);
}

TEST(Numbers, PairsAreOfNumbersFromOneOn) {
  EXPECT_EQ(parse_pair("224x192", 'x'), std::pair(224, 192));
  EXPECT_EQ(parse_pair("2/4", '/'), std::pair(2, 4));
  for (const char* text : {"", "x", "224", "224x", "x224", "0x5", "5x0", "-1x5", "2x3x4", "2 x 3", "2x3 ", "2,5x3"})
    EXPECT_EQ(parse_pair(text, 'x'), std::nullopt) << text;
}

}  // namespace
}  // namespace convscope
