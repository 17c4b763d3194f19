#include "core/schedule/schedulers/lifetimes.h"

#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/schedule/modulo_schedule.h"
#include "core/schedule/schedulers/difference_program.h"
#include "core/schedule/schedulers/stages.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

TEST(DifferenceProgram, FindsTheLeastSum) {
  DifferenceProgram program;
  for (const std::int64_t weight : {0, -3, 2, 1}) program.number(weight);
  for (int i = 1; i < 4; ++i) program.bound(0, i, 0), program.bound(i, 0, -9);
  program.bound(1, 2, 2);
  program.bound(2, 3, -1);
  Budget budget;
  const auto values = program.solve(budget);
  ASSERT_TRUE(values);
  EXPECT_EQ(-3 * (*values)[1] + 2 * (*values)[2] + (*values)[3], 2 * 2 + 1);
  Budget none(0);
  EXPECT_FALSE(program.solve(none));
}

TEST(Lifetime, ReachesToTheLastReaderOfAnyIteration) {
  const Problem p{{}, {{"a", {}}, {"b", {}}, {"c", {}}}, {{0, 1, 1, 0}, {0, 2, 1, 2}, {1, 2, 1, 0, false}}};
  EXPECT_EQ(total_lifetime(p, {{0, 1, 2}, 5}), 12);
}

// Every way to add whole intervals to the rows.
std::int64_t least_by_trying(const Problem& problem, const Schedule& schedule) {
  Schedule tried = schedule;
  const std::int64_t interval = schedule.initiation_interval, stages = stages_of(schedule);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const std::function<void(std::size_t)> turn = [&](std::size_t operation) {
    if (operation == tried.cycles.size()) {
      if (broken_dependences(problem, tried).empty()) least = std::min(least, total_lifetime(problem, tried));
      return;
    }
    for (std::int64_t stage = 0; stage < stages; ++stage) {
      tried.cycles[operation] = schedule.cycles[operation] % interval + stage * interval;
      turn(operation + 1);
    }
  };
  turn(0);
  return least;
}

TEST(LeastLifetime, EqualsExhaustiveSearch) {
  std::mt19937_64 random(37);
  int shorter = 0, compared = 0;
  for (int round = 0; round < 400; ++round) {
    const Problem problem = test::random_small_problem(3 + round % 4, random);
    Budget budget(1'000'000);
    const PipelineResult result = modulo_schedule(problem, {.largest_interval = 20}, budget);
    if (!result || result.pipelined().stages > 5) continue;
    const Schedule& schedule = result.pipelined().schedule;
    const auto found = with_least_lifetime(problem, schedule, budget);
    ASSERT_TRUE(found);
    ASSERT_TRUE(verify(problem, *found).empty());
    ASSERT_LE(stages_of(*found), stages_of(schedule));
    ASSERT_EQ(total_lifetime(problem, *found), least_by_trying(problem, schedule)) << "round " << round;
    ++compared;
    shorter += total_lifetime(problem, *found) < total_lifetime(problem, schedule);
  }
  EXPECT_GT(compared, 250);
  EXPECT_GT(shorter, 20);
}

TEST(LeastLifetime, OfALargeBodyIsNotLonger) {
  std::mt19937_64 random(41);
  for (const test::Family family : {test::Family::accumulators, test::Family::streams}) {
    const Problem problem = test::random_problem(family, 400, random);
    Budget budget(20'000'000), other(20'000'000);
    const Pipelined plain = modulo_schedule(problem, {}, budget).pipelined();
    const Pipelined shorter = modulo_schedule(problem, {.least_lifetime = true}, other).pipelined();
    EXPECT_TRUE(verify(problem, shorter.schedule).empty());
    EXPECT_LE(shorter.lifetime, plain.lifetime);
    EXPECT_EQ(shorter.stages, plain.stages);
  }
}

}  // namespace
}  // namespace convscope::schedule
