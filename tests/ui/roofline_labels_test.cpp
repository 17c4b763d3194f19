// Names in a roofline of many layers: apart from each other, the important ones first; a baseline's own roofs.

#include "ui/views/network/roofline/roofline_labels.h"

#include <QRandomGenerator>
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/plot/label_placement.h"
#include "ui/views/network/roofline/roofline_view.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

const QRectF inside(0, 0, 600, 400);

bool apart(const std::vector<std::optional<QRectF>>& places) {
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      if (places[a] && places[b] && places[a]->intersects(*places[b])) return false;
    }
  }
  return true;
}

TEST(LabelPlacement, NoneLiesOnAnotherOrOnAPointOrOutside) {
  QRandomGenerator random(7);
  std::vector<LabelWish> wishes;
  std::vector<QPointF> marks;
  for (int i = 0; i < 120; ++i) {
    wishes.push_back({QPointF(random.bounded(600), random.bounded(400)), QSizeF(20 + random.bounded(60), 14)});
    marks.push_back(wishes.back().point);
  }
  const auto places = place_labels(wishes, marks, inside);
  ASSERT_EQ(places.size(), wishes.size());
  EXPECT_TRUE(apart(places));
  int placed = 0;
  for (const auto& place : places) {
    if (!place) continue;
    ++placed;
    EXPECT_TRUE(inside.contains(*place));
    for (const QPointF& mark : marks) EXPECT_FALSE(place->contains(mark));
  }
  EXPECT_GT(placed, 20);
  EXPECT_LT(placed, 120);
}

TEST(LabelPlacement, TheFirstChooseAndWhatMustBePlacedIs) {
  const QPointF spot(300, 200);
  std::vector<LabelWish> wishes(20, {spot, QSizeF(50, 14)});
  const auto places = place_labels(wishes, {spot}, inside);
  EXPECT_TRUE(places.front());
  EXPECT_FALSE(places.back());
  EXPECT_TRUE(apart(places));
  // Surrounded by points: only what must be placed is.
  std::vector<QPointF> crowd;
  for (int x = 200; x <= 400; x += 8)
    for (int y = 150; y <= 250; y += 8) crowd.emplace_back(x, y);
  EXPECT_FALSE(place_labels({{spot, QSizeF(50, 14)}}, crowd, inside).front());
  EXPECT_TRUE(place_labels({{spot, QSizeF(50, 14), true}}, crowd, inside).front());
  EXPECT_FALSE(place_labels({{QPointF(900, 900), QSizeF(50, 14), true}}, {}, inside).front());
}

artifact::Roofline many_layers() {
  artifact::Roofline roofline;
  roofline.roofs = {{"peak", 1e9, 0, Origin::derived}, {"memory", 0, 1e8, Origin::derived}};
  roofline.points = {{"slow", 0, 20, 1e7, Origin::derived, "s"}, {"front", 1, 5, 4e8, Origin::derived, "s"},
                     {"front", 1, 5, 3e8, Origin::derived, "t"}, {"middle", 2, 4, 2e8, Origin::derived, "s"},
                     {"wide", 3, 50, 1e8, Origin::derived, "s"}, {"selected", 4, 3, 2.9e8, Origin::derived, "s"}};
  return roofline;
}

TEST(RooflineLabels, SelectedFirstThenTheFrontThenTheFarthestFromTheRoof) {
  const artifact::Roofline roofline = many_layers();
  QStringList names;
  for (const auto* point : points_to_name(roofline, 4)) names << QString::fromStdString(point->name);
  EXPECT_EQ(names, (QStringList{"selected", "wide", "front", "slow", "middle"}));
  EXPECT_EQ(points_to_name(roofline, 4)[2]->operations_per_second, 4e8);  // the highest of its layer
  EXPECT_TRUE(points_to_name({}, 0).empty());
}

TEST(RooflineLabels, VeryManyLayersAreDrawnAllTheSame) {
  artifact::Roofline roofline = many_layers();
  for (int i = 0; i < 3000; ++i)
    roofline.points.push_back(
        {"layer " + std::to_string(i), 10 + i, 1.0 + i % 50, 1e7 * (1 + i % 60), Origin::derived, "s"});
  const ChartPainter painter(std::make_shared<RooflineChart>(roofline, 4));
  const QImage few =
      test::painted(ChartPainter(std::make_shared<RooflineChart>(many_layers(), 4)), {900, 600}, light_theme());
  EXPECT_NE(test::painted(painter, {900, 600}, light_theme()), few);
  EXPECT_LE(points_to_name(roofline, 4).size(), 300u);
}

TEST(Roofline, MarksOnOneSpotAreReadTogether) {
  std::vector<ChartTarget> targets;
  targets.reserve(7);
  for (int i = 0; i < 6; ++i) targets.push_back({QRectF(0, 0, 10, 10), i, QStringLiteral("L%1").arg(i), true});
  const QString reading = reading_at(targets, {5, 5});
  EXPECT_TRUE(reading.startsWith("L5\n\nL4")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("and 2 more")) << reading.toStdString();
  EXPECT_EQ(reading_at(targets, {50, 5}), "");
  targets.push_back({QRectF(0, 0, 10, 10), 9, "a bar"});
  EXPECT_EQ(reading_at(targets, {5, 5}), "a bar");
}

TEST(Roofline, TheBaselinesOwnRoofsAreDrawnWhereTheyDiffer) {
  const std::vector<artifact::Roof> before = {{"peak", 1e9, 0, Origin::derived}, {"memory", 0, 4e8, Origin::derived}};
  const RooflineChart chart(many_layers(), 0, {}, "before", before);
  ASSERT_EQ(chart.baseline_roofs().size(), 1u);
  EXPECT_EQ(chart.baseline_roofs()[0].name, "memory");
  EXPECT_NE(chart.csv().find("memory,\"roof, before (baseline)\",,0,400000000"), std::string::npos) << chart.csv();
  const RooflineChart alone(many_layers(), 0);
  EXPECT_NE(test::painted(ChartPainter(std::make_shared<RooflineChart>(chart)), {900, 600}, light_theme()),
            test::painted(ChartPainter(std::make_shared<RooflineChart>(alone)), {900, 600}, light_theme()));
  EXPECT_TRUE(RooflineChart(many_layers(), 0, {}, "same", many_layers().roofs).baseline_roofs().empty());
}

}  // namespace
}  // namespace convscope::ui
