#include "core/schedule/schedulers/bottom_up.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

std::vector<std::int64_t> from_bottom(const Problem& problem, int bottom, const std::vector<int>& contended) {
  Budget budget;
  return bottom_up(problem, bottom, contended, budget).schedule().cycles;
}

std::vector<std::int64_t> from_ends(const Problem& problem) {
  Budget budget;
  return as_late_as_possible(problem, budget).schedule().cycles;
}

// Two loads over one port feed one operation; a second user of the port must back off.
Problem two_loads() {
  Problem p;
  p.resources = {{"port", 1}, {"unit", 1}};
  p.operations = {{"load a", {{0, 0}}}, {"load b", {{0, 0}}}, {"use", {{1, 0}}}};
  p.dependences = {{0, 2, 1, 0}, {1, 2, 1, 0}};
  return p;
}

TEST(BottomUp, FirstListedPredecessorGetsTheLaterCycle) {
  EXPECT_EQ(from_bottom(two_loads(), 2, {0}), (std::vector<std::int64_t>{-1, -2, 0}));
}

TEST(BottomUp, IgnoresResourcesThatAreNotContended) {
  EXPECT_EQ(from_bottom(two_loads(), 2, {}), (std::vector<std::int64_t>{-1, -1, 0}));
}

// d is visited through c first and revised through b, which is scheduled later; its predecessor e must follow.
TEST(BottomUp, RevisedOperationsAreVisitedAgain) {
  Problem p;
  p.resources = {{"unit", 8}};
  p.operations = {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}, {"e", {}}};
  p.dependences = {{2, 0, 1, 0}, {3, 2, 1, 0}, {4, 3, 1, 0}, {1, 0, 6, 0}, {3, 1, 1, 0}};
  const auto cycles = from_bottom(p, 0, {});
  EXPECT_TRUE(broken_dependences(p, {cycles, 0}).empty());
  EXPECT_EQ(cycles, (std::vector<std::int64_t>{0, -6, -1, -7, -8}));
}

TEST(BottomUp, KeepsDependencesAndContendedResources) {
  std::mt19937_64 random(43);
  for (int i = 0; i < 300; ++i) {
    const Problem p = test::random_tree(random);
    EXPECT_TRUE(verify(p, {from_bottom(p, 0, {0, 1, 2}), 0}).empty());
  }
}

TEST(AsLateAsPossible, KeepsDependencesAndAllResources) {
  std::mt19937_64 random(44);
  for (int i = 0; i < 300; ++i) {
    const Problem p = test::random_tree(random);
    EXPECT_TRUE(verify(p, {from_ends(p), 0}).empty());
  }
}

// Together they never fit, so that the one drives the other earlier for ever.
TEST(BottomUp, TwoThatMustMeetAndCannotAreACircle) {
  Problem p = two_loads();
  p.dependences.push_back({0, 1, 0, 0});
  p.dependences.push_back({1, 0, 0, 0});
  Budget budget;
  const Result result = bottom_up(p, 2, {0}, budget);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().kind, FailureKind::circle);
  EXPECT_THAT(result.failure().message, testing::HasSubstr("drive it around a circle"));
  EXPECT_LT(budget.taken(), 1000);
  EXPECT_EQ(from_bottom(p, 2, {}), (std::vector<std::int64_t>{-1, -1, 0}));
}

TEST(BottomUp, WhatIsNoProblemIsRefused) {
  Budget budget;
  for (const int bottom : {-1, 3})
    EXPECT_EQ(bottom_up(two_loads(), bottom, {0}, budget).failure().kind, FailureKind::malformed);
  std::vector<Problem> problems(3, two_loads());
  problems[0].dependences.push_back({0, 9, 1, 0});
  problems[1].operations[1].uses = {{7, 0}};
  problems[2].resources[0].any_of = {1};
  for (const Problem& problem : problems) {
    EXPECT_EQ(bottom_up(problem, 2, {0}, budget).failure().kind, FailureKind::malformed);
    EXPECT_EQ(as_late_as_possible(problem, budget).failure().kind, FailureKind::malformed);
  }
}

}  // namespace
}  // namespace convscope::schedule
