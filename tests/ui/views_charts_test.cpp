#include <gtest/gtest.h>

#include "ui/views/network/roofline/roofline_view.h"
#include "ui/views/network/traffic/traffic_view.h"
#include "ui/views/network/utilization/utilization_view.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using test::made_up_run;
using test::made_up_snapshot;

const QRectF chart_area(0, 0, 900, 500);

/// Readings found on a grid over the area.
QStringList readings(const ViewPainter& painter) {
  QStringList found;
  for (int y = 2; y < 500; y += 3) {
    for (int x = 2; x < 900; x += 3) {
      const QString reading = painter.reading(QPointF(x, y), chart_area);
      if (!reading.isEmpty() && !found.contains(reading)) found << reading;
    }
  }
  return found;
}

TEST(ViewsUtilization, ComparesByTheFigureThatIsPublishedToo) {
  const Snapshot snapshot = made_up_snapshot();
  EXPECT_EQ(utilization_metric(*snapshot.compiled, snapshot.published.get()).key, "mac_per_instruction");
  EXPECT_EQ(utilization_metric(*snapshot.compiled, nullptr).key, "utilization");
  const auto chart = make_utilization_chart(snapshot);
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->stacks.size(), 3U);  // ours, by hand, automatic; not the other network's
  EXPECT_EQ(chart->stacks[1].name, "by hand");
  EXPECT_EQ(chart->stacks[1].origin, Origin::published);
  EXPECT_EQ(chart->stacks[1].parts[0].values[0], 12);
  EXPECT_TRUE(std::isnan(chart->stacks[1].parts[0].values[1]));
  EXPECT_EQ(chart->stacks[1].parts[0].values[2], 11);
  EXPECT_EQ(chart->categories.back().name, "total");
  EXPECT_TRUE(std::isnan(chart->stacks[0].parts[0].values[1]));  // not mapped
}

TEST(ViewsUtilization, ShowsEachLevelOnce) {
  Snapshot snapshot = made_up_snapshot();
  snapshot.levels = {made_up_run("none"), made_up_run("best"), nullptr};
  const auto chart = make_utilization_chart(snapshot);
  EXPECT_EQ(chart->stacks.size(), 4U);
}

TEST(ViewsTraffic, StacksDirectionsPerLevel) {
  Snapshot snapshot = made_up_snapshot();
  snapshot.levels = {made_up_run("none")};
  const auto chart = make_traffic_chart(snapshot);
  ASSERT_EQ(chart->stacks.size(), 2U);
  ASSERT_EQ(chart->stacks[0].parts.size(), 3U);
  EXPECT_EQ(chart->stacks[0].parts[0].values[0], 4000);
  EXPECT_EQ(chart->stacks[0].parts[1].values[0], 3000);
  EXPECT_EQ(chart->stacks[0].parts[2].values[0], 100);
}

TEST(ViewsCharts, BarsAreReadAndSelectTheirLayer) {
  const auto painter = make_utilization_painter(made_up_snapshot());
  const QStringList found = readings(*painter);
  EXPECT_TRUE(found.contains("L1 · by hand\n12 (published)")) << found.join(" | ").toStdString();
  EXPECT_TRUE(found.contains("L1 · best\n8 (derived)")) << found.join(" | ").toStdString();
  bool selects = false;
  for (int x = 0; x < 900 && !selects; x += 3) {
    const auto ref = painter->hit(QPointF(x, 300), chart_area);
    selects = ref && ref->layer == 0;
  }
  EXPECT_TRUE(selects);
}

TEST(ViewsCharts, ThinPartsOfAStackCanStillBeRead) {
  const QStringList found = readings(*make_traffic_painter(made_up_snapshot()));
  EXPECT_TRUE(found.contains("L1 · best · coefficients in\n100 bytes (derived)")) << found.join(" | ").toStdString();
  EXPECT_TRUE(found.contains("L1 · best · pixels in\n4000 bytes (derived)")) << found.join(" | ").toStdString();
}

TEST(ViewsRoofline, RoofsMeetAtTheRidge) {
  const auto chart = make_roofline_chart(made_up_snapshot());
  ASSERT_TRUE(chart);
  const auto flat = chart->segment(chart->roofline().roofs[0]);
  const auto slanted = chart->segment(chart->roofline().roofs[1]);
  EXPECT_NEAR(slanted.x1, 3.2, 1e-9);
  EXPECT_NEAR(slanted.y1, 3.2e9, 1);
  EXPECT_NEAR(flat.x0, 3.2, 1e-9);
  EXPECT_GE(chart->y_range().upper, 3.2e9);
  EXPECT_LE(chart->y_range().lower, 4e7);
}

TEST(ViewsRoofline, PointsAreReadAndSelectTheirLayer) {
  const auto painter = make_roofline_painter(made_up_snapshot());
  const QStringList found = readings(*painter);
  ASSERT_EQ(found.size(), 2) << found.join(" | ").toStdString();
  EXPECT_TRUE(found.filter("published").size() == 1);
}

TEST(ViewsRoofline, PointsThatHaveNoLogarithmAreLeftOut) {
  artifact::Roofline roofline;
  roofline.points = {{"L1", 0, 0, 1e9, Origin::derived, "s"}, {"L2", 1, 1, -1, Origin::derived, "s"}};
  const RooflineChart chart(roofline, -1);
  EXPECT_TRUE(chart.roofline().points.empty());
  EXPECT_GT(chart.x_range().lower, 0);
}

}  // namespace
}  // namespace convscope::ui
