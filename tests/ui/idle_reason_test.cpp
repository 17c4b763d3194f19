// Empty slots say what the artifacts prove, and nothing else.

#include "ui/views/program/schedule/idle_reason.h"

#include <gtest/gtest.h>

#include "views_fixture.h"

namespace convscope::ui {
namespace {

using artifact::OperationClass;

/// Resources LOAD and MAC, a loop of 3 cycles from cycle 3 to 62, see MadeUpLayer.
QString reason(int resource, std::int64_t cycle) {
  const test::MadeUpLayer layer;
  return idle_reason(*layer.timeline(0), OperationIndex(layer.task_graph(0)), resource, cycle);
}

TEST(IdleReason, BeforeTheLoopItSaysWhenTheSlotIsUsedFirst) {
  EXPECT_TRUE(reason(1, 2).contains("'act' stands in this slot from cycle 5 on")) << reason(1, 2).toStdString();
}

TEST(IdleReason, AfterTheLoopItSaysWhenTheSlotWasUsedLast) {
  EXPECT_TRUE(reason(0, 63).contains("'rd a' stood in this slot until cycle 60")) << reason(0, 63).toStdString();
}

TEST(IdleReason, InTheLoopItCountsWhatTheResourceDoes) {
  EXPECT_TRUE(reason(0, 4).startsWith("LOAD works in 1 of the loop's 3 cycles")) << reason(0, 4).toStdString();
}

TEST(IdleReason, OperationsThatCouldMoveHereAreNamed) {
  // 'rd a' may go back to two cycles before its iteration: the 'anti' dependence allows it.
  EXPECT_TRUE(reason(0, 4).contains("dependences alone would let 'rd a' stand here")) << reason(0, 4).toStdString();
}

TEST(IdleReason, OperationsThatMayNotMoveHereSayWhatHoldsThem) {
  // a -> b -> c without any room, and c of the iteration before must be done when a begins.
  artifact::TaskGraph graph;
  graph.resources = {"X", "Y"};
  graph.operations = {
      {1, "a", OperationClass::read, 1, 0}, {2, "b", OperationClass::read, 0, 1}, {3, "c", OperationClass::read, 1, 2}};
  graph.dependences = {{0, 1, 1, 0}, {1, 2, 1, 0}, {2, 0, 2, 1}};
  graph.initiation_interval = 4;
  const artifact::Timeline timeline({"X", "Y"}, {{"steady state",
                                                  4,
                                                  9,
                                                  0,
                                                  0,
                                                  {{1, 0, 1, 1, 0, OperationClass::read, "a"},
                                                   {0, 1, 1, 2, 0, OperationClass::read, "b"},
                                                   {1, 2, 1, 3, 0, OperationClass::read, "c"}}}});
  const OperationIndex operations(std::make_shared<const artifact::TaskGraph>(graph));
  const QString text = idle_reason(timeline, operations, 0, 2);
  EXPECT_TRUE(text.contains("no operation of X may stand here: 'b', for one, must follow 'a' and go before 'c'"))
      << text.toStdString();
}

TEST(IdleReason, AFullResourceIsNamedAsTheOneThatBinds) {
  const artifact::Timeline timeline({"X", "Y"}, {{"steady state",
                                                  2,
                                                  9,
                                                  0,
                                                  0,
                                                  {{0, 0, 1, 1, 0, OperationClass::read, "a"},
                                                   {1, 0, 1, 3, 0, OperationClass::read, "c"},
                                                   {0, 1, 1, 2, 0, OperationClass::read, "b"}}}});
  const QString text = idle_reason(timeline, OperationIndex(nullptr), 1, 1);
  EXPECT_TRUE(text.contains("the loop can't be shorter: X works in every cycle")) << text.toStdString();
  EXPECT_FALSE(text.contains("stand here"));  // without dependences nothing is known about that
}

TEST(IdleReason, WithoutALoopItSaysWhatStandsAroundTheSlot) {
  const artifact::Timeline timeline(
      {"X"},
      {{"all", 5, 1, 0, -1, {{0, 0, 2, 1, 0, OperationClass::read, "a"}, {0, 4, 1, 2, 0, OperationClass::read, "b"}}}});
  EXPECT_EQ(idle_reason(timeline, OperationIndex(nullptr), 0, 3),
            "X works in 3 of the run's 5 cycles\nthe last before: 'a', until cycle 1\nthe next: 'b', from cycle 4 on");
  const artifact::Timeline empty({"X"}, {});
  EXPECT_TRUE(idle_reason(empty, OperationIndex(nullptr), 0, 0).isEmpty());
}

}  // namespace
}  // namespace convscope::ui
