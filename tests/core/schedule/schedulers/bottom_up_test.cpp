#include "core/schedule/schedulers/bottom_up.h"

#include <random>

#include <gtest/gtest.h>

#include "core/schedule/schedulers/modulo_wrap.h"
#include "core/schedule/verify/verify.h"

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

Problem random_problem(std::mt19937_64& random) {
  Problem p;
  p.resources = {{"x", 1}, {"y", 2}};
  const int count = 2 + static_cast<int>(random() % 30);
  for (int i = 0; i < count; ++i) {
    p.operations.push_back({"o", {{static_cast<int>(random() % 2), static_cast<int>(random() % 3)}}});
    if (i > 0)
      p.dependences.push_back(
          {i, static_cast<int>(random() % static_cast<unsigned>(i)), static_cast<int>(random() % 4), 0});
    if (i > 1)
      p.dependences.push_back(
          {i, static_cast<int>(random() % static_cast<unsigned>(i)), static_cast<int>(random() % 4), 0});
  }
  return p;
}

TEST(BottomUp, KeepsDependencesAndContendedResources) {
  std::mt19937_64 random(43);
  for (int i = 0; i < 300; ++i) {
    const Problem p = random_problem(random);
    EXPECT_TRUE(verify(p, {from_bottom(p, 0, {0, 1}), 0}).empty());
  }
}

TEST(AsLateAsPossible, KeepsDependencesAndAllResources) {
  std::mt19937_64 random(44);
  for (int i = 0; i < 300; ++i) {
    const Problem p = random_problem(random);
    EXPECT_TRUE(verify(p, {from_ends(p), 0}).empty());
  }
}

TEST(ModuloWrap, AgreesWithTheVerifier) {
  std::mt19937_64 random(45);
  int fitting = 0;
  for (int i = 0; i < 300; ++i) {
    Problem p = random_problem(random);
    p.dependences.push_back({0, static_cast<int>(p.operations.size()) - 1, 1, 1});
    const auto cycles = from_bottom(p, 0, {0, 1});
    for (std::int64_t interval : {5, 11, 23, 60}) {
      const bool fits = fits_interval(p, cycles, interval);
      EXPECT_EQ(fits, verify(p, {cycles, interval}).empty());
      fitting += fits;
    }
  }
  EXPECT_GT(fitting, 100);
}

TEST(ModuloWrap, LongestSpanCountsFirstToLastUse) {
  Problem p = two_loads();
  EXPECT_EQ(longest_span(p, {-7, -2, 0}, {0, 1}), 6);
  EXPECT_EQ(longest_span(p, {-7, -2, 0}, {1}), 1);
}

}  // namespace
}  // namespace convscope::schedule
