// The steps of a loop's schedule, each alone: bodies, their places, writes, the interval; and the exact one.

#include <algorithm>

#include <gtest/gtest.h>

#include "core/nve/passes/choose_interval.h"
#include "core/nve/passes/loop_problem.h"
#include "core/nve/passes/pipeline_loop.h"
#include "core/nve/passes/place_bodies.h"
#include "core/nve/passes/place_writes.h"
#include "core/nve/passes/schedule_body.h"
#include "core/nve/passes/schedule_loop.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/nve/loops.h"

namespace convscope::nve::test {
namespace {

using Kind = LoopOperationKind;
using BodyCycles = std::vector<std::shared_ptr<const schedule::Schedule>>;

const Structure maps_in_order{2, {{0}, {0, 1}}};

BodyCycles cycles_of(const Parts& parts) {
  BodyCycles cycles;
  schedule::Budget budget;
  for (const auto& body : parts.bodies)
    cycles.push_back(std::make_shared<const schedule::Schedule>(schedule_body(*body, budget).schedule()));
  return cycles;
}

Loop problem_of(const Parts& parts, const SchedulingMachine& machine = {}) {
  return loop_problem(parts.bodies, parts.structure, parts.window, machine);
}

TEST(ScheduleBody, EndsWithItsLastMacAndKeepsEverything) {
  for (const MemoryKind memory : {MemoryKind::true_dual_port, MemoryKind::simple_dual_port, MemoryKind::two_banks}) {
    const SchedulingMachine machine{.memory = memory};
    const Parts made = parts({1, {{0}}}, {3, 3, 1, 1}, machine);
    const Body& body = *made.bodies.front();
    schedule::Budget budget;
    const auto result = schedule_body(body, budget);
    ASSERT_TRUE(result) << result.failure().message;
    const auto& cycles = result.schedule().cycles;
    EXPECT_TRUE(schedule::verify(body.problem, {cycles, 0}).empty());
    const std::int64_t bottom = cycles[static_cast<std::size_t>(body.bottom)];
    for (std::size_t i = 0; i < cycles.size(); ++i) EXPECT_LE(cycles[i], bottom) << body.problem.operations[i].name;
    // Ten vector operations one after the other, and the first needs a word that is read before it.
    EXPECT_GE(bottom - *std::min_element(cycles.begin(), cycles.end()), 9 + machine.read_to_set + machine.set_to_use);
  }
}

TEST(ScheduleBody, SaysWhenItsBudgetEnds) {
  schedule::Budget budget(5);
  const auto result = schedule_body(*parts().bodies.front(), budget);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().kind, schedule::FailureKind::budget);
}

TEST(PlaceBodies, MovesEachAsAWholeAndNoFurtherThanItMust) {
  const Parts made = parts(maps_in_order);
  const Loop loop = problem_of(made);
  const BodyCycles bodies = cycles_of(made);
  schedule::PartialSchedule partial(loop.problem);
  schedule::Budget budget;
  ASSERT_TRUE(place_bodies(partial, loop, bodies, budget));
  for (std::size_t map = 0; map < 2; ++map) {
    const std::int64_t shift = partial.cycle(loop.bodies[map]) - bodies[map]->cycles.front();
    for (std::size_t i = 0; i < bodies[map]->cycles.size(); ++i)
      EXPECT_EQ(partial.cycle(loop.bodies[map] + static_cast<int>(i)), bodies[map]->cycles[i] + shift);
    if (map == 0) {
      EXPECT_EQ(shift, 0);
    }
  }
  for (int i = loop.first_write(); i < static_cast<int>(loop.operations.size()); ++i)
    EXPECT_EQ(partial.cycle(i), schedule::unplaced);
  // The second begins before the first has ended, but its bias not before the first's last mac.
  const int last_mac = made.bodies[0]->bottom;
  EXPECT_GT(partial.cycle(loop.set_bias[1]), partial.cycle(last_mac));
  const auto& all = partial.cycles();
  EXPECT_LT(*std::min_element(all.begin() + loop.bodies[1], all.begin() + loop.first_write()), partial.cycle(last_mac));
}

TEST(PlaceBodies, SaysWhenItsBudgetEnds) {
  const Parts made = parts(maps_in_order);
  const Loop loop = problem_of(made);
  schedule::PartialSchedule partial(loop.problem);
  for (int cycle = -100; cycle < 100; ++cycle)  // every cycle of port A is taken by a write
    partial.place(loop.first_write(), cycle);
  schedule::Budget budget(10);
  EXPECT_FALSE(place_bodies(partial, loop, cycles_of(made), budget));
}

TEST(PlaceWrites, TakesTheLatestFreeSlotsThatAreSoonEnough) {
  const SchedulingMachine machine;
  const Parts made = parts();
  const Loop loop = problem_of(made, machine);
  schedule::PartialSchedule partial(loop.problem);
  schedule::Budget budget;
  ASSERT_TRUE(place_bodies(partial, loop, cycles_of(made), budget));
  ASSERT_TRUE(place_writes(partial, loop, budget));
  for (int write = loop.first_write(); write < loop.first_activation; ++write) {
    std::int64_t deadline = INT64_MAX;
    for (const schedule::Dependence& d : loop.problem.dependences)
      if (d.from == write && d.iterations == 0) deadline = std::min(deadline, partial.cycle(d.to) - d.distance);
    EXPECT_LE(partial.cycle(write), deadline);
    for (std::int64_t later = partial.cycle(write) + 1; later <= deadline; ++later)
      EXPECT_FALSE(partial.fits(write, later)) << "write " << write << " could wait until " << later;
  }
  schedule::Budget none(0);
  EXPECT_FALSE(place_writes(partial, loop, none));
}

TEST(ChooseInterval, IsTheFirstThatEverythingFits) {
  const SchedulingMachine machine;
  for (const bool overlap : {false, true}) {
    const Parts made = parts(maps_in_order);
    const Loop loop = problem_of(made);
    schedule::PartialSchedule partial(loop.problem);
    schedule::Budget budget;
    ASSERT_TRUE(place_bodies(partial, loop, cycles_of(made), budget) && place_writes(partial, loop, budget));
    const auto result = choose_interval(loop, partial.cycles(), overlap, machine, budget);
    ASSERT_TRUE(result) << result.failure().message;
    const schedule::Schedule& found = result.schedule();
    EXPECT_TRUE(schedule::broken_dependences(loop.problem, found).empty() || !overlap);
    EXPECT_TRUE(schedule::overused_resources(loop.problem, found).empty());
    for (int i = 0; i < loop.first_activation; ++i)
      EXPECT_EQ(found.cycles[static_cast<std::size_t>(i)], partial.cycle(i)) << "only activations move";
    const auto [first, last] = std::minmax_element(found.cycles.begin(), found.cycles.begin() + loop.first_activation);
    EXPECT_EQ(found.initiation_interval >= *last - *first + 1, !overlap) << "iterations overlap or they don't";
  }
}

TEST(ScheduleLoop, IsItsThreeSteps) {
  const SchedulingMachine machine;
  const Parts made = parts(maps_in_order);
  const Loop loop = problem_of(made);
  schedule::Budget budget;
  const auto apart = schedule_loop(loop, cycles_of(made), false, machine, budget),
             overlapped = schedule_loop(loop, cycles_of(made), true, machine, budget);
  ASSERT_TRUE(apart && overlapped);
  EXPECT_LT(overlapped.schedule().initiation_interval, apart.schedule().initiation_interval);
  EXPECT_GE(overlapped.schedule().initiation_interval, schedule::resource_bound(loop.problem));
  EXPECT_TRUE(schedule::verify(loop.problem, overlapped.schedule()).empty());
  schedule::Budget none(0);
  EXPECT_EQ(schedule_loop(loop, cycles_of(made), true, machine, none).failure().kind, schedule::FailureKind::budget);
}

TEST(PipelineLoop, MeetsItsBoundOrStatesTheGap) {
  const SchedulingMachine machine;
  for (const Structure& structure : {Structure{1, {{0}}}, maps_in_order})
    for (const Window& window : {Window{3, 3, 1, 1}, Window{1, 1, 1, 1}, Window{5, 2, 2, 2}}) {
      const Loop loop = problem_of(parts(structure, window));
      schedule::Budget budget(200'000);
      const PipelinedLoop result = pipeline_loop(loop, machine, budget);
      EXPECT_TRUE(schedule::verify(loop.problem, result.schedule).empty());
      EXPECT_EQ(result.certificate.interval, result.schedule.initiation_interval);
      EXPECT_GE(result.certificate.bound, schedule::resource_bound(loop.problem));
      EXPECT_GE(result.certificate.gap(), 0);
      EXPECT_NE(result.certificate.optimal(), !result.certificate.reason.empty());
    }
}

}  // namespace
}  // namespace convscope::nve::test
