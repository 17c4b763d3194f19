// The tiling view as a user uses it: slider, playback, keys, strategies, a tiling by hand.

#include "ui/views/layer/tiling/tiling_widget.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/document/workbench.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/layer/tiling/strategy_table.h"

namespace convscope::ui::test {
namespace {

class TilingWidgetTest : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    ASSERT_TRUE(workbench.configure({"nmp", {}, {}, {}}, diagnostics)) << diagnostics.text();
    widget = std::make_unique<TilingWidget>(workbench, nullptr);
    widget->resize(1000, 760);
    widget->show();
    ASSERT_TRUE(open_and_wait(workbench, sample("squeezenet_1_0")));
    ASSERT_TRUE(ready());
  }

  bool ready() {
    return wait_until([&] {
      return !workbench.busy() && widget->settled() && widget->shown() != nullptr &&
             widget->shown()->subject().layer == workbench.snapshot().selection.layer &&
             table().model()->rowCount() > 0;
    });
  }
  StrategyTable& table() { return *widget->findChild<StrategyTable*>(); }
  QSlider& slider() { return *widget->findChild<QSlider*>("tiling-slider"); }
  QWidget& canvas() { return *widget->canvas_panel().canvas().viewport(); }
  void trigger(const char* action) { widget->findChild<QAction*>(action)->trigger(); }
  QSpinBox& box(const char* name) { return *widget->findChild<QSpinBox*>(QString("tiling-size-") + name); }
  QString result() { return widget->findChild<QLabel*>("tiling-hand-result")->text(); }
  /// The lower right corner of the first OUT tile in use.
  QPointF corner_of_tile() {
    const QRectF area(QPointF(), QSizeF(canvas().size()));
    const QRectF front = widget->shown()->front_of(artifact::TileTensor::output, area);
    const auto& size = widget->shown()->scene().plan().tensor(artifact::TileTensor::output).size;
    const artifact::TileBox tile = widget->shown()->shown_step().work.front().output;
    return {front.left() + front.width() * static_cast<double>(tile.size[2]) / static_cast<double>(size[2]),
            front.top() + front.height() * static_cast<double>(tile.size[1]) / static_cast<double>(size[1])};
  }
  void drag_to(QPointF place) {
    QMouseEvent move(QEvent::MouseMove, place, canvas().mapToGlobal(place), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&canvas(), &move);
  }
  void click_row(int row) {
    const QModelIndex index = table().model()->index(row, 0);
    table().scrollTo(index);
    const QPoint at = table().visualRect(index).center();
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
  }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<TilingWidget> widget;
};

TEST_F(TilingWidgetTest, SliderAndKeysWalkThroughTheSteps) {
  const std::int64_t steps = widget->shown()->scene().plan().steps();
  ASSERT_GT(steps, 10);
  slider().setValue(7);
  EXPECT_EQ(widget->shown()->step(), 7);
  QTest::keyClick(&widget->canvas_panel().canvas(), Qt::Key_Right);
  EXPECT_EQ(widget->shown()->step(), 8);
  QTest::keyClick(&widget->canvas_panel().canvas(), Qt::Key_Left);
  EXPECT_EQ(widget->shown()->step(), 7);
  QTest::keyClick(&widget->canvas_panel().canvas(), Qt::Key_End);
  EXPECT_EQ(widget->shown()->step(), steps - 1);
  trigger("tiling-forward");
  EXPECT_EQ(widget->shown()->step(), steps - 1);
  QTest::keyClick(&widget->canvas_panel().canvas(), Qt::Key_Home);
  EXPECT_EQ(widget->shown()->step(), 0);
  EXPECT_EQ(slider().value(), 0);
}

TEST_F(TilingWidgetTest, PlaybackRunsAndPauses) {
  QTest::keyClick(&widget->canvas_panel().canvas(), Qt::Key_Space);
  EXPECT_TRUE(wait_until([&] { return widget->shown()->step() >= 2; }));
  QTest::keyClick(&widget->canvas_panel().canvas(), Qt::Key_Space);
  const std::int64_t paused = widget->shown()->step();
  QTest::qWait(400);
  EXPECT_EQ(widget->shown()->step(), paused);
}

