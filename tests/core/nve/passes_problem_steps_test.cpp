// What each step adds to a loop's problem: bodies one behind the other, writes, activations, words held at ports.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/nve/passes/combine_bodies.h"
#include "core/nve/passes/hold_ports.h"
#include "core/nve/passes/insert_activations.h"
#include "core/nve/passes/insert_writes.h"
#include "tests/core/nve/loops.h"

namespace convscope::nve::test {
namespace {

using Kind = LoopOperationKind;

const Structure two_maps{2, {{0}, {1, 0}}};

Loop bodies_of(const Parts& parts, const SchedulingMachine& machine = {}) {
  return combine_bodies(parts.bodies, parts.structure, machine);
}

std::vector<schedule::Dependence> between(const Loop& loop, int from, int to) {
  std::vector<schedule::Dependence> found;
  for (const schedule::Dependence& d : loop.problem.dependences)
    if (d.from == from && d.to == to) found.push_back(d);
  return found;
}

TEST(CombineBodies, GivesBodiesTheirMapsAndInputs) {
  const Parts made = parts(two_maps);
  const Loop loop = bodies_of(made);
  ASSERT_EQ(loop.bodies.size(), 3U);
  EXPECT_EQ(loop.bodies[0], 0);
  EXPECT_EQ(loop.bodies[1], static_cast<int>(made.bodies[0]->operations.size()));
  EXPECT_EQ(loop.first_write(), static_cast<int>(loop.operations.size()));
  EXPECT_EQ(operations_of(loop, Kind::mac), 9 + 18);
  std::set<int> first, second;  // inputs in the order of the map's list: its body's first input is input 1
  for (const LoopOperation& o : loop.operations)
    if (o.kind == Kind::read_pixels) (o.map == 0 ? first : second).insert(o.input);
  EXPECT_EQ(first, std::set<int>{0});
  EXPECT_EQ(second, (std::set<int>{0, 1}));
  const auto read = std::find_if(loop.operations.begin() + loop.bodies[1], loop.operations.end(),
                                 [](const LoopOperation& o) { return o.kind == Kind::read_pixels; });
  EXPECT_EQ(read->input, 1);
}

// The accumulators pass from body to body, and from the last to the first of the next iteration.
TEST(CombineBodies, TiesEachBodyToTheNext) {
  const Parts made = parts(two_maps);
  const Loop loop = bodies_of(made);
  const int last_of_first = made.bodies[0]->bottom, last = loop.bodies[1] + made.bodies[1]->bottom;
  const auto next = between(loop, last_of_first, loop.set_bias[1]), around = between(loop, last, loop.set_bias[0]);
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next[0].distance, 1);
  EXPECT_EQ(next[0].iterations, 0);
  ASSERT_EQ(around.size(), 1U);
  EXPECT_EQ(around[0].distance, 1);
  EXPECT_EQ(around[0].iterations, 1);
}

TEST(InsertWrites, BringsInEachWordOfNewColumnsOnce) {
  for (const int stride : {1, 2, 4}) {
    const Parts made = parts(two_maps, {3, 3, stride, stride});
    Loop loop = bodies_of(made);
    insert_writes(loop, made.window, {});
    const int new_columns = std::min(stride, 3), words = made.window.column({}).words();
    EXPECT_EQ(operations_of(loop, Kind::write_pixels), 2 * new_columns * words) << "stride " << stride;
    for (std::size_t i = 0; i < loop.operations.size(); ++i)
      if (loop.operations[i].kind == Kind::write_pixels) {
        EXPECT_GE(loop.operations[i].column, 3 - new_columns);
        EXPECT_EQ(loop.operations[i].field, write_field(SchedulingMachine{}));
      }
  }
}

// The window moves by one column: what is written for its last is read in its middle an iteration later.
TEST(InsertWrites, ComesBeforeReadsOfLaterIterations) {
  const SchedulingMachine machine{.write_to_read = 5};
  const Parts made = parts({1, {{0}}}, {3, 3, 1, 1}, machine);
  Loop loop = bodies_of(made, machine);
  const int first = loop.first_write();
  insert_writes(loop, made.window, machine);
  std::multiset<int> later;
  for (const schedule::Dependence& d : loop.problem.dependences) {
    if (d.from < first) continue;
    const LoopOperation &write = loop.operations[static_cast<std::size_t>(d.from)],
                        &read = loop.operations[static_cast<std::size_t>(d.to)];
    EXPECT_EQ(read.kind, Kind::read_pixels);
    EXPECT_EQ(d.distance, 5);
    EXPECT_EQ(d.iterations, write.column - read.column);
    EXPECT_EQ(write.word, read.word);
    later.insert(d.iterations);
  }
  EXPECT_EQ(later.count(0), 3U);
  EXPECT_EQ(later.count(1), 3U);
  EXPECT_EQ(later.count(2), 3U);
}

TEST(InsertWrites, UsesTheMachinesWritePort) {
  EXPECT_EQ(write_field({.memory = MemoryKind::true_dual_port}), Field::mema);
  EXPECT_EQ(write_field({.memory = MemoryKind::simple_dual_port}), Field::memw);
  EXPECT_EQ(write_field({.memory = MemoryKind::two_banks}), Field::memw);
}

TEST(InsertActivations, FollowTheBiasThatMovesTheSumsOut) {
  const SchedulingMachine machine{.output_latency = 6};
  const Parts made = parts(two_maps);
  Loop loop = bodies_of(made, machine);
  insert_activations(loop, made.window, machine);
  ASSERT_EQ(loop.first_activation, loop.first_write());
  ASSERT_EQ(operations_of(loop, Kind::activate), 4);
  for (int i = loop.first_activation; i < static_cast<int>(loop.operations.size()); ++i) {
    const LoopOperation& act = loop.operations[static_cast<std::size_t>(i)];
    const int map = act.map, next = 1 - map;
    const auto moved = between(loop, loop.set_bias[static_cast<std::size_t>(next)], i),
               gone = between(loop, i, loop.set_bias[static_cast<std::size_t>(map)]);
    ASSERT_EQ(moved.size(), 1U);
    EXPECT_EQ(moved[0].distance, 6);
    EXPECT_EQ(moved[0].iterations, map == 0 ? 0 : -1);
    ASSERT_EQ(gone.size(), 1U);  // the bias after the next overwrites them
    EXPECT_EQ(gone[0].distance, 1 - 6);
    EXPECT_EQ(gone[0].iterations, 1);
  }
}

TEST(InsertActivations, OfHalfAVectorAreHalfAsMany) {
  Parts made = parts();
  made.window.half_vector = true;
  Loop loop = bodies_of(made);
  insert_activations(loop, made.window, {});
  ASSERT_EQ(operations_of(loop, Kind::activate), 1);
  EXPECT_EQ(loop.operations.back().half, 1);
}

TEST(HoldPorts, TiesEachReadToWhatTakesItsWord) {
  const Parts made = parts();
  Loop loop = bodies_of(made);
  insert_writes(loop, made.window, {});
  const std::size_t before = loop.problem.dependences.size();
  hold_ports(loop);
  const int reads = operations_of(loop, Kind::read_pixels) + operations_of(loop, Kind::read_coefficients);
  EXPECT_EQ(loop.problem.dependences.size() - before, static_cast<std::size_t>(reads));
  for (std::size_t i = 0; i < loop.problem.dependences.size(); ++i) {
    const schedule::Dependence& d = loop.problem.dependences[i];
    EXPECT_EQ(holds_port(loop, d), i >= before) << i;
    if (i < before) continue;
    const auto forth = between(loop, d.to, d.from);
    ASSERT_EQ(forth.size(), 1U);
    EXPECT_EQ(forth[0].distance, -d.distance);
    EXPECT_EQ(forth[0].distance, SchedulingMachine{}.read_to_set);
  }
}

}  // namespace
}  // namespace convscope::nve::test
