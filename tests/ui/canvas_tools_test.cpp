// What canvas views share: the spatial index, minimap, search, the mark of stale results, keys of the network view.

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "netview_networks.h"
#include "tests/ui/session.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/rectangle_grid.h"
#include "ui/parts/stale_mark.h"
#include "ui/theme/range_colour.h"
#include "ui/views/network/network_graph/network_graph_painter.h"
#include "ui/views/program/schedule/schedule_painter.h"
#include "ui/views/program/task_graph/task_graph_painter.h"
#include "ui/window/view_list.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using test::painted;

TEST(RectangleGrid, FindsWhatALinearSearchFinds) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-500, 3000), side(0, 90);
  std::vector<QRectF> boxes;
  for (int i = 0; i < 3000; ++i) boxes.emplace_back(place(random), place(random), side(random), side(random));
  for (int i = 0; i < 20; ++i) boxes.emplace_back(place(random), -500, 0, 4000);  // lines over everything
  boxes.emplace_back(-500, -500, 3500, 3500);
  const RectangleGrid grid(boxes);
  for (int trial = 0; trial < 200; ++trial) {
    const QRectF area(place(random), place(random), 10 * side(random), 3 * side(random));
    std::vector<int> expected;
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
      const QRectF& box = boxes[static_cast<std::size_t>(i)];
      if (box.left() <= area.right() && area.left() <= box.right() && box.top() <= area.bottom() &&
          area.top() <= box.bottom())
        expected.push_back(i);
    }
    EXPECT_EQ(grid.in(area), expected);
  }
  EXPECT_TRUE(RectangleGrid(std::vector<QRectF>()).in(QRectF(0, 0, 1, 1)).empty());
  EXPECT_TRUE(RectangleGrid().in(QRectF(0, 0, 1, 1)).empty());
  EXPECT_EQ(RectangleGrid(std::vector<QRectF>{QRectF(3, 3, 0, 0)}).in(QRectF(0, 0, 5, 5)), std::vector<int>{0});
}

TEST(RangeColour, GrowsBrighterFromEndToEnd) {
  int before = -1;
  for (int i = 0; i <= 20; ++i) {
    const int grey = qGray(range_colour(i / 20.0).rgb());
    EXPECT_GT(grey, before);
    before = grey;
  }
  EXPECT_EQ(range_colour(-3), range_colour(0));
  EXPECT_EQ(range_colour(7), range_colour(1));
}

/// The run before shows what the new one has not reached.
Snapshot stale_snapshot() {
  Snapshot snapshot = test::made_up_snapshot();
  auto running = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  running->layers = {nullptr, nullptr};
  running->complete = false;
  snapshot.previous = snapshot.compiled;
  snapshot.compiled = running;
  return snapshot;
}

TEST(StaleMark, ResultsOfTheRunBeforeSaySoInEveryView) {
  const Snapshot fresh = test::made_up_snapshot(), stale = stale_snapshot();
  EXPECT_FALSE(is_from_run_before(fresh));
  EXPECT_TRUE(is_from_run_before(stale));
  for (const char* id : {"network-graph", "schedule", "task-graph", "program", "memory"}) {
    const auto before = find_view(id)->make_painter(fresh), after = find_view(id)->make_painter(stale);
    const QSize size(800, 500);
    const QImage a = painted(*before, size, light_theme()), b = painted(*after, size, light_theme());
    const QRect corner(640, 478, 160, 22);
    EXPECT_NE(a.copy(corner), b.copy(corner)) << id;
  }
  Snapshot halted = stale;
  halted.compiled.reset();
  EXPECT_TRUE(is_from_run_before(halted));
  EXPECT_FALSE(is_from_run_before(Snapshot()));
}

