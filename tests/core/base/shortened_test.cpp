#include "core/base/shortened.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(Shortened, KeepsBeginAndEnd) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abcd…fg");
  EXPECT_EQ(shortened("", 0), "");
  EXPECT_EQ(shortened("abc", 0), "…");
}

TEST(Shortened, CutsNoCharacter) {
  EXPECT_EQ(shortened("µµµµµ", 6), "µµ…µ");
  EXPECT_EQ(shortened("µµµµµ", 5), "µ…");
  EXPECT_EQ(shortened(std::string(9, '\x80'), 3), "…");  // none that is well-formed
}

}  // namespace
}  // namespace convscope
