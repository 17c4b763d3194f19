#include "core/base/units.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(Units, PlainNumbersAreInTheUnitAlready) {
  EXPECT_EQ(parse_in_unit("16", "GB/s"), 16);
  EXPECT_EQ(parse_in_unit(" 17.066 ", "GB/s"), 17.066);
  EXPECT_EQ(parse_in_unit("-2", ""), -2);
  EXPECT_EQ(parse_in_unit("1e3", "MHz"), 1000);
}

TEST(Units, TheUnitItselfMayBeWritten) {
  EXPECT_EQ(parse_in_unit("16 GB/s", "GB/s"), 16);
  EXPECT_EQ(parse_in_unit("16GB/s", "GB/s"), 16);
  EXPECT_EQ(parse_in_unit("3 cycle", "cycles"), 3);
  EXPECT_EQ(parse_in_unit("3 cycles", "cycles"), 3);
  EXPECT_EQ(parse_in_unit("512 words", "words"), 512);
}

TEST(Units, OthersOfTheSameSortAreConvertedExactly) {
  EXPECT_EQ(parse_in_unit("1 GHz", "MHz"), 1000);
  EXPECT_EQ(parse_in_unit("0.1 GHz", "MHz"), 100);
  EXPECT_EQ(parse_in_unit("66.6 MHz", "MHz"), 66.6);
  EXPECT_EQ(parse_in_unit("250 kHz", "MHz"), 0.25);
  EXPECT_EQ(parse_in_unit("8 KiB", "byte"), 8192);
  EXPECT_EQ(parse_in_unit("8 kB", "byte"), 8000);
  EXPECT_EQ(parse_in_unit("64 bit", "byte"), 8);
  EXPECT_EQ(parse_in_unit("8 byte", "bit"), 64);
  EXPECT_EQ(parse_in_unit("16000 MB/s", "GB/s"), 16);
  EXPECT_EQ(parse_in_unit("128 Gbit/s", "GB/s"), 16);
  EXPECT_EQ(parse_in_unit("1 GiB/s", "MB/s"), 1073.741824);
  EXPECT_EQ(parse_in_unit("5 us", "ns"), 5000);
  EXPECT_EQ(parse_in_unit("5 µs", "ns"), 5000);
}

TEST(Units, CaseMattersOnlyWhereItMeansSomething) {
  EXPECT_EQ(parse_in_unit("1 ghz", "MHz"), 1000);
  EXPECT_EQ(parse_in_unit("16 gb/s", "GB/s"), 16);
  EXPECT_EQ(parse_in_unit("8 kib", "byte"), 8192);
}

TEST(Units, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", " ", "x", "GB/s", "66,6", "1.2.3", "inf", "nan", "1e999", "--1", "+1", "16 16", "0x10"}) {
    EXPECT_FALSE(parse_in_unit(text, "MHz")) << text;
  }
}

TEST(Units, RefusesUnitsOfAnotherSort) {
  EXPECT_FALSE(parse_in_unit("1 GHz", "GB/s"));
  EXPECT_FALSE(parse_in_unit("8 KiB", "MB/s"));
  EXPECT_FALSE(parse_in_unit("8 KiB", ""));
  EXPECT_FALSE(parse_in_unit("8 KiB", "words"));
  EXPECT_FALSE(parse_in_unit("8 apples", "byte"));
  EXPECT_FALSE(parse_in_unit("3 words", "cycles"));
}

TEST(Units, RefusesTheAmbiguousKB) {
  EXPECT_FALSE(parse_in_unit("8 KB", "byte"));
  EXPECT_FALSE(parse_in_unit("8 KB/s", "MB/s"));
}

TEST(Units, HintsNameWhatIsUnderstood) {
  EXPECT_NE(units_hint("byte").find("KiB"), std::string::npos);
  EXPECT_NE(units_hint("MHz").find("GHz"), std::string::npos);
  EXPECT_NE(units_hint("cycles").find("in cycles"), std::string::npos);
  EXPECT_NE(units_hint("").find("without a unit"), std::string::npos);
}

}  // namespace
}  // namespace convscope
