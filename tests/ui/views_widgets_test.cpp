// The thin widgets around the painters, used as a person does.

#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "ui/parts/canvas/canvas_widget.h"
#include "ui/views/program/schedule/schedule_painter.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

class ViewsCanvasWidget : public testing::Test {
 protected:
  void SetUp() override {
    widget.resize(500, 300);
    widget.show();
    widget.set_painter(make_schedule_canvas(test::made_up_snapshot(1000), ScheduleMode::unrolled), light_theme());
    widget.on_select = [this](const artifact::Ref& ref) { selected.push_back(ref); };
  }

  QRectF area() const { return QRectF(QPointF(0, 0), QSizeF(widget.viewport()->size())); }
  Placement placed() const { return place(widget.painter()->geometry(area()), widget.painter()->viewport()); }
  void turn_wheel(int steps) {
    const QPointF at(300, 150);
    QWheelEvent event(at, widget.viewport()->mapToGlobal(at), {}, QPoint(0, 120 * steps), Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget.viewport(), &event);
  }

  CanvasWidget widget{nullptr};
  std::vector<artifact::Ref> selected;
};

TEST_F(ViewsCanvasWidget, OpensLegiblyAtTheTop) {
  EXPECT_EQ(placed().origin.y(), 0);
  EXPECT_GE(placed().scale.height(), 16);
  EXPECT_GT(widget.verticalScrollBar()->maximum(), 1000);
}

TEST_F(ViewsCanvasWidget, ScrollingMovesThePicture) {
  widget.verticalScrollBar()->setValue(400);
  EXPECT_NEAR(placed().origin.y(), 20, 0.1);
}

TEST_F(ViewsCanvasWidget, ZoomKeepsWhatIsUnderThePointer) {
  widget.verticalScrollBar()->setValue(2000);
  const double before = placed().content(QPointF(300, 150)).y(), scale = placed().scale.height();
  turn_wheel(-3);
  EXPECT_LT(placed().scale.height(), scale);
  EXPECT_NEAR(placed().content(QPointF(300, 150)).y(), before, 0.5);
}

TEST_F(ViewsCanvasWidget, FitShowsTheWholeRunAndZoomingBackIsPossible) {
  widget.fit();
  EXPECT_GE(placed().seen().height(), 3006 - 1e-6);
  turn_wheel(4);
  EXPECT_LT(placed().seen().height(), 3006);
}

TEST_F(ViewsCanvasWidget, ClickSelectsAndDragPansWithoutSelecting) {
  const QPointF cell = placed().pixel(QPointF(0, 0.5)) + QPointF(20, 0);
  QTest::mouseClick(widget.viewport(), Qt::LeftButton, {}, cell.toPoint());
  ASSERT_EQ(selected.size(), 1U);
  EXPECT_EQ(selected[0].operation, test::read_key);
  QTest::mousePress(widget.viewport(), Qt::LeftButton, {}, QPoint(300, 250));
  QMouseEvent move(QEvent::MouseMove, QPointF(300, 150), widget.viewport()->mapToGlobal(QPointF(300, 150)),
                   Qt::NoButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(widget.viewport(), &move);
  QTest::mouseRelease(widget.viewport(), Qt::LeftButton, {}, QPoint(300, 150));
  EXPECT_EQ(selected.size(), 1U);
  EXPECT_NEAR(placed().origin.y(), 5, 0.1);
}

TEST_F(ViewsCanvasWidget, SelectionMadeElsewhereIsScrolledTo) {
  widget.select({0, 0, test::mac_key, 600, 1801});
  const QRectF seen = placed().seen();
  EXPECT_LE(seen.top(), 1801);
  EXPECT_GE(seen.bottom(), 1802);
}

TEST_F(ViewsCanvasWidget, ANewRunOfTheSameProgramKeepsTheViewport) {
  widget.verticalScrollBar()->setValue(2000);
  const double before = placed().origin.y();
  widget.set_painter(make_schedule_canvas(test::made_up_snapshot(900), ScheduleMode::unrolled), light_theme());
  EXPECT_NEAR(placed().origin.y(), before, 1e-6);
  widget.set_painter(make_schedule_canvas(test::made_up_snapshot(900), ScheduleMode::steady_state), light_theme());
  EXPECT_EQ(placed().origin.y(), 0);
}

TEST_F(ViewsCanvasWidget, KeysZoomAndFit) {
  const double scale = placed().scale.height();
  QTest::keyClick(&widget, Qt::Key_Plus);
  EXPECT_GT(placed().scale.height(), scale);
  QTest::keyClick(&widget, Qt::Key_0);
  EXPECT_GE(placed().seen().height(), 3006 - 1e-6);
}

}  // namespace
}  // namespace convscope::ui
