#include <gtest/gtest.h>

#include "ui/parts/canvas/canvas.h"
#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

const CanvasGeometry geometry{QRectF(10, 20, 100, 200), QSizeF(50, 1000), QSizeF(1, 4), true, true, 8};

TEST(ViewsCanvas, FitShowsEverything) {
  const Placement placed = place(geometry, {});
  const QRectF seen = placed.seen();
  EXPECT_GE(seen.height(), 1000 - 1e-9);
  EXPECT_GE(seen.width(), 50 - 1e-9);
}

TEST(ViewsCanvas, PixelsAndContentAreInverse) {
  const Placement placed = place(geometry, {false, 2, QPointF(3, 70)});
  const QPointF content(12.5, 88.25);
  const QPointF back = placed.content(placed.pixel(content));
  EXPECT_NEAR(back.x(), content.x(), 1e-9);
  EXPECT_NEAR(back.y(), content.y(), 1e-9);
}

TEST(ViewsCanvas, ViewportStaysInsideTheContent) {
  const Placement far = place(geometry, {false, 1, QPointF(1e6, 1e6)});
  EXPECT_NEAR(far.seen().bottom(), 1000, 1e-9);
  EXPECT_EQ(far.origin.x(), 0);  // all of the width is seen
  EXPECT_EQ(place(geometry, {false, 1, QPointF(-5, -5)}).origin, QPointF(0, 0));
}

TEST(ViewsCanvas, ZoomIsLimited) {
  EXPECT_EQ(place(geometry, {false, 1e9, {}}).scale.height(), 32);
}

TEST(ViewsCanvas, AxesThatDontZoomKeepTheirUnit) {
  CanvasGeometry rows = geometry;
  rows.zooms_x = false;
  EXPECT_EQ(place(rows, {false, 3, {}}).scale, QSizeF(1, 12));
}

TEST(ViewsDrawing, TickStepsAreRound) {
  EXPECT_EQ(tick_step(0.001), 1);
  EXPECT_EQ(tick_step(1.5), 2);
  EXPECT_EQ(tick_step(3), 5);
  EXPECT_EQ(tick_step(51'000), 100'000);
}

TEST(ViewsDrawing, CsvFieldsAreQuotedWhereNeeded) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
}

TEST(ViewsDrawing, DigitsAreGroupedInThrees) {
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(-1234567), "-1,234,567");
}

}  // namespace
}  // namespace convscope::ui
