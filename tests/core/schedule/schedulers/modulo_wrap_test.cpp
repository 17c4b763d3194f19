#include "core/schedule/schedulers/modulo_wrap.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedule/schedulers/bottom_up.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

const auto stay = [](std::int64_t, std::vector<std::int64_t>&) {};

TEST(ModuloWrap, AgreesWithTheVerifier) {
  std::mt19937_64 random(45);
  int fitting = 0;
  for (int i = 0; i < 300; ++i) {
    Problem p = test::random_tree(random);
    p.dependences.push_back({0, static_cast<int>(p.operations.size()) - 1, 1, 1});
    Budget budget;
    const auto cycles = bottom_up(p, 0, {0, 1, 2}, budget).schedule().cycles;
    for (const std::int64_t interval : {0, 1, 2, 3, 5, 11, 23, 60, 90}) {
      const bool fits = fits_interval(p, cycles, interval);
      EXPECT_EQ(fits, verify(p, {cycles, interval}).empty()) << "problem " << i << ", interval " << interval;
      fitting += fits;
    }
  }
  EXPECT_GT(fitting, 100);
}

TEST(ModuloWrap, LongestSpanCountsFirstToLastUse) {
  const Problem p{{{"port", 1}, {"unit", 1}}, {{"a", {{0, 0}}}, {"b", {{0, 0}}}, {"use", {{1, 0}}}}, {}};
  EXPECT_EQ(longest_span(p, {-7, -2, 0}, {0, 1}), 6);
  EXPECT_EQ(longest_span(p, {-7, -2, 0}, {1}), 1);
}

// Four cycles later it takes the port again: at intervals of 1, 2 and 4 that is the same cycle.
TEST(ModuloWrap, AnOperationMayNotMeetItself) {
  const Problem p{{{"port", 1}}, {{"long", {{0, 0}, {0, 4}}}}, {}};
  for (const std::int64_t interval : {1, 2, 4}) EXPECT_FALSE(fits_interval(p, {0}, interval)) << interval;
  for (const std::int64_t interval : {0, 3, 5, 6}) EXPECT_TRUE(fits_interval(p, {0}, interval)) << interval;
  Budget budget;
  EXPECT_EQ(wrap(p, {0}, {1, 9}, stay, budget).schedule().initiation_interval, 3);
  const Result failed = wrap(p, {0}, {1, 2}, stay, budget);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.failure().message, testing::HasSubstr("'long' alone takes 2 of resource 'port'"));
}

TEST(ModuloWrap, UsesOfOneCycleCountTogether) {
  const Problem p{{{"ports", 3}}, {{"a", {{0, 0}, {0, 0}}}, {"b", {{0, 0}, {0, 0}}}}, {}};
  EXPECT_FALSE(fits_interval(p, {0, 0}, 0));
  EXPECT_TRUE(fits_interval(p, {0, 1}, 0));
  EXPECT_FALSE(fits_interval(p, {0, 1}, 1));
  EXPECT_TRUE(fits_interval(p, {0, 1}, 2));
}

TEST(ModuloWrap, WhatIsNoProblemIsRefused) {
  Budget budget;
  const Problem p{{{"port", 1}}, {{"a", {{0, 0}}}}, {}};
  EXPECT_EQ(wrap(p, {0}, {0, 9}, stay, budget).failure().kind, FailureKind::malformed);
  EXPECT_EQ(wrap(p, {}, {1, 9}, stay, budget).failure().kind, FailureKind::malformed);
  EXPECT_EQ(wrap({{}, p.operations, {}}, {0}, {1, 9}, stay, budget).failure().kind, FailureKind::malformed);
}

}  // namespace
}  // namespace convscope::schedule
