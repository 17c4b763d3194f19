// What the verifier knows of DRAM over time: regions share words, and words belong to the one that was written last.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/snowflake/verify/verify_program.h"
#include "two_blocks.h"

namespace convscope::snowflake {
namespace {

using test::parsed, test::replaced, test::two_blocks;
using testing::HasSubstr;

std::string complaints_of(const std::string& text) {
  Diagnostics diagnostics;
  verify_program(parsed(text), diagnostics, {100'000});
  return diagnostics.text();
}

const std::string between = "first_word=1024 words=32 last_layer=1\n";

/// More instructions at the end of the second block.
std::string with_end(const std::string& text, const std::string& lines) {
  const std::string end = "  nop\n  nop\n  halt";
  const auto words = 46 + instruction_words * std::count(lines.begin(), lines.end(), '\n');
  return replaced(replaced(text, end, lines + end), "movi r2, 46", "movi r2, " + std::to_string(words));
}

std::string with_region(const std::string& text, const std::string& fields) {
  return replaced(text, ".layer", ".region " + fields + "\n.layer");
}

TEST(VerifiedMemory, WordsOfARegionAreThereWhileItIsAlive) {
  EXPECT_EQ(complaints_of(two_blocks()), "");
  const std::string dead = replaced(two_blocks(), between, "first_word=1024 words=32\n");
  EXPECT_THAT(complaints_of(dead), HasSubstr("load-source: LD of words 1024 to 1055; expected words of one region of "
                                             "input, maps, output or zeros that is alive in this layer"));
  const std::string unborn = replaced(two_blocks(), between, "first_word=1024 words=32 first_layer=1 last_layer=1\n");
  EXPECT_THAT(complaints_of(unborn), HasSubstr("output-place: CU 0 writes words 1024 to 1039 of DRAM"));
}

TEST(VerifiedMemory, WordsOfAnEarlierRegionAtTheSamePlaceDontCount) {
  const std::string dead = replaced(two_blocks(), between, "first_word=1024 words=32\n");
  const std::string text =
      with_region(dead, "name=\"later\" kind=maps first_word=1024 words=32 first_layer=1 last_layer=1");
  EXPECT_THAT(complaints_of(text),
              HasSubstr("never-written: LD of word 0 of region 'later', which nothing has written"));
}

TEST(VerifiedMemory, ARegionIsGoneWhenAnotherIsWrittenAtItsPlace) {
  const std::string text =
      with_region(two_blocks(), "name=\"other\" kind=maps first_word=1040 words=32 first_layer=1 last_layer=1");
  const auto loading = [&](const std::string& before) {
    return complaints_of(with_end(text, before + "  ld r14, r9, r3, 0, maps, 0, 0\n"));
  };
  EXPECT_EQ(loading("  movi r14, 8192\n"), "");
  EXPECT_THAT(loading("  movi r14, 8192\n  movi r11, 1056\n  max.wb r11, r10, 32\n"),
              HasSubstr("never-written: LD of word 0 of region 'between', whose place region 'other' has taken"));
}

TEST(VerifiedMemory, WhatTheHostWroteIsGoneAsWell) {
  const std::string text =
      with_region(two_blocks(), "name=\"other\" kind=maps first_word=16 words=32 first_layer=1 last_layer=1");
  const auto loading = [&](const std::string& before) {
    const std::string alive = replaced(text, "first_word=0 words=32\n", "first_word=0 words=32 last_layer=1\n");
    return complaints_of(with_end(alive, before + "  ld r14, r0, r3, 0, maps, 0, 0\n"));
  };
  EXPECT_EQ(loading("  movi r14, 8192\n"), "");
  EXPECT_THAT(loading("  movi r14, 8192\n  movi r11, 32\n  max.wb r11, r10, 32\n"),
              HasSubstr("never-written: LD of word 0 of region 'in', whose place region 'other' has taken"));
}

TEST(VerifiedMemory, LoadsOfWhatTheHostWroteMayStillRunWhenTheirWordsAreReused) {
  const std::string text = with_region(two_blocks(), "name=\"other\" kind=maps first_word=16 words=32");
  const std::string writing = replaced(text, "movi r7, 1024", "movi r7, 16");
  EXPECT_THAT(complaints_of(writing), testing::Not(HasSubstr("write-race"))) << "the MACs read what was loaded";
  const std::string unread = "  movi r14, 8192\n  ld r14, r0, r3, 3, maps, 0, 0\n  movi r7, 16";
  EXPECT_THAT(complaints_of(replaced(text, "  movi r7, 1024", unread)),
              HasSubstr("write-race: writes words 16 to 31 of DRAM, which unit 3 is perhaps still loading"));
}

TEST(VerifiedMemory, NothingIsWrittenOverCode) {
  std::string text = replaced(two_blocks(), "first_word=4096 words=4096", "first_word=1030 words=7162");
  text = replaced(text, ".block dram_word=4608", ".block dram_word=1050");
  EXPECT_THAT(complaints_of(replaced(text, "movi r28, 4608", "movi r28, 1050")),
              HasSubstr("output-place: CU 0 writes words 1040 to 1055 of DRAM"));
}

}  // namespace
}  // namespace convscope::snowflake
