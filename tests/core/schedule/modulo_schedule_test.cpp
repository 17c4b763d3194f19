#include "core/schedule/modulo_schedule.h"

#include <gtest/gtest.h>

#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

// README.md's example.
Problem example() {
  return {{{"port", 1}, {"multiplier", 2}},
          {{"read", {{0, 0}}}, {"multiply", {{1, 0}}}, {"add", {{0, 1}}}},
          {{0, 1, 2, 0}, {1, 2, 1, 0}, {2, 2, 2, 1}}};
}

PipelineResult run(const Problem& problem, const PipelineOptions& options = {}) {
  Budget budget(20'000'000);
  return modulo_schedule(problem, options, budget);
}

TEST(ModuloSchedule, MeetsTheBoundOfTheExample) {
  const PipelineResult result = run(example());
  ASSERT_TRUE(result);
  const Pipelined& found = result.pipelined();
  EXPECT_TRUE(verify(example(), found.schedule).empty());
  EXPECT_EQ(found.schedule.initiation_interval, 2);
  EXPECT_TRUE(found.certificate.optimal());
  EXPECT_EQ(found.certificate.kind, BoundKind::resource);
  EXPECT_EQ(found.certificate.resources, std::vector<int>{0});
}

TEST(ModuloSchedule, KeepsToTheIntervalsAskedFor) {
  EXPECT_EQ(run(example(), {.smallest_interval = 5}).pipelined().schedule.initiation_interval, 5);
  const PipelineResult none = run(example(), {.largest_interval = 1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.failure().kind, FailureKind::interval_limit);
}

TEST(ModuloSchedule, SchedulesEveryFamilyWithoutViolations) {
  for (const test::Family family : test::families) {
    std::mt19937_64 random(3);
    for (const int operations : {10, 40, 150, 600}) {
      if (family == test::Family::crowded && operations > 150) continue;  // minutes without optimization
      SCOPED_TRACE(testing::Message() << test::name_of(family) << " of " << operations);
      const Problem problem = test::random_problem(family, operations, random);
      const PipelineResult result = run(problem);
      ASSERT_TRUE(result) << result.failure().message;
      const Pipelined& found = result.pipelined();
      const auto violations = verify(problem, found.schedule);
      ASSERT_TRUE(violations.empty()) << violations.front().text;
      EXPECT_EQ(found.certificate.interval, found.schedule.initiation_interval);
      EXPECT_LE(found.certificate.bound, found.certificate.interval);
    }
  }
}

}  // namespace
}  // namespace convscope::schedule
