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

TEST(IdleSlot, ASlotThatNoOperationHasInTheLoopIsNotExplainedOutside) {
  EXPECT_EQ(idle_reason(timeline(), nullptr, 1, 0).slot, Slot::unknown);
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
  EXPECT_EQ(reason.held->after, "c");
  EXPECT_EQ(reason.held->before, "b");
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
  EXPECT_EQ(idle_reason({{"X"}, {{"all", 5, 1, 0, -1, {}}}}, nullptr, 0, 3).slot, Slot::unknown);
  EXPECT_EQ(idle_reason({{"X"}, {}}, nullptr, 0, 0).slot, Slot::unknown);
}

}  // namespace
}  // namespace convscope::schedule