TEST_F(TilingWidgetTest, JumpsToTheNextLoad) {
  trigger("tiling-next-in");
  const std::int64_t at = widget->shown()->step();
  EXPECT_GT(at, 0);
  EXPECT_NE(moved_now(widget->shown()->shown_step(), artifact::TileTensor::input), nullptr);
}

TEST_F(TilingWidgetTest, PositionSurvivesARecompilation) {
  const std::int64_t middle = widget->shown()->scene().plan().steps() / 2;
  slider().setValue(static_cast<int>(middle));
  const TilingPainter* before = widget->shown();
  workbench.recompile();
  ASSERT_TRUE(wait_until([&] { return widget->shown() != nullptr && widget->shown() != before; }));
  ASSERT_TRUE(ready());
  EXPECT_EQ(widget->shown()->step(), middle);
  EXPECT_EQ(slider().value(), middle);
}

TEST_F(TilingWidgetTest, StrategiesStandSideBySideAndAClickShowsOne) {
  const auto tools = workbench.snapshot().layer()->tiling_tools();
  ASSERT_EQ(table().model()->rowCount(), static_cast<int>(tools->strategies().size()));
  int chosen = 0, other = -1;
  for (int row = 0; row < table().model()->rowCount(); ++row) {
    const target::Alternative& each = table().strategies().at(row);
    chosen += each.chosen ? 1 : 0;
    if (!each.chosen && each.plan) other = row;
  }
  EXPECT_EQ(chosen, 1);
  ASSERT_GE(other, 0);
  const std::string title = table().strategies().at(other).plan->title();
  click_row(other);
  EXPECT_TRUE(wait_until([&] { return widget->shown()->scene().plan().title() == title; }));
  widget->findChild<QWidget*>("tiling-hand-reset")->setFocus();
  QTest::mouseClick(widget->findChild<QWidget*>("tiling-hand-reset"), Qt::LeftButton);
  EXPECT_TRUE(wait_until([&] { return widget->shown()->scene().plan().title() != title; }));
}

TEST_F(TilingWidgetTest, TableSortsAndCopies) {
  const int time = table().strategies().time_column();
  table().sortByColumn(time, Qt::AscendingOrder);
  EXPECT_TRUE(table().model()->index(0, 0).data().toString().startsWith("●"));
  trigger("tiling-copy-strategies");
  const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), table().model()->rowCount() + 1);
  for (const QString& line : lines) EXPECT_EQ(line.count('\t'), lines.front().count('\t'));
  EXPECT_TRUE(lines.front().startsWith("Strategy\tT_R"));
}

TEST_F(TilingWidgetTest, ATilingByHandIsEvaluatedAndShown) {
  const int smaller = std::max(1, box("T_R").value() / 2);
  ASSERT_NE(smaller, box("T_R").value());
  box("T_R").setValue(smaller);
  ASSERT_TRUE(wait_until([&] { return widget->settled() && result().startsWith("Fits"); })) << result().toStdString();
  EXPECT_TRUE(result().contains("chosen"));
  EXPECT_TRUE(
      wait_until([&] { return widget->shown()->scene().content().choice.kind == TilingChoice::Kind::by_hand; }));
  EXPECT_EQ(widget->shown()->scene().content().shown.sizes[0].value, smaller);
  EXPECT_EQ(table().strategies().rowCount(), static_cast<int>(table().strategies().alternatives().size()) + 1);
}

TEST_F(TilingWidgetTest, ATilingThatDoesNotFitSaysWhichMemoryOverruns) {
  for (const char* name : {"T_R", "T_C", "T_N", "T_M"}) box(name).setValue(box(name).maximum());
  ASSERT_TRUE(wait_until([&] { return widget->settled() && result().startsWith("Does not fit"); }));
  EXPECT_TRUE(result().contains("too many")) << result().toStdString();
  ASSERT_TRUE(wait_until([&] { return !widget->shown()->scene().content().shown.fits; }));
  const auto& memories = widget->shown()->scene().plan().memories();
  EXPECT_TRUE(std::any_of(memories.begin(), memories.end(), [](const auto& m) { return m.used > m.capacity; }));
}

