// Whatever a problem holds, there is an answer within the budget.

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedule/modulo_schedule.h"
#include "core/schedule/verify/verify.h"

namespace convscope::schedule {
namespace {

using testing::HasSubstr;

constexpr int huge = std::numeric_limits<int>::max();

PipelineResult run_shortly(const Problem& problem, const PipelineOptions& options = {}) {
  Budget budget(200'000);
  return modulo_schedule(problem, options, budget);
}

FailureKind kind(const Problem& problem, const PipelineOptions& options = {}) {
  const PipelineResult result = run_shortly(problem, options);
  return result ? FailureKind::stopped : result.failure().kind;
}

TEST(Hostile, NothingToDoIsDone) {
  const PipelineResult result = run_shortly({});
  ASSERT_TRUE(result);
  EXPECT_EQ(result.pipelined().schedule.initiation_interval, 1);
  EXPECT_EQ(result.pipelined().stages, 0);
  EXPECT_TRUE(run_shortly({}, {.least_lifetime = true}));
}

TEST(Hostile, IndicesThatDoNotExistAreNamed) {
  EXPECT_EQ(kind({{}, {{"a", {}}}, {{0, 1, 1, 0}}}), FailureKind::malformed);
  EXPECT_EQ(kind({{}, {{"a", {{0, 0}}}}, {}}), FailureKind::malformed);
  EXPECT_EQ(kind({{{"r", -1}}, {}, {}}), FailureKind::malformed);
  EXPECT_EQ(kind({{{"r", 1, {1}}}, {}, {}}), FailureKind::malformed);
  EXPECT_EQ(kind({{{"r", 1, {0}}}, {}, {}}), FailureKind::malformed);
}

TEST(Hostile, AResourceWithoutUnitsHoldsNothing) {
  EXPECT_EQ(kind({{{"none", 0}}, {{"a", {{0, 0}}}}, {}}), FailureKind::over_capacity);
  EXPECT_TRUE(run_shortly({{{"none", 0}}, {{"a", {}}}, {}}));
  EXPECT_EQ(kind({{{"none", 0}, {"any", 1, {0}}}, {{"a", {{1, 0}}}}, {}}), FailureKind::over_capacity);
}

TEST(Hostile, DistancesMayBeHuge) {
  const Problem chain{{}, {{"a", {}}, {"b", {}}, {"c", {}}}, {{0, 1, huge, 0}, {1, 2, huge, 0}}};
  const PipelineResult result = run_shortly(chain);
  ASSERT_TRUE(result);
  EXPECT_EQ(result.pipelined().schedule.initiation_interval, 1);
  EXPECT_TRUE(verify(chain, result.pipelined().schedule).empty());
}

TEST(Hostile, AnIntervalThatNoTableHoldsIsRefused) {
  const Problem circle{{{"r", 1}}, {{"a", {{0, 0}}}}, {{0, 0, huge, 1}}};
  const PipelineResult result = run_shortly(circle);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().kind, FailureKind::interval_limit);
  EXPECT_THAT(result.failure().message, HasSubstr("2147483647"));
}

TEST(Hostile, WhatOverflowsIsRefused) {
  Problem problem{{}, {{"a", {}}}, {}};
  for (int i = 0; i < 1000; ++i) problem.dependences.push_back({0, 0, huge, huge});
  EXPECT_EQ(kind(problem), FailureKind::malformed);
}

TEST(Hostile, CirclesThatNothingMeetsAreNamed) {
  EXPECT_EQ(kind({{}, {{"a", {}}}, {{0, 0, 1, 0}}}), FailureKind::circle);
  EXPECT_EQ(kind({{}, {{"a", {}}, {"b", {}}}, {{0, 1, 1, 0}, {1, 0, 0, -3}}}), FailureKind::circle);
}

TEST(Hostile, OffsetsMayBeAnything) {
  const int least = std::numeric_limits<int>::min();
  const Problem problem{{{"r", 1}}, {{"a", {{0, huge}, {0, least}}}, {"b", {{0, 0}}}}, {{0, 1, 0, 0}}};
  const PipelineResult result = run_shortly(problem);
  ASSERT_TRUE(result) << result.failure().message;
  EXPECT_TRUE(verify(problem, result.pipelined().schedule).empty());
}

TEST(Hostile, TwoThatMustMeetNeverFit) {
  const Problem problem{{{"r", 1}}, {{"a", {{0, 0}}}, {"b", {{0, 0}}}}, {{0, 1, 0, 0, false}, {1, 0, 0, 0, false}}};
  EXPECT_EQ(kind(problem, {.largest_interval = 20}), FailureKind::interval_limit);
  EXPECT_THAT(run_shortly(problem, {.largest_interval = 20}).failure().message, HasSubstr("proven"));
}

TEST(Hostile, AStopIsSeen) {
  std::stop_source source;
  source.request_stop();
  Budget budget(Budget::unlimited, source.get_token());
  const PipelineResult result = modulo_schedule({{{"r", 1}}, {{"a", {{0, 0}}}}, {}}, {}, budget);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().kind, FailureKind::stopped);
}

// Anything at all, including what no compiler would write.
TEST(Hostile, RandomProblemsAreAnswered) {
  std::mt19937_64 random(31);
  const auto any = [&](std::initializer_list<int> values) { return *(values.begin() + random() % values.size()); };
  int scheduled = 0, failed = 0;
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    Problem problem;
    for (int i = any({0, 1, 2, 4}); i > 0; --i) problem.resources.push_back({"r", any({0, 1, 1, 2, huge})});
    const int resources = static_cast<int>(problem.resources.size());
    if (resources > 1) problem.resources.push_back({"any", 0, {0, any({0, 1})}});
    const int count = any({0, 1, 2, 5, 30});
    for (int i = 0; i < count; ++i) {
      problem.operations.push_back({"o", {}});
      for (int u = resources > 0 ? any({0, 1, 2}) : 0; u > 0; --u)
        problem.operations.back().uses.push_back(
            {static_cast<int>(random() % problem.resources.size()), any({0, 1, -1, 7, huge})});
    }
    for (int i = count > 0 ? any({0, 1, 3, 20}) : 0; i > 0; --i)
      problem.dependences.push_back({static_cast<int>(random() % static_cast<unsigned>(count)),
                                     static_cast<int>(random() % static_cast<unsigned>(count)),
                                     any({0, 1, 2, -1, -9, 40, 1'000'000}), any({0, 0, 1, 1, 2, -1, 1'000'000})});
    const PipelineResult result =
        run_shortly(problem, {.largest_interval = any({0, 0, 3, 200}), .least_lifetime = true});
    ++(result ? scheduled : failed);
    if (!result) continue;
    const auto violations = verify(problem, result.pipelined().schedule);
    ASSERT_TRUE(violations.empty()) << violations.front().text;
  }
  EXPECT_GT(scheduled, 100);
  EXPECT_GT(failed, 100);
}

}  // namespace
}  // namespace convscope::schedule
