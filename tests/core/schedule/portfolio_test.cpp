// How often the portfolio ends at the bound on bodies of 100 to 10,000 operations, and that published methods never do
// better.

#include <random>

#include <gtest/gtest.h>

#include "core/schedule/modulo_schedule.h"
#include "core/schedule/schedulers/iterative_modulo.h"
#include "core/schedule/schedulers/published.h"
#include "core/schedule/schedulers/slack_modulo.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

constexpr std::int64_t steps = 20'000'000;

std::int64_t published_interval(const Problem& problem, AtOneInterval method) {
  Budget budget(steps);
  const Result result = from_the_bound(problem, method, budget);
  return result ? result.schedule().initiation_interval : std::numeric_limits<std::int64_t>::max();
}

TEST(Portfolio, EndsAtTheBoundOf95PercentOf400Problems) {
  constexpr int sizes[] = {100, 10'000, 180, 5'600, 320, 3'200, 560, 1'800, 1'000, 140};
  int optimal = 0, all = 0;
  for (const test::Family family : test::families) {
    if (family == test::Family::crowded) continue;  // measured in bench/
    std::mt19937_64 random(101);
    for (int round = 0; round < 80; ++round, ++all) {
      const int operations = sizes[round % 10];
      SCOPED_TRACE(testing::Message() << test::name_of(family) << " " << round << " of " << operations);
      const Problem problem = test::random_problem(family, operations, random);
      Budget budget(steps);
      const PipelineResult result = modulo_schedule(problem, {}, budget);
      ASSERT_TRUE(result) << result.failure().message;
      const Pipelined& found = result.pipelined();
      const auto violations = verify(problem, found.schedule);
      ASSERT_TRUE(violations.empty()) << violations.front().text;
      optimal += found.certificate.optimal();
      if (found.certificate.optimal()) continue;
      EXPECT_NE(found.certificate.reason, "");
      EXPECT_LE(found.schedule.initiation_interval, published_interval(problem, iterative_modulo_at));
    }
  }
  EXPECT_EQ(all, 400);
  EXPECT_GE(optimal, 380);
  RecordProperty("optimal", optimal);
}

// Bodies that no known bound sees stall: large ones stay above it, but never without a schedule, its gap, and as good a
// one as the published method finds.
TEST(Portfolio, LeavesNoCrowdedBodyAboveThePublishedMethod) {
  std::mt19937_64 random(101);
  for (const int operations : {100, 320, 140, 3'200, 5'600, 10'000}) {
    SCOPED_TRACE(testing::Message() << operations << " operations");
    const Problem problem = test::random_problem(test::Family::crowded, operations, random);
    Budget budget(steps);
    const PipelineResult result = modulo_schedule(problem, {}, budget);
    ASSERT_TRUE(result) << result.failure().message;
    const Pipelined& found = result.pipelined();
    const auto violations = verify(problem, found.schedule);
    EXPECT_TRUE(violations.empty()) << violations.front().text;
    EXPECT_LE(found.schedule.initiation_interval, published_interval(problem, iterative_modulo_at));
    if (!found.certificate.optimal()) {
      EXPECT_NE(found.certificate.reason, "");
    }
  }
}

TEST(Portfolio, PublishedMethodsNeverBeatTheBound) {
  for (const test::Family family : test::families) {
    std::mt19937_64 random(7);
    for (const int operations : {12, 60, 200}) {
      SCOPED_TRACE(testing::Message() << test::name_of(family) << " of " << operations);
      const Problem problem = test::random_problem(family, operations, random);
      Budget budget(steps);
      const PipelineResult result = modulo_schedule(problem, {}, budget);
      ASSERT_TRUE(result) << result.failure().message;
      for (const AtOneInterval method : {iterative_modulo_at, slack_modulo_at}) {
        Budget other(steps);
        const Result published = from_the_bound(problem, method, other);
        if (!published) continue;
        const auto violations = verify(problem, published.schedule());
        EXPECT_TRUE(violations.empty()) << violations.front().text;
        EXPECT_GE(published.schedule().initiation_interval, result.pipelined().certificate.bound);
      }
    }
  }
}

}  // namespace
}  // namespace convscope::schedule
