#include <QElapsedTimer>

#include <gtest/gtest.h>

#include "ui/views/program/schedule/schedule_painter.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using test::mac_key;
using test::made_up_snapshot;
using test::painted;

const QRectF schedule_area(0, 0, 600, 400);

std::unique_ptr<SchedulePainter> schedule(const Snapshot& snapshot, ScheduleMode mode) {
  auto painter = make_schedule_canvas(snapshot, mode);
  auto* made = dynamic_cast<SchedulePainter*>(painter.get());
  if (made) painter.release();
  return std::unique_ptr<SchedulePainter>(made);
}

/// Centre of a cell at a cycle of the shown range, from the geometry alone.
QPointF cell_centre(const SchedulePainter& painter, double row, int resource) {
  const Placement placed = place(painter.geometry(schedule_area), painter.viewport());
  const double column = placed.plot.width() / painter.scene().resources();
  return {placed.plot.left() + (resource + 0.5) * column, placed.pixel(QPointF(0, row + 0.5)).y()};
}

TEST(ViewsSchedule, ColourAndHitAgreeForEveryCell) {
  const auto painter = schedule(made_up_snapshot(), ScheduleMode::unrolled);
  ASSERT_TRUE(painter);
  painter->set_viewport({false, 1, {}});
  const QImage image = painted(*painter, schedule_area.size().toSize(), light_theme());
  int cells = 0;
  for (const artifact::PlacedCell& placed : painter->scene().cells({0, 15})) {
    const QPointF centre = cell_centre(*painter, static_cast<double>(placed.begin), placed.cell->resource);
    const auto ref = painter->hit(centre, schedule_area);
    ASSERT_TRUE(ref);
    EXPECT_EQ(ref->operation, placed.cell->operation);
    EXPECT_EQ(ref->cycle, placed.begin);
    EXPECT_EQ(ref->iteration, placed.iteration);
    EXPECT_EQ(ref->layer, 0);
    // Beside the label, the cell has the colour of its kind.
    const QPoint edge(static_cast<int>(centre.x() + 100), static_cast<int>(centre.y()));
    EXPECT_EQ(image.pixelColor(edge), light_theme().colour(placed.cell->kind));
    ++cells;
  }
  EXPECT_EQ(cells, 14);
}

TEST(ViewsSchedule, EmptySlotSelectsItsCycleOnly) {
  const auto painter = schedule(made_up_snapshot(), ScheduleMode::unrolled);
  painter->set_viewport({false, 1, {}});
  const auto ref = painter->hit(cell_centre(*painter, 1, 0), schedule_area);
  ASSERT_TRUE(ref);
  EXPECT_EQ(ref->operation, 0U);
  EXPECT_EQ(ref->cycle, 1);
  EXPECT_TRUE(painter->reading(cell_centre(*painter, 1, 0), schedule_area).startsWith("LOAD idle"));
}

TEST(ViewsSchedule, ReadingNamesOperationPlaceDependencesAndSlack) {
  const auto painter = schedule(made_up_snapshot(), ScheduleMode::unrolled);
  painter->set_viewport({false, 1, {}});
  const QString reading = painter->reading(cell_centre(*painter, 7, 1), schedule_area);
  EXPECT_TRUE(reading.contains("mac · MAC")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("cycle 7, address 4, iteration 2")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("steady state, repetition 2 of 20")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("after rd a (data, ≥ 1 cycle)")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("before act (order, ≥ 2 cycles)")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("slack ")) << reading.toStdString();
}

TEST(ViewsSchedule, SteadyStateShowsOneRepetitionAtItsPlaceInTheRun) {
  const auto painter = schedule(made_up_snapshot(), ScheduleMode::steady_state);
  EXPECT_EQ(painter->geometry(schedule_area).content.height(), 3);
  painter->set_viewport({false, 1, {}});
  const auto ref = painter->hit(cell_centre(*painter, 1, 1), schedule_area);
  ASSERT_TRUE(ref);
  EXPECT_EQ(ref->operation, mac_key);
  EXPECT_EQ(ref->cycle, 4);
  EXPECT_EQ(ref->iteration, 1);
}