TEST(TaskGraphColours, ChooseWhatColoursTheOperations) {
  const Snapshot snapshot = test::made_up_snapshot();
  const QSize size(700, 400);
  const auto picture = [&](TaskColour colour) {
    return painted(*make_task_graph_canvas(snapshot, colour), size, dark_theme());
  };
  EXPECT_NE(picture(TaskColour::kind), picture(TaskColour::cycle));
  EXPECT_NE(picture(TaskColour::cycle), picture(TaskColour::criticality));
  auto graph = *test::MadeUpLayer().task_graph(0);
  const TaskGraphScene scene(std::make_shared<const artifact::TaskGraph>(graph), {});
  EXPECT_TRUE(scene.critical(0));  // 'mac' follows at once
  EXPECT_TRUE(scene.tight(graph.dependences[0]));
  EXPECT_FALSE(scene.tight(graph.dependences[1]));
  EXPECT_EQ(scene.search("MAC"), (std::vector<int>{1, 2}));  // by label, and by issue field
  EXPECT_TRUE(scene.search("").empty());
}

TEST(TaskGraphColours, UnscheduledGraphsHaveNoSlack) {
  auto graph = *test::MadeUpLayer().task_graph(0);
  for (auto& operation : graph.operations) operation.cycle = -1;
  const TaskGraphScene scene(std::make_shared<const artifact::TaskGraph>(graph), {});
  EXPECT_FALSE(scene.critical(0));
  EXPECT_FALSE(scene.tight(graph.dependences[0]));
}

class NetworkTools : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        test::open_and_wait(workbench, QStringLiteral(CONVSCOPE_SOURCE_DIR "/tests/models/onnx/small_network.onnx")));
    panel->resize(700, 500);
    panel->show();
    ASSERT_TRUE(test::wait_until([&] { return painter() != nullptr; }));
  }
  NetworkGraphPainter* painter() { return dynamic_cast<NetworkGraphPainter*>(panel->canvas().painter()); }
  std::size_t boxes() { return painter()->scene().drawing().content().boxes.size(); }
  template <typename Widget>
  Widget* tool(const char* name) {
    return panel->findChild<Widget*>(name);
  }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<CanvasPanel> panel{dynamic_cast<CanvasPanel*>(make_network_graph_widget(workbench, nullptr))};
};