TEST_F(TilingWidgetTest, DraggingACornerOfOutMakesATilingByHand) {
  const QRectF area(QPointF(), QSizeF(canvas().size()));
  const QRectF front = widget->shown()->front_of(artifact::TileTensor::output, area);
  const artifact::TileBox tile = widget->shown()->shown_step().work.front().output;
  const QPointF corner = corner_of_tile();
  ASSERT_TRUE(widget->shown()->edge_at(corner, area));
  const auto before = widget->evaluations();
  const QPointF target = front.topLeft() + (corner - front.topLeft()) / 2;
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, corner.toPoint());
  for (int i = 0; i < 5; ++i) drag_to(target);
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, target.toPoint());
  ASSERT_TRUE(wait_until([&] {
    return widget->settled() && widget->shown()->scene().content().choice.kind == TilingChoice::Kind::by_hand;
  }));
  EXPECT_LT(box("T_R").value() * box("T_C").value(), tile.size[1] * tile.size[2]);
  EXPECT_LE(widget->evaluations() - before, 2);  // the same place asks once, and once more when it is let go
}

TEST_F(TilingWidgetTest, ADragEndsWhenItsTileIsGone) {
  const QPointF corner = corner_of_tile();
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, corner.toPoint());
  drag_to(corner - QPointF(5, 5));
  ASSERT_TRUE(widget->shown()->preview());
  // The same plan again: the drag goes on.
  const TilingPainter* before = widget->shown();
  workbench.recompile();
  ASSERT_TRUE(wait_until([&] { return widget->shown() != nullptr && widget->shown() != before; }));
  ASSERT_TRUE(ready());
  drag_to(corner - QPointF(9, 9));
  ASSERT_TRUE(widget->shown()->preview());
  // Other machines tile otherwise, or offer no sizes that could be dragged.
  for (const QString target : {"snowflake", "nve", "nmp"}) {
    workbench.set_target(target);
    ASSERT_TRUE(wait_until([&] { return workbench.target()->id() == target.toStdString() && !workbench.busy(); }));
    ASSERT_TRUE(wait_until([&] { return widget->settled(); }));
    QTest::qWait(100);
    for (const double there : {30.0, 60.0, 90.0}) drag_to(corner - QPointF(there, there));
    if (widget->shown() != nullptr) {
      EXPECT_FALSE(widget->shown()->preview()) << target.toStdString();
    }
  }
  const auto evaluated = widget->evaluations();
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, corner.toPoint());
  EXPECT_EQ(widget->evaluations(), evaluated);
}

TEST_F(TilingWidgetTest, ADragOfAParameterComparesOnceAtItsEnd) {
  const auto before = widget->comparisons();
  const auto found = workbench.machine().description().find("burst");
  ASSERT_TRUE(found);
  const auto parameter = static_cast<int>(*found);
  const double start = workbench.machine().get("burst");
  for (int i = 0; i < 6; ++i) workbench.set_parameter(parameter, i % 2 == 0 ? start * 2 : start, 17);
  workbench.set_parameter(parameter, start * 2, 17);
  ASSERT_TRUE(ready());
  EXPECT_TRUE(wait_until([&] { return widget->comparisons() > before && widget->settled(); }));
  EXPECT_LE(widget->comparisons() - before, 3);
}

TEST_F(TilingWidgetTest, AnotherLayerShowsItsChosenTiling) {
  box("T_C").setValue(1);
  ASSERT_TRUE(wait_until([&] { return widget->settled() && widget->choice().kind == TilingChoice::Kind::by_hand; }));
  artifact::Ref ref;
  ref.layer = 3;  // the next convolution
  workbench.select(ref);
  ASSERT_TRUE(ready());
  EXPECT_TRUE(wait_until([&] { return widget->shown()->scene().content().choice.kind == TilingChoice::Kind::chosen; }));
  EXPECT_EQ(widget->shown()->scene().plan().title(), workbench.snapshot().layer()->tile_plan()->title());
}

TEST_F(TilingWidgetTest, ATargetWithoutPlansLeavesWords) {
  workbench.set_target("nve");
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && widget->settled() && widget->shown() == nullptr; }));
  EXPECT_FALSE(slider().isVisible());
  EXPECT_FALSE(table().isVisible());
}

}  // namespace
}  // namespace convscope::ui::test
