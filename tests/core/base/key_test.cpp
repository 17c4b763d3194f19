#include "core/base/key.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(Key, TellsPartsApart) {
  EXPECT_NE(KeyBuilder().add("ab").add("c").take(), KeyBuilder().add("a").add("bc").take());
  EXPECT_NE(KeyBuilder().add(std::vector<int>{1}).add(std::vector<int>{2, 3}).take(),
            KeyBuilder().add(std::vector<int>{1, 2}).add(std::vector<int>{3}).take());
  EXPECT_EQ(KeyBuilder().add(1).add("x").take(), KeyBuilder().add(1).add("x").take());
}

TEST(Key, HashIsFnv1a) {
  EXPECT_EQ(hash64(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash64("a"), 0xaf63dc4c8601ec8cULL);
}

}  // namespace
}  // namespace convscope
