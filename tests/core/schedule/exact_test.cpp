// What the entry point claims to be optimal is: it equals exhaustive search.

#include <random>

#include <gtest/gtest.h>

#include "core/schedule/modulo_schedule.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/exhaustive.h"
#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

TEST(Exhaustive, FindsTheLeastIntervalOfAnExample) {
  const Problem p{{{"port", 1}}, {{"a", {{0, 0}}}, {"b", {{0, 0}}}}, {{0, 1, 3, 0}, {1, 0, 2, 1}}};
  EXPECT_EQ(test::least_interval(p, 9, 1000), 5);
  EXPECT_EQ(test::least_interval(p, 4, 1000), 0);
  EXPECT_FALSE(test::least_interval(p, 9, 3));
}

constexpr std::int64_t largest = 10, looks = 100'000;

TEST(Exact, EqualsExhaustiveSearchOnSmallProblems) {
  std::mt19937_64 random(29);
  int feasible = 0, impossible = 0, above_first_bound = 0, given_up = 0;
  for (int round = 0; feasible + impossible < 1000; ++round) {
    SCOPED_TRACE(round);
    const Problem problem = test::random_small_problem(1 + round % 12, random);
    const auto expected = test::least_interval(problem, largest, looks);
    if (!expected) {
      ++given_up;
      continue;
    }
    Budget budget(50'000'000);
    const PipelineResult result = modulo_schedule(problem, {.largest_interval = largest}, budget);
    ASSERT_EQ(static_cast<bool>(result), *expected > 0) << (result ? "" : result.failure().message);
    if (*expected == 0) {
      ++impossible;
      continue;
    }
    ++feasible;
    const Pipelined& found = result.pipelined();
    const auto violations = verify(problem, found.schedule);
    ASSERT_TRUE(violations.empty()) << violations.front().text;
    ASSERT_EQ(found.schedule.initiation_interval, *expected);
    ASSERT_TRUE(found.certificate.optimal()) << found.certificate.reason;
    above_first_bound += found.certificate.kind == BoundKind::exhausted;
  }
  EXPECT_GT(feasible, 700);
  EXPECT_GT(impossible, 20);
  EXPECT_LT(given_up, 200);
  EXPECT_GT(above_first_bound, 20);
}

}  // namespace
}  // namespace convscope::schedule