TEST(ViewsSchedule, NothingOfAMillionCyclesVanishesAndAPictureIsQuick) {
  const auto painter = schedule(made_up_snapshot(333'331), ScheduleMode::unrolled);
  EXPECT_EQ(painter->scene().timeline().length(), 999'999);
  QElapsedTimer timer;
  timer.start();
  const QImage image = painted(*painter, QSize(1920, 1080), light_theme());  // everything at once
  EXPECT_LT(timer.elapsed(), 1000);
  const QRectF whole(0, 0, 1920, 1080);
  const CanvasGeometry geometry = painter->geometry(whole);
  for (int y = static_cast<int>(geometry.plot.top()) + 2; y < 1075; y += 7) {
    EXPECT_EQ(image.pixelColor(static_cast<int>(geometry.plot.left()) + 2, y), light_theme().read) << y;
  }
  EXPECT_TRUE(painter->hit(geometry.plot.center(), whole));
  EXPECT_TRUE(painter->reading(geometry.plot.center(), whole).contains("cycles a pixel"));
}

TEST(ViewsSchedule, OneCellAmongAMillionCyclesIsStillSeen) {
  const std::vector<artifact::TimelineSection> sections = {
      {"initial", 1'000'000, 1, 0, -1, {{0, 654'321, 1, 7, 0, artifact::OperationClass::write, "wr"}}}};
  const auto timeline = std::make_shared<const artifact::Timeline>(std::vector<std::string>{"PORT"}, sections);
  const auto scene = std::make_shared<const ScheduleScene>(timeline, nullptr, artifact::Ref{0, 0});
  const SchedulePainter painter(scene, ScheduleMode::unrolled);
  const QImage image = painted(painter, schedule_area.size().toSize(), dark_theme());
  const QRectF plot = painter.geometry(schedule_area).plot;
  int seen = 0;
  for (int y = static_cast<int>(plot.top()); y < static_cast<int>(plot.bottom()); ++y) {
    seen += image.pixelColor(static_cast<int>(plot.left()) + 1, y) == dark_theme().write ||
            image.pixelColor(static_cast<int>(plot.left()) + 2, y) == dark_theme().write;
  }
  EXPECT_GE(seen, 1);
}

TEST(ViewsSchedule, BandsCountWhatTheTimelineCounts) {
  const auto painter = schedule(made_up_snapshot(100), ScheduleMode::unrolled);
  const auto& scene = painter->scene();
  double busy[2] = {0, 0};
  for (const ScheduleBand& band : scene.bands(0, 9, 34)) busy[band.resource] += band.busy * 9;
  EXPECT_NEAR(busy[0], static_cast<double>(scene.timeline().busy(0, 0, 306)), 1e-6);
  EXPECT_NEAR(busy[1], static_cast<double>(scene.timeline().busy(1, 0, 306)), 1e-6);
}

TEST(ViewsSchedule, SelectionIsFoundAndOutlined) {
  Snapshot snapshot = made_up_snapshot();
  const auto painter = schedule(snapshot, ScheduleMode::unrolled);
  painter->set_viewport({false, 1, {}});
  const QImage before = painted(*painter, schedule_area.size().toSize(), light_theme());
  artifact::Ref ref{0, 0, mac_key, 2, 7};
  painter->select(ref);
  EXPECT_NE(painted(*painter, schedule_area.size().toSize(), light_theme()), before);
  const auto place = painter->place_of(ref);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->top(), 7);
  ref.cycle = -1;
  EXPECT_EQ(painter->place_of(ref)->top(), 1);
  EXPECT_FALSE(painter->place_of(artifact::Ref{0, 0, 999}));
}

TEST(ViewsSchedule, FirstOccurrenceFollowsRepetitions) {
  const auto timeline = test::MadeUpLayer("", 4).timeline(0);
  EXPECT_EQ(first_occurrence(*timeline, 1, 1, 0, 100), 4);
  EXPECT_EQ(first_occurrence(*timeline, 1, 1, 5, 100), 7);
  EXPECT_EQ(first_occurrence(*timeline, 1, 1, 13, 100), 13);
  EXPECT_EQ(first_occurrence(*timeline, 1, 1, 14, 100), -1);
  EXPECT_EQ(first_occurrence(*timeline, 1, 1, 0, 4), -1);
}

}  // namespace
}  // namespace convscope::ui