TEST_F(NetworkTools, SearchCountsMarksAndSteps) {
  auto* field = tool<QLineEdit>("network_search");
  ASSERT_NE(field, nullptr);
  const auto& layers = workbench.network()->layers;
  const QImage before = panel->canvas().viewport()->grab().toImage();
  QTest::keyClicks(field, QString::fromStdString(layers.back().name));
  EXPECT_NE(panel->canvas().viewport()->grab().toImage(), before);
  QTest::keyClick(field, Qt::Key_Return);
  const int chosen = workbench.snapshot().selection.layer;
  const auto matches = painter()->search(field->text());
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(chosen, matches.front().ref.layer);
  field->setText(QStringLiteral("no layer has this name"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(workbench.snapshot().selection.layer, chosen);
}

TEST_F(NetworkTools, ColourFollowsTheChosenCost) {
  auto* colour = tool<QComboBox>("network_colour");
  ASSERT_EQ(colour->count(), static_cast<int>(box_colours.size()));
  colour->setCurrentIndex(1);
  ASSERT_TRUE(test::wait_until([&] { return painter()->scene().colour() == BoxColour::macs; }));
  ASSERT_TRUE(painter()->scene().range());
  EXPECT_GT(painter()->scene().range()->largest, 0);
}

TEST(NetworkCosts, SumUpWhatABoxHolds) {
  Snapshot snapshot = test::made_up_snapshot();
  snapshot.network = snapshot.compiled->network;
  const auto drawing = std::make_shared<const NetworkDrawing>(snapshot.network, NetworkDetail::operators);
  const NetworkGraphScene scene(drawing, snapshot, BoxColour::cycles);
  EXPECT_EQ(scene.costs(0).cycles, 500);
  EXPECT_EQ(scene.costs(0).bytes, 7100);
  EXPECT_EQ(scene.costs(0).utilization, 0.5);
  EXPECT_EQ(scene.cost(0), 500);
  EXPECT_FALSE(scene.cost(1));  // not mapped
  const CostRange range{10, 1000, true};
  EXPECT_NEAR(range.share(100), 0.5, 1e-9);
  EXPECT_EQ(range.share(10), 0);
  EXPECT_EQ((CostRange{5, 5, true}.share(5)), 0.5);
}

TEST(NetworkFoldingPainter, TheSignOfABranchIsHitAndToggled) {
  Snapshot snapshot;
  snapshot.network = test::residual_network();
  const QRectF area(0, 0, 900, 900);
  const auto canvas = make_network_graph_canvas(snapshot, NetworkDetail::blocks);
  auto* painter = dynamic_cast<NetworkGraphPainter*>(canvas.get());
  ASSERT_NE(painter, nullptr);
  painter->set_viewport({false, 1, {}});
  const Placement placed = place(painter->geometry(area), painter->viewport());
  const int join = painter->scene().drawing().box_of(5);
  const QRectF box = placed.pixel(painter->scene().drawing().place(join));
  const QPointF sign = box.topRight() + QPointF(-11, 11);
  EXPECT_EQ(painter->branch_at(sign, area), 0);
  EXPECT_TRUE(painter->reading(sign, area).startsWith("Fold"));
  EXPECT_EQ(painter->branch_at(box.center(), area), -1);
  const NetworkDrawing folded(snapshot.network, NetworkDetail::blocks, {0});
  EXPECT_EQ(folded.content().boxes.size(), 4U);  // image, first block, the branch, output
}

class CanvasMinimapTest : public testing::Test {
 protected:
  void SetUp() override {
    canvas.resize(600, 500);
    canvas.show();
    Snapshot snapshot;
    snapshot.network = test::long_network(100);
    canvas.set_painter(make_network_graph_canvas(snapshot, NetworkDetail::operators), light_theme());
  }
  QWidget* minimap() { return canvas.viewport()->findChild<QWidget*>("minimap"); }
  CanvasWidget canvas{nullptr};
};

TEST_F(CanvasMinimapTest, IsThereWhereMostIsOutOfSight) {
  EXPECT_TRUE(minimap()->isVisible());
  canvas.fit();
  EXPECT_FALSE(minimap()->isVisible());
}

TEST_F(CanvasMinimapTest, AClickMovesThere) {
  const auto top = [&] {
    return place(canvas.painter()->geometry(canvas.area()), canvas.painter()->viewport()).origin.y();
  };
  EXPECT_EQ(top(), 0);
  QTest::mouseClick(minimap(), Qt::LeftButton, {}, QPoint(minimap()->width() / 2, minimap()->height() - 5));
  EXPECT_GT(top(), 5000);
}

TEST(ScheduleSections, AreReachedByMenuAndKeys) {
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(test::open_and_wait(workbench, test::sample(QStringLiteral("face_detection"))));
  const std::unique_ptr<CanvasPanel> panel(dynamic_cast<CanvasPanel*>(make_schedule_widget(workbench, nullptr)));
  panel->resize(800, 500);
  panel->show();
  const auto painter = [&] { return dynamic_cast<SchedulePainter*>(panel->canvas().painter()); };
  ASSERT_TRUE(test::wait_until([&] { return painter() != nullptr; }));
  auto* menu = panel->findChild<QToolButton*>("schedule_sections")->menu();
  emit menu->aboutToShow();
  ASSERT_GE(menu->actions().size(), 3);
  menu->actions().last()->trigger();  // the epilogue
  ASSERT_TRUE(test::wait_until([&] { return painter()->mode() == ScheduleMode::unrolled; }));
  const auto top = [&] {
    return place(painter()->geometry(panel->canvas().area()), painter()->viewport()).seen().bottom();
  };
  const auto& timeline = painter()->scene().timeline();
  const int last = static_cast<int>(timeline.sections().size()) - 1;
  EXPECT_GE(top(), static_cast<double>(timeline.section_start(last)));
  QTest::keyClick(&panel->canvas(), Qt::Key_BracketLeft);
  EXPECT_LT(top() - 30, static_cast<double>(timeline.section_start(last)));
}

}  // namespace
}  // namespace convscope::ui
