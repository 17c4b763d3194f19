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

enum class Shade { light, dark };
struct Inner {
  int height = 0, width = 0;
};
struct Outer {
  int count = 1;
  double rate = 2;
  Shade shade = Shade::light;
  std::string name = "x";
  std::vector<std::vector<int>> lists = {{1}, {2, 3}};
  Inner inner;
  bool flag = false;
};

template <typename T>
std::string key_of(const T& value) {
  return KeyBuilder().add(value).take();
}

TEST(Key, HasEveryFieldOfAPlainStruct) {
  EXPECT_EQ(key_of(Outer{}), key_of(Outer{}));
  const auto expect_change = [](void (*change)(Outer&)) {
    Outer changed;
    change(changed);
    EXPECT_NE(key_of(changed), key_of(Outer{}));
  };
  expect_change([](Outer& o) { o.count = 2; });
  expect_change([](Outer& o) { o.rate = 3; });
  expect_change([](Outer& o) { o.shade = Shade::dark; });
  expect_change([](Outer& o) { o.name = "y"; });
  expect_change([](Outer& o) { o.lists = {{1, 2}, {3}}; });
  expect_change([](Outer& o) { o.inner.width = 1; });
  expect_change([](Outer& o) { o.flag = true; });
}

TEST(Key, TellsNothingFromZero) {
  EXPECT_NE(key_of(std::optional<int>()), key_of(std::optional<int>(0)));
}

TEST(Fields, AreAllOfThemInOrder) {
  const Outer outer;
  const auto fields = fields_of(outer);
  static_assert(std::tuple_size_v<decltype(fields)> == 7);
  EXPECT_EQ(&std::get<0>(fields), &outer.count);
  EXPECT_EQ(&std::get<6>(fields), &outer.flag);
}

TEST(Key, HashIsFnv1a) {
  EXPECT_EQ(hash64(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash64("a"), 0xaf63dc4c8601ec8cULL);
}

}  // namespace
}  // namespace convscope
