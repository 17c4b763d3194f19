// Empty slots: the facts that timeline and task graph prove. The window's words are its own test's business.

#include "core/schedule/explain/idle_slot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::schedule {
namespace {

using artifact::OperationClass;
using artifact::TaskGraph;
using artifact::Timeline;
using testing::ElementsAre;
using testing::UnorderedElementsAre;
using Slot = IdleReason::Slot;

// a -> b -> c; c of the iteration before must be `turn` cycles over when a begins. X does a and b, Y does c.
TaskGraph graph(int turn) {
  TaskGraph graph;
  graph.resources = {"X", "Y"};
  graph.operations = {
      {1, "a", OperationClass::read, 0, 0}, {2, "b", OperationClass::read, 0, 1}, {3, "c", OperationClass::read, 1, 2}};
  graph.dependences = {{0, 1, 1, 0}, {1, 2, 1, 0}, {2, 0, turn, 1}};
  graph.initiation_interval = 4;
  return graph;
}

// Cycles 0 to 3: a prologue with a and b; then nine times the loop, its c, a and b; then three more cycles.
Timeline timeline() {
  return {{"X", "Y"},
          {{"prologue", 4, 1, 0, 0, {{0, 0, 1, 1, 0, OperationClass::read, "a"}}},
           {"steady state",
            4,
            9,
            4,
            0,
            {{0, 0, 1, 1, 1, OperationClass::read, "a"},
             {0, 1, 1, 2, 0, OperationClass::read, "b"},
             {1, 2, 1, 3, 0, OperationClass::read, "c"}}},
           {"epilogue", 3, 1, 8, 8, {}}}};
}

TEST(IdleSlot, BeforeAndAfterTheLoopItIsTheSlotsOperationThatIsMissing) {
  const TaskGraph g = graph(2);
  const IdleReason before = idle_reason(timeline(), &g, 0, 1);
  EXPECT_EQ(before.slot, Slot::before_first);
  EXPECT_EQ(before.occupant, "b");
  EXPECT_EQ(before.occupied, 5);
  const IdleReason after = idle_reason(timeline(), &g, 1, 42);
  EXPECT_EQ(after.slot, Slot::after_last);
  EXPECT_EQ(after.occupant, "c");
  EXPECT_EQ(after.occupied, 38);
}

TEST(IdleSlot, ASlotThatNoOperationHasInTheLoopSaysWhatStandsAroundIt) {
  const IdleReason reason = idle_reason(timeline(), nullptr, 1, 40);
  EXPECT_EQ(reason.slot, Slot::in_run);
  EXPECT_EQ(reason.busy, 9);
  EXPECT_EQ(reason.length, 43);
  ASSERT_TRUE(reason.last);
  EXPECT_EQ(reason.last->label, "c");
  EXPECT_EQ(reason.last->cycle, 38);
  EXPECT_FALSE(reason.next);
  const IdleReason first = idle_reason(timeline(), nullptr, 1, 0);
  EXPECT_FALSE(first.last);
  ASSERT_TRUE(first.next);
  EXPECT_EQ(first.next->cycle, 6);
}

TEST(IdleSlot, WhatDoesNotComeInTheLoopsRhythmIsNotSaidToBeMissing) {
  // b stands a cycle earlier before the loop than in it.
  const Timeline peeled{{"X"},
                        {{"prologue", 4, 1, 0, 0, {{0, 0, 1, 2, 0, OperationClass::read, "b"}}},
                         {"steady state", 4, 9, 4, 0, {{0, 1, 1, 2, 0, OperationClass::read, "b"}}}}};
  EXPECT_EQ(idle_reason(peeled, nullptr, 0, 1).slot, Slot::in_run);
}

TEST(IdleSlot, InTheLoopItCountsAndSaysWhatHoldsTheOperations) {
  const TaskGraph g = graph(2);
  const IdleReason reason = idle_reason(timeline(), &g, 0, 6);
  EXPECT_EQ(reason.slot, Slot::in_loop);
  EXPECT_EQ(reason.busy, 2);
  EXPECT_EQ(reason.length, 4);
  EXPECT_TRUE(reason.full.empty());
  EXPECT_TRUE(reason.movable.empty());
  ASSERT_TRUE(reason.held);
  EXPECT_EQ(reason.held->operation, "a");
  EXPECT_THAT(reason.held->after, ElementsAre("c"));
  EXPECT_THAT(reason.held->before, ElementsAre("b"));
  EXPECT_EQ(reason.held->earliest, 0);
  EXPECT_EQ(reason.held->latest, 0);
  EXPECT_THAT(reason.circle, UnorderedElementsAre("a", "b", "c"));
  EXPECT_EQ(reason.allowed, 4);
}

TEST(IdleSlot, AllThatHoldsAnOperationIsNamed) {
  TaskGraph g = graph(2);
  g.operations.push_back({4, "d", OperationClass::read, 1, 2});  // as late as c, and a waits for both
  g.dependences.push_back({3, 0, 2, 1});
  const IdleReason reason = idle_reason(timeline(), &g, 0, 6);
  ASSERT_TRUE(reason.held);
  EXPECT_THAT(reason.held->after, ElementsAre("c", "d"));
}

TEST(IdleSlot, WithoutACircleThatIsAsLongTheLoopMightBeShorter) {
  const TaskGraph g = graph(1);
  const IdleReason reason = idle_reason(timeline(), &g, 0, 7);
  EXPECT_TRUE(reason.full.empty());
  EXPECT_TRUE(reason.circle.empty());
  EXPECT_EQ(reason.allowed, 3);
}

TEST(IdleSlot, ASecondOfWhatIsFullLeavesWhatTheOthersNeed) {
  const Timeline full{{"X", "Y"},
                      {{"steady state",
                        4,
                        9,
                        0,
                        0,
                        {{0, 0, 1, 1, 0, OperationClass::read, "a"},
                         {0, 1, 1, 2, 0, OperationClass::read, "b"},
                         {1, 1, 1, 5, 0, OperationClass::read, "e"},
                         {0, 2, 1, 3, 0, OperationClass::read, "c"},
                         {0, 3, 1, 4, 0, OperationClass::read, "d"}}}}};
  TaskGraph g;
  g.resources = {"X", "Y"};
  for (int i = 0; i < 4; ++i)
    g.operations.push_back(
        {static_cast<artifact::OperationKey>(i + 1), std::string(1, static_cast<char>('a' + i)), {}, 0, i});
  g.operations.push_back({5, "e", OperationClass::read, 1, 1});
  g.initiation_interval = 4;
  const IdleReason reason = idle_reason(full, &g, 1, 2);
  EXPECT_THAT(reason.full, ElementsAre(0));
  EXPECT_EQ(reason.allowed, 2);
  g.dependences = {{0, 1, 3, 0}, {1, 0, 0, 1}};  // a and b lead around in three cycles
  EXPECT_EQ(idle_reason(full, &g, 1, 2).allowed, 3);
  EXPECT_EQ(idle_reason(full, nullptr, 1, 2).allowed, 0) << "dependences are unknown";
}

TEST(IdleSlot, OperationsThatDependencesLetMoveAreListed) {
  const TaskGraph g = graph(1);  // a may come a cycle earlier, in row 3
  EXPECT_THAT(idle_reason(timeline(), &g, 0, 7).movable, ElementsAre("a"));
  EXPECT_FALSE(idle_reason(timeline(), &g, 0, 7).held);
  EXPECT_TRUE(idle_reason(timeline(), &g, 0, 6).held);
}

TEST(IdleSlot, WithoutAGraphOrALoopNothingIsClaimed) {
  const IdleReason counted = idle_reason(timeline(), nullptr, 0, 6);
  EXPECT_EQ(counted.slot, Slot::in_loop);
  EXPECT_TRUE(counted.movable.empty() && !counted.held);
  const IdleReason run = idle_reason({{"X"}, {{"all", 5, 1, 0, -1, {}}}}, nullptr, 0, 3);
  EXPECT_EQ(run.slot, Slot::in_run);
  EXPECT_TRUE(run.busy == 0 && !run.last && !run.next && run.movable.empty() && !run.held);
  EXPECT_EQ(idle_reason({{"X"}, {}}, nullptr, 0, 0).slot, Slot::unknown);
}

}  // namespace
}  // namespace convscope::schedule
