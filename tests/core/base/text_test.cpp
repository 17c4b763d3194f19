#include "core/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, IsTrimmedAtBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, IsCutIntoWords) {
  EXPECT_THAT(words(" a  b\nc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(words("a,b"), ElementsAre("a,b"));
  EXPECT_THAT(words("a, b,,c", " ,"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(words("  "), IsEmpty());
}

TEST(Text, OfHostileFilesIsMadeFitForMessages) {
  EXPECT_EQ(clean("a\nb\x80"), "a?b?");
  EXPECT_EQ(clean("µ…"), "µ…");
  EXPECT_EQ(clean("\xc2\x85"), "??");  // a control character of two bytes
  EXPECT_EQ(convscope::quoted("a\x1b"), "'a?'");
  EXPECT_EQ(convscope::quoted(std::string(50, 'x')), "'" + std::string(40, 'x') + "…'");
  EXPECT_EQ(in_quotes("µ"), "'µ'");
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(80, 'x') + "…'");
}

}  // namespace
}  // namespace convscope
