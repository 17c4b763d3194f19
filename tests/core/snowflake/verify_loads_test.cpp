// Two units load the same words: refused unless the first is known to be done, and only for words that both load.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/snowflake/verify/verify_program.h"
#include "two_blocks.h"

namespace convscope::snowflake {
namespace {

using test::parsed;
using testing::HasSubstr;

/// Maps of `code` on two CUs with one vMAC; nothing is computed.
std::string complaints(const std::string& code) {
  Diagnostics diagnostics;
  verify_program(parsed(".machine cus 2\n.machine vmacs 1\n.machine queue 4\n.dram 8192\n"
                        ".region name=\"in\" kind=input words=4096\n"
                        ".region name=\"code\" kind=instructions first_word=4096 words=4096\n"
                        ".block dram_word=4096\n  movi r26, 0x10 ; CU 0\n  movi r1, 64\n" +
                        code + "  halt\n"),
                 diagnostics, {100'000});
  return diagnostics.text();
}

std::string load(int unit, int to, int words, int cu = 0) {
  return "  movi r2, " + std::to_string(to) + "\n  movi r3, " + std::to_string(words) + "\n  ld r2, r0, r3, " +
         std::to_string(unit) + ", maps, " + std::to_string(cu) + ", 0\n";
}

/// Vector instructions that read 16 words of CU 0's maps.
std::string reads(int word, int count) {
  std::string text = "  movi r4, " + std::to_string(word) + "\n";
  for (int i = 0; i < count; ++i) text += "  vmov.bypass r4, 0\n";
  return text;
}

const auto race = HasSubstr("load-race: LD of unit 1 to words that unit 0 is perhaps still loading");
constexpr int queue = 4;

TEST(VerifiedLoads, WordsBetweenThoseOfAnotherUnitAreFree) {
  EXPECT_EQ(complaints(load(0, 64, 64) + load(0, 192, 64) + load(1, 128, 64)), "");
  EXPECT_THAT(complaints(load(0, 64, 64) + load(0, 192, 64) + load(1, 128, 65)), race);
  EXPECT_THAT(complaints(load(0, 64, 64) + load(0, 192, 64) + load(1, 127, 64)), race);
}

TEST(VerifiedLoads, EachOfTheOtherUnitsCounts) {
  const std::string first = load(0, 64, 64) + load(2, 128, 64);
  EXPECT_THAT(complaints(first + load(1, 64, 128)), HasSubstr("load-race"));
  EXPECT_THAT(complaints(first + load(0, 64, 128)),
              HasSubstr("load-race: LD of unit 0 to words that unit 2 is perhaps still loading"));
  EXPECT_THAT(complaints(first + load(2, 64, 128)),
              HasSubstr("load-race: LD of unit 2 to words that unit 0 is perhaps still loading"));
}

TEST(VerifiedLoads, OtherBuffersAreFree) {
  EXPECT_EQ(complaints(load(0, 64, 64) + load(1, 64, 64, 1)), "");
}

/// Words 1024 … are never read; that unit 0 has brought what it was told later shows that they are there.
TEST(VerifiedLoads, ALaterLoadOfTheUnitThatIsReadShowsThatItIsOver) {
  const std::string loads = load(0, 1024, 64) + load(0, 0, 64);
  EXPECT_THAT(complaints(loads + load(1, 1024, 64)), race);
  EXPECT_THAT(complaints(loads + reads(0, queue) + load(1, 1024, 64)), race) << "the first may still wait";
  EXPECT_EQ(complaints(loads + reads(0, queue + 1) + load(1, 1024, 64)), "");
  EXPECT_EQ(complaints(loads + reads(0, 5 * queue) + load(1, 1024, 64)), "") << "by the first reader, not the last";
  EXPECT_THAT(complaints(load(0, 0, 64) + load(0, 1024, 64) + reads(0, 5 * queue) + load(1, 1024, 64)), race)
      << "an earlier load shows nothing";
}

TEST(VerifiedLoads, WhatWasReadIsOverForGoodEvenIfItsPlaceIsLoadedAgain) {
  const std::string again = load(0, 1024, 64) + load(0, 0, 64) + reads(0, 2 * queue) + load(2, 2048, 64) +
                            reads(2048, queue + 1) + load(0, 0, 64);
  EXPECT_EQ(complaints(again + load(1, 1024, 64)), "");
}

/// CU 1 takes no part in anything: what is loaded for it is waited for by nobody.
TEST(VerifiedLoads, AMaskedCuWaitsForNothing) {
  EXPECT_THAT(complaints(load(0, 0, 64, 1) + load(2, 0, 64) + reads(0, 3 * queue) + load(1, 0, 64, 1)), race);
}

}  // namespace
}  // namespace convscope::snowflake
