// Task graph, program and memory: what is painted is what is hit.

#include <QElapsedTimer>

#include <gtest/gtest.h>

#include "ui/views/program/listing/program_painter.h"
#include "ui/views/program/memory/memory_painter.h"
#include "ui/views/program/task_graph/task_graph_painter.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using test::act_key;
using test::mac_key;
using test::made_up_snapshot;
using test::painted;

const QRectF area(0, 0, 700, 500);

template <typename Painter>
std::unique_ptr<Painter> cast(std::unique_ptr<CanvasPainter> painter) {
  auto* made = dynamic_cast<Painter*>(painter.get());
  if (made) painter.release();
  return std::unique_ptr<Painter>(made);
}

TEST(ViewsTaskGraph, EveryOperationIsHitWhereItIsPainted) {
  const auto painter = cast<TaskGraphPainter>(make_task_graph_canvas(made_up_snapshot()));
  ASSERT_TRUE(painter);
  painter->set_viewport({false, 1, {}});
  const QImage image = painted(*painter, area.size().toSize(), dark_theme());
  const Placement placed = place(painter->geometry(area), painter->viewport());
  const auto& operations = painter->scene().graph().operations;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const QRectF box = placed.pixel(painter->scene().box(static_cast<int>(i)));
    const auto ref = painter->hit(box.center(), area);
    ASSERT_TRUE(ref);
    EXPECT_EQ(ref->operation, operations[i].key);
    EXPECT_EQ(image.pixelColor((box.topLeft() + QPointF(3, 3)).toPoint()), dark_theme().colour(operations[i].kind));
  }
  EXPECT_FALSE(painter->hit(placed.plot.bottomRight() - QPointF(1, 1), area));
}

TEST(ViewsTaskGraph, RowsAreCyclesAndColumnsAreIssueFields) {
  const auto painter = cast<TaskGraphPainter>(make_task_graph_canvas(made_up_snapshot()));
  const TaskGraphScene& scene = painter->scene();
  EXPECT_TRUE(scene.scheduled());
  EXPECT_EQ(scene.rows(), (std::vector<std::int64_t>{0, 1, 5}));
  EXPECT_LT(scene.box(0).right(), scene.box(1).left());
  EXPECT_EQ(scene.box(1).left(), scene.box(2).left());
}

TEST(ViewsTaskGraph, UnscheduledGraphsAreLaidOutByDepth) {
  auto graph = *test::MadeUpLayer().task_graph(0);
  for (auto& operation : graph.operations) operation.cycle = -1;
  graph.initiation_interval = 0;
  const TaskGraphScene scene(std::make_shared<const artifact::TaskGraph>(graph), {});
  EXPECT_FALSE(scene.scheduled());
  EXPECT_EQ(scene.rows(), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(ViewsTaskGraph, TenThousandOperationsArePaintedQuicklyAtEveryZoom) {
  artifact::TaskGraph graph;
  for (int r = 0; r < 6; ++r) graph.resources.push_back("R" + std::to_string(r));
  for (int i = 0; i < 10'000; ++i) {
    graph.operations.push_back(
        {static_cast<artifact::OperationKey>(i + 1), "operation", artifact::OperationClass::read, i % 6, i / 6});
    for (int back : {1, 7, 40, 300}) {
      if (i >= back) graph.dependences.push_back({i - back, i, 1, 0, artifact::DependenceKind::data});
    }
  }
  const auto scene =
      std::make_shared<const TaskGraphScene>(std::make_shared<const artifact::TaskGraph>(graph), artifact::Ref{0, 0});
  TaskGraphPainter painter(scene);
  painter.select({0, 0, 5000});
  for (const Viewport& viewport : {Viewport{}, Viewport{false, 0.1, {}}, Viewport{false, 1, QPointF(0, 20'000)}}) {
    painter.set_viewport(viewport);
    QElapsedTimer timer;
    timer.start();
    EXPECT_GT(test::drawn_pixels(painted(painter, QSize(1920, 1080), light_theme())), 1000);
    EXPECT_LT(timer.elapsed(), 1000);
  }
}

TEST(ViewsProgram, FieldsAreHitAndMapToOperationAndCycle) {
  const auto painter = cast<ProgramPainter>(make_program_canvas(made_up_snapshot()));
  ASSERT_TRUE(painter);
  painter->set_viewport({false, 1, {}});
  const Placement placed = place(painter->geometry(area), painter->viewport());
  const QPointF row(0, placed.pixel(painter->row_box(4)).center().y());
  const QPointF last_column(placed.pixel(QPointF(painter->geometry(area).content.width() - 5, 0)).x(), row.y());
  const auto ref = painter->hit(last_column, area);
  ASSERT_TRUE(ref);
  EXPECT_EQ(ref->operation, mac_key);
  EXPECT_EQ(ref->cycle, 4);
  EXPECT_TRUE(painter->reading(last_column, area).contains("MAC: mac"));
}

TEST(ViewsProgram, SearchFindsRowsCaseAside) {
  const auto painter = cast<ProgramPainter>(make_program_canvas(made_up_snapshot()));
  EXPECT_EQ(painter->scene().search("MAC"), (std::vector<int>{1, 4}));
  EXPECT_TRUE(painter->scene().search("").empty());
  EXPECT_TRUE(painter->scene().search("no such text").empty());
  painter->set_viewport({false, 1, {}});
  const QImage before = painted(*painter, area.size().toSize(), light_theme());
  painter->search("mac");
  EXPECT_NE(painted(*painter, area.size().toSize(), light_theme()), before);
}

TEST(ViewsProgram, CyclesOfTheRunFindTheirLine) {
  const auto painter = cast<ProgramPainter>(make_program_canvas(made_up_snapshot()));
  const ProgramScene& scene = painter->scene();
  EXPECT_EQ(scene.row_at_cycle(0), 0);
  EXPECT_EQ(scene.row_at_cycle(3 + 3 * 7 + 2), 5);
  EXPECT_EQ(scene.row_at_cycle(65), 8);
  EXPECT_EQ(scene.row_at_cycle(66), -1);
  EXPECT_EQ(scene.rows_of(act_key), (std::vector<int>{5, 8}));
}

TEST(ViewsMemory, BlocksAreHitWhereTheyArePainted) {
  const auto painter = cast<MemoryPainter>(make_memory_canvas(made_up_snapshot()));
  ASSERT_TRUE(painter);
  const QImage image = painted(*painter, area.size().toSize(), light_theme());
  const artifact::MemoryBlock& block = painter->scene().memories()[0].blocks[1];
  const QRectF box = painter->block_box(0, block, area);
  EXPECT_EQ(image.pixelColor((box.bottomRight() - QPointF(8, 8)).toPoint()), light_theme().pixels);
  const auto ref = painter->hit(box.center(), area);
  ASSERT_TRUE(ref);
  EXPECT_GE(ref->word, 8);
  EXPECT_LT(ref->word, 20);
  EXPECT_GE(ref->cycle, 10);
  EXPECT_LT(ref->cycle, 40);
  EXPECT_TRUE(painter->reading(box.center(), area).contains("input 0"));
  EXPECT_TRUE(painter->reading(QPointF(300, 15), area).contains("20 of 64 words"));
}

}  // namespace
}  // namespace convscope::ui
