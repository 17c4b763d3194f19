#include "core/schedule/problem/problem.h"

#include <gtest/gtest.h>

namespace convscope::schedule {
namespace {

Problem problem() {
  return {{{"A", 1}, {"B", 1}, {"C", 1}}, {{"x", {{0, 0}, {1, -2}}}, {"y", {{0, 3}}}, {"z", {}}}, {}};
}

TEST(Span, ReachesFromFirstToLastUse) {
  const auto found = span(problem(), {5, -1, 100}, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 2);
  EXPECT_EQ(found->last, 5);
  EXPECT_EQ(found->length(), 4);
}

TEST(Span, OfOneUseIsOneCycle) {
  const auto found = span(problem(), {-7, 0, 0}, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, -9);
  EXPECT_EQ(found->length(), 1);
}

TEST(Span, OfAnUnusedResourceIsNothing) {
  EXPECT_FALSE(span(problem(), {0, 0, 0}, 2));
}

}  // namespace
}  // namespace convscope::schedule
