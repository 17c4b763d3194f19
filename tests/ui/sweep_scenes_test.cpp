// Axes, grids, colours and scenes of a sweep's charts, without a window.

#include <QRandomGenerator>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "tests/ui/made_up_sweep.h"
#include "ui/views/machines/sweep_parallel/brush_edit.h"
#include "ui/views/machines/sweep_parallel/line_density.h"
#include "ui/views/machines/sweep_parallel/parallel_scene.h"
#include "ui/views/machines/sweep_plot/plot_axes.h"
#include "ui/views/machines/sweep_scatter/scatter_picture.h"

namespace convscope::ui::test {
namespace {

using explore::SweepColumn;
using explore::SweepTable;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

QStringList labels(const std::vector<PlotTick>& ticks) {
  QStringList found;
  for (const PlotTick& tick : ticks)
    if (!tick.label.isEmpty()) found << tick.label;
  return found;
}

SweepColumn column_of(const std::vector<double>& values, const char* unit = "") {
  auto table = table_of(values, values);
  SweepColumn column = table->columns[1];
  column.unit = unit;
  return column;
}

int marked_pixels(const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += qAlpha(image.pixel(x, y)) > 0;
  return count;
}

TEST(PlotScale, LiesEvenlyWithOneUnitForAllLabels) {
  const PlotScale scale(column_of({0.001, 0.0024}, "s"), false);
  EXPECT_EQ(scale.title(), "Time (ms, derived)");
  EXPECT_EQ(labels(scale.ticks(scale.first(), scale.last(), 4)), (QStringList{"1.0", "1.5", "2.0"}));
  EXPECT_DOUBLE_EQ(scale.place(0.002), 0.002);
  EXPECT_TRUE(std::isnan(scale.place(absent)));
}

TEST(PlotScale, LogarithmsLeaveOutWhatHasNone) {
  const PlotScale scale(column_of({0, absent, 10, 1000, -5}, "byte"), true);
  EXPECT_EQ(scale.kind(), PlotScale::Kind::logarithmic);
  EXPECT_DOUBLE_EQ(scale.first(), 1);
  EXPECT_DOUBLE_EQ(scale.last(), 3);
  EXPECT_TRUE(std::isnan(scale.place(0)));
  EXPECT_TRUE(std::isnan(scale.place(-5)));
  EXPECT_DOUBLE_EQ(scale.value(scale.place(50)), 50);
  EXPECT_EQ(labels(scale.ticks(1, 3, 3)), (QStringList{"10 byte", "100 byte", "1000 byte"}));
}

TEST(PlotScale, WithoutAPositiveValueThereIsNoLogarithm) {
  EXPECT_EQ(PlotScale(column_of({0, -3}), true).kind(), PlotScale::Kind::even);
  EXPECT_EQ(PlotScale(column_of({absent}), true).kind(), PlotScale::Kind::even);
}

TEST(PlotScale, EqualValuesLieInTheMiddle) {
  for (const bool logarithmic : {false, true}) {
    const PlotScale scale(column_of({7, 7, 7}), logarithmic);
    EXPECT_GT(scale.last(), scale.first());
    EXPECT_NEAR(scale.place(7), (scale.first() + scale.last()) / 2, 1e-9);
    EXPECT_FALSE(scale.ticks(scale.first(), scale.last(), 5).empty());
  }
}

TEST(PlotScale, NamesStandSideBySide) {
  const auto table = made_up_sweep(50);
  const PlotScale scale(*table->column("level"), true);
  EXPECT_EQ(scale.kind(), PlotScale::Kind::named);
  EXPECT_EQ(labels(scale.ticks(-0.5, 1.5, 5)), (QStringList{"plain", "tuned"}));
  EXPECT_EQ(column_value(*table->column("level"), 1), "tuned");
}

TEST(PlotScale, FewValuesOfAMachineAreTheTicks) {
  const auto table = made_up_sweep(400);
  const PlotScale scale(*table->column("made.memory"), true);
  const auto ticks = scale.ticks(scale.first(), scale.last(), 20);
  EXPECT_EQ(labels(ticks), (QStringList{"4096", "8192", "16384", "32768", "65536", "131072", "262144"}));
}

TEST(PlotScale, AnyStretchHasAFewTicks) {
  const PlotScale even(column_of({1e-9, 3e11}), false), logarithmic(column_of({1e-9, 3e11}), true);
  for (const PlotScale* scale : {&even, &logarithmic}) {
    const double width = scale->last() - scale->first();
    for (int zoom = 0; zoom < 13; ++zoom) {
      const double part = std::pow(3.0, -zoom);
      const auto ticks = scale->ticks(scale->first() + width / 3, scale->first() + width / 3 + width * part, 8);
      EXPECT_LE(ticks.size(), 220U);
      EXPECT_GE(labels(ticks).size(), 1) << part;
      EXPECT_LE(labels(ticks).size(), 27) << part;
    }
  }
  EXPECT_TRUE(even.ticks(1, 1, 5).empty());
  const PlotScale far(column_of({1e15, 1e15 + 2000.5}), false);
  EXPECT_LE(far.ticks(1e15 + 1, 1e15 + 1.002, 8).size(), 200U) << "numbers can't tell the values apart";
}

TEST(PointGrid, FindsWhatAScanFinds) {
  QRandomGenerator random(5);
  std::vector<QPointF> points;
  points.reserve(3000);
  for (int i = 0; i < 3000; ++i) points.emplace_back(random.bounded(100.0), 1e6 * random.generateDouble());
  const PointGrid grid(points);
  const QSizeF scale(12, 8e-4);
  for (int i = 0; i < 300; ++i) {
    const QPointF place(random.bounded(120.0) - 10, 1e6 * (1.2 * random.generateDouble() - 0.1));
    int nearest = -1;
    double least = 100;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double dx = (points[p].x() - place.x()) * scale.width(), dy = (points[p].y() - place.y()) * scale.height();
      if (dx * dx + dy * dy >= least) continue;
      least = dx * dx + dy * dy;
      nearest = static_cast<int>(p);
    }
    EXPECT_EQ(grid.nearest(place, scale, 10), nearest);
  }
}

TEST(PointGrid, NoneAndOneAndAllAtOnePlace) {
  EXPECT_EQ(PointGrid().nearest({0, 0}, {1, 1}, 10), -1);
  EXPECT_EQ(PointGrid(std::vector<QPointF>{{3, 4}}).nearest({3, 9}, {1, 1}, 10), 0);
  EXPECT_EQ(PointGrid(std::vector<QPointF>{{3, 4}}).nearest({3, 40}, {1, 1}, 10), -1);
  EXPECT_EQ(PointGrid(std::vector<QPointF>(1000, {3, 4})).nearest({3, 4}, {1, 1}, 10), 999) << "the topmost";
}

TEST(ColourCoding, RangesNamesAndNothing) {
  const auto table = made_up_sweep(100);
  const ColourCoding none(nullptr), cores(table->column("made.cores")), level(table->column("level"));
  EXPECT_EQ(none.kind(), ColourCoding::Kind::none);
  EXPECT_EQ(none.index(absent), 1);
  EXPECT_NE(none.palette(light_theme())[none.index(0, true)], none.palette(light_theme())[none.index(0, false)]);
  EXPECT_EQ(cores.index(3, true), cores.index(3, false)) << "a colour means a value";
  EXPECT_EQ(cores.index(absent), 0);
  EXPECT_EQ(cores.index(table->column("made.cores")->least), 1);
  EXPECT_EQ(cores.index(table->column("made.cores")->most), 255);
  EXPECT_NE(level.index(0), level.index(1));
  EXPECT_NE(level.shape(0), level.shape(1)) << "never by colour alone";
  EXPECT_EQ(ColourCoding(&table->columns[0]).palette(light_theme())[0], light_theme().baseline.rgb());
  const SweepColumn equal = column_of({2, 2});
  EXPECT_EQ(ColourCoding(&equal).index(2), 128);
}

TEST(ScatterScene, ShowsTheFirstObjectivesUnlessToldOtherwise) {
  const ScatterScene scene(made_up_sweep(300), {}, {});
  EXPECT_EQ(scene.x_column().key, "seconds");
  EXPECT_EQ(scene.y_column().key, "on_chip_bits");
  SweepLook look;
  look.x = "made.cores";
  look.y = "no such column";
  const ScatterScene other(made_up_sweep(300), look, {});
  EXPECT_EQ(other.x_column().key, "made.cores");
  EXPECT_EQ(other.y_column().key, "on_chip_bits");
  EXPECT_TRUE(other.front_line().empty()) << "cores are no objective";
}

TEST(ScatterScene, ColumnsThatThereAreNotDoNotColour) {
  SweepLook look;
  look.colour = "no such column";
  look.size = "level";  // names have no size
  const ScatterScene scene(made_up_sweep(20), look, {});
  EXPECT_EQ(scene.colours().kind(), ColourCoding::Kind::none);
  EXPECT_EQ(scene.size_column(), nullptr);
  EXPECT_EQ(ParallelScene(made_up_sweep(20), look, {}).colours().kind(), ColourCoding::Kind::none);
}

TEST(ScatterScene, DrawsTheFrontLastAndAsSteps) {
  const auto table = made_up_sweep(500);
  const ScatterScene scene(table, {}, {});
  ASSERT_EQ(scene.points().size(), 500U);
  for (std::size_t i = 1; i < scene.points().size(); ++i) EXPECT_LE(scene.points()[i - 1].rank, scene.points()[i].rank);
  EXPECT_EQ(scene.front().size(), scene.count(PointRank::front));
  ASSERT_EQ(scene.front_line().size(), 2 * scene.front().size() - 1);
  for (std::size_t i = 1; i < scene.front_line().size(); ++i) {
    const QPointF a = scene.front_line()[i - 1], b = scene.front_line()[i];
    EXPECT_TRUE(a.x() == b.x() || a.y() == b.y());
    EXPECT_GE(b.x(), a.x());
    EXPECT_LE(b.y(), a.y());
  }
}

TEST(ScatterScene, BrushesDimWhatIsOutside) {
  SweepLook look;
  look.brushes["made.cores"] = {2, 4};
  const auto table = made_up_sweep(400);
  const ScatterScene scene(table, look, {});
  std::size_t outside = 0;
  for (const double cores : table->column("made.cores")->values) outside += cores < 2 || cores > 4;
  EXPECT_EQ(scene.count(PointRank::outside), outside);
  EXPECT_GT(outside, 0U);
  look.brushes["no such column"] = {0, 0};
  EXPECT_EQ(ScatterScene(table, look, {}).count(PointRank::outside), outside);
}

TEST(ScatterScene, RowsWithoutAPlaceAreCounted) {
  SweepLook look;
  look.y = "bytes";
  EXPECT_EQ(ScatterScene(made_up_sweep(700), look, {}).placeless(), 100U);
  look = {};
  look.logarithmic_x = true;
  const auto table = table_of({1, 0, 10, absent, -1}, {1, 2, 3, 4, 5});
  const ScatterScene scene(table, look, {});
  EXPECT_EQ(scene.points().size(), 2U);
  EXPECT_EQ(scene.placeless(), 3U);
  EXPECT_EQ(ScatterScene(table_of({absent, absent}, {1, 2}), {}, {}).points().size(), 0U);
}

TEST(ScatterScene, FindsThePointUnderAPlace) {
  const ScatterScene scene(table_of({1, 2, 3}, {1, 2, 3}), {}, {});
  const QSizeF scale(100, 100);
  EXPECT_EQ(scene.number(*scene.nearest({2.01, 2.02}, scale, 10)), 1U);
  EXPECT_FALSE(scene.nearest({2.5, 2.5}, scale, 10));
  EXPECT_TRUE(scene.reading(*scene.nearest({1, 1}, scale, 10)).contains("Time: 1 s (derived)"));
}

TEST(ScatterScene, SaysHowManyPointsShareAPlace) {
  const ScatterScene scene(table_of({1, 2, 2, 2, 3}, {1, 2, 2, 2, 2}), {}, {});
  EXPECT_EQ(scene.company(*scene.nearest({2, 2}, {100, 100}, 10)), "\nand 2 more points here");
  EXPECT_EQ(scene.company(*scene.nearest({3, 2}, {100, 100}, 10)), "");
}

TEST(ScatterPicture, LosesNoPointHoweverManyOrFew) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{40}}) {
    std::vector<double> values(rows);
    std::iota(values.begin(), values.end(), 0.0);
    const auto scene = std::make_shared<const ScatterScene>(table_of(values, values), SweepLook(), std::nullopt);
    const auto picture = draw_points(scene, scene->whole(), {800, 600}, 1, light_theme());
    std::size_t found = 0;
    const PlotArea area{QRectF(0, 0, 800, 600), scene->whole()};
    for (const ScatterPoint& point : scene->points())
      found += qAlpha(picture->image.pixel(area.pixel({point.x, point.y}).toPoint())) > 0;
    EXPECT_EQ(found, rows);
  }
  const auto many = std::make_shared<const ScatterScene>(made_up_sweep(100'000), SweepLook(), std::nullopt);
  const auto picture = draw_points(many, many->whole(), {1000, 600}, 1, dark_theme());
  EXPECT_GT(marked_pixels(picture->image), 20'000);
}

TEST(ScatterPicture, IsDrawnAtTheScaleOfTheScreen) {
  const auto scene = std::make_shared<const ScatterScene>(made_up_sweep(200), SweepLook(), std::nullopt);
  const auto picture = draw_points(scene, scene->whole(), {400, 300}, 2, light_theme());
  EXPECT_EQ(picture->image.size(), QSize(800, 600));
  EXPECT_TRUE(picture->shows(scene.get(), scene->whole(), {400, 300}, 2, light_theme()));
  EXPECT_FALSE(picture->shows(scene.get(), scene->whole(), {400, 300}, 2, dark_theme()));
}

TEST(MarkStamper, StaysInsideAndMixesColours) {
  QImage image(20, 20, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  MarkStamper stamper(image);
  const QRgb colour = light_theme().read.rgb();
  for (const MarkShape shape : {MarkShape::disc, MarkShape::square, MarkShape::triangle, MarkShape::diamond,
                                MarkShape::triangle_down, MarkShape::cross}) {
    for (const QPointF& at : {QPointF(-3, -3), QPointF(0, 0), QPointF(19, 19), QPointF(25, 10), QPointF(10, -900)})
      stamper.stamp(at, shape, 4, colour, 200);
  }
  EXPECT_EQ(qAlpha(image.pixel(10, 10)), 0);
  stamper.stamp({10.5, 10.5}, MarkShape::disc, 4, colour, 255);
  EXPECT_EQ(image.pixel(10, 10), colour);
  stamper.stamp({10.5, 10.5}, MarkShape::disc, 4, dark_theme().background.rgb(), 128);
  EXPECT_EQ(qAlpha(image.pixel(10, 10)), 255);
  EXPECT_LT(qBlue(image.pixel(10, 10)), qBlue(colour));
}

TEST(LineDensity, OneLineIsSeenAmongMany) {
  QImage image(100, 200, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  std::vector<DensityLine> lines(5000, {20, 30, 1});
  lines.push_back({150, 150, 200});
  DensityInk ink;
  ink.palette.fill(light_theme().read.rgb());
  ink.palette[200] = light_theme().activation.rgb();
  ink.alpha = line_alpha(lines.size());
  draw_density(image, 0, 100, lines, ink);
  for (int x = 0; x < 100; ++x) EXPECT_GT(qAlpha(image.pixel(x, 150)), 25) << x;
  EXPECT_GT(qRed(image.pixel(50, 150)), qBlue(image.pixel(50, 150)));
  EXPECT_EQ(qAlpha(image.pixel(50, 25)), 255);
  EXPECT_EQ(qAlpha(image.pixel(50, 100)), 0);
}

TEST(LineDensity, SteepLinesHaveNoHoles) {
  for (const bool smooth : {false, true}) {
    QImage image(10, 300, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    DensityInk ink;
    ink.palette.fill(light_theme().text.rgb());
    ink.smooth = smooth;
    draw_density(image, 0, 10, {{0, 299, 0}}, ink);
    for (int y = 0; y < 300; ++y) {
      int covered = 0;
      for (int x = 0; x < 10; ++x) covered += qAlpha(image.pixel(x, y)) > 60;
      EXPECT_GT(covered, 0) << y;
    }
  }
}

TEST(ParallelScene, AxesStandInTheUsersOrder) {
  SweepLook look;
  look.parallel.order = {"seconds", "no such column", "level", "seconds"};
  look.parallel.hidden = {"bytes"};
  look.parallel.flipped = {"seconds"};
  const ParallelScene scene(made_up_sweep(30), look, {});
  QStringList keys;
  for (const ParallelAxis& axis : scene.axes()) keys << QString::fromStdString(axis.column->key);
  EXPECT_EQ(keys, (QStringList{"seconds", "level", "made.cores", "made.memory", "on_chip_bits", "utilization"}));
  const ParallelAxis& seconds = scene.axes()[0];
  EXPECT_DOUBLE_EQ(*seconds.share_of(seconds.column->least), 1);
  EXPECT_DOUBLE_EQ(seconds.place(*seconds.share_of(seconds.column->most)), seconds.column->most);
}

TEST(ParallelScene, FiguresThatSayTheSameHaveAnAxisOnRequest) {
  auto table = std::make_shared<SweepTable>(*made_up_sweep(30));
  explore::SweepColumn cycles = *table->column("seconds");
  cycles.key = "cycles";
  table->columns.push_back(cycles);
  SweepLook look;
  EXPECT_FALSE(is_axis_shown(*table, table->columns.back(), look.parallel));
  show_axis(look, "cycles", true);
  EXPECT_EQ(axis_order(*table, look.parallel).back(), "cycles");
  look.brushes["cycles"] = {0, 1};
  show_axis(look, "cycles", false);
  EXPECT_NE(axis_order(*table, look.parallel).back(), "cycles");
  EXPECT_TRUE(look.brushes.empty()) << "nobody could see it";
}

TEST(ParallelScene, LinesWithoutAValueRunBelowTheAxis) {
  const ParallelScene scene(made_up_sweep(70), {}, {});
  const ParallelAxis& bytes = scene.axes().back();
  ASSERT_EQ(bytes.column->key, "bytes");
  EXPECT_TRUE(bytes.has_gaps);
  for (std::size_t row = 0; row < 70; ++row) EXPECT_EQ(bytes.shares[row] < 0, row % 7 == 3);
}

TEST(ParallelScene, BrushesKeepTheAxes) {
  const auto table = made_up_sweep(500);
  const ParallelScene before(table, {}, {});
  SweepLook look;
  look.brushes["made.cores"] = {1, 2};
  const ParallelScene after(table, look, {}, &before);
  EXPECT_EQ(after.axes_pointer(), before.axes_pointer());
  EXPECT_FALSE(before.brushed());
  EXPECT_TRUE(after.brushed());
  for (const std::uint32_t row : after.within()) EXPECT_LE(table->column("made.cores")->values[row], 2);
  look.parallel.flipped = {"level"};
  EXPECT_NE(ParallelScene(table, look, {}, &after).axes_pointer(), before.axes_pointer());
}

TEST(ParallelScene, FindsTheNearestLineWithinBrushes) {
  SweepLook look;
  const auto table = table_of({0, 1, 2}, {2, 1, 0});
  const ParallelScene scene(table, look, {});
  EXPECT_EQ(scene.nearest(0, 0, 0.99, 0.02), 0U);
  EXPECT_EQ(scene.nearest(0, 1, 0.98, 0.05), 2U);
  EXPECT_FALSE(scene.nearest(0, 0, 0.25, 0.05));
  look.brushes["seconds"] = {0, 1};
  EXPECT_FALSE(ParallelScene(table, look, {}).nearest(0, 1, 0.98, 0.05));
}

class BrushTest : public testing::Test {
 protected:
  const ParallelScene scene{made_up_sweep(400), {}, {}};
  const ParallelAxis& level = scene.axes()[0];
  const ParallelAxis& memory = scene.axes()[2];
};

TEST_F(BrushTest, LiesBetweenTwoSharesWhicheverComesFirst) {
  const auto brush = brush_between(memory, 0.75, 0.25);
  ASSERT_TRUE(brush);
  EXPECT_EQ(*brush, *brush_between(memory, 0.25, 0.75));
  EXPECT_NEAR(brush->from, memory.place(0.25), 1);
  EXPECT_NEAR(brush->to, memory.place(0.75), 1);
  EXPECT_FALSE(brush_between(memory, 0.5, 0.501)) << "a click is no brush";
}

TEST_F(BrushTest, ReachesTheEndsWithTheirValues) {
  const auto brush = brush_between(memory, -3, 3);
  ASSERT_TRUE(brush);
  EXPECT_LE(brush->from, memory.column->least);
  EXPECT_GE(brush->to, memory.column->most);
}

TEST_F(BrushTest, OfAChoiceCoversWholeValues) {
  EXPECT_EQ(*brush_between(level, 0.9, 1), (BrushRange{1, 1}));
  EXPECT_EQ(*brush_between(level, 0, 0.2), (BrushRange{0, 0}));
  EXPECT_EQ(*brush_between(level, 0.1, 0.9), (BrushRange{0, 1}));
  EXPECT_EQ(moved_brush(level, {0, 0}, BrushPart::whole, 1), (BrushRange{1, 1}));
  EXPECT_EQ(moved_brush(level, {1, 1}, BrushPart::whole, 1), (BrushRange{1, 1}));
}

TEST_F(BrushTest, MovedKeepsItsLengthAndItsAxis) {
  const BrushRange brush = *brush_between(memory, 0.2, 0.4);
  const BrushRange moved = moved_brush(memory, brush, BrushPart::whole, 0.3);
  EXPECT_NEAR(moved.to - moved.from, brush.to - brush.from, 1);
  EXPECT_NEAR(memory.share(moved.from), 0.5, 1e-3);
  const auto [low, high] = brush_shares(memory, moved_brush(memory, brush, BrushPart::whole, 5));
  EXPECT_NEAR(high, 1, 1e-6);
  EXPECT_NEAR(high - low, 0.2, 1e-3);
}

TEST_F(BrushTest, EndsDoNotCross) {
  const BrushRange brush = *brush_between(memory, 0.2, 0.4);
  const auto [low, high] = brush_shares(memory, moved_brush(memory, brush, BrushPart::lower, 0.9));
  EXPECT_LT(low, high);
  EXPECT_NEAR(high, 0.4, 1e-3);
  EXPECT_NEAR(brush_shares(memory, moved_brush(memory, brush, BrushPart::upper, 0.1)).second, 0.5, 1e-3);
}

TEST_F(BrushTest, OnAnAxisThatIsTurnedOverUpIsLess) {
  SweepLook look;
  look.parallel.flipped = {"made.memory"};
  const ParallelScene turned(made_up_sweep(400), look, {});
  const ParallelAxis& axis = turned.axes()[2];
  const auto brush = brush_between(axis, 0.9, 1);
  ASSERT_TRUE(brush);
  EXPECT_LE(brush->from, axis.column->least);
  EXPECT_LT(moved_brush(axis, *brush_between(axis, 0.2, 0.4), BrushPart::whole, 0.3).to, axis.place(0.4));
}

TEST(SweepLook, RowsWithinAreThoseThatAreWithin) {
  const auto table = made_up_sweep(300);
  SweepLook look;
  look.brushes = {{"made.cores", {2, 5}}, {"bytes", {0, 1e7}}, {"no such column", {5, 4}}};
  const auto within = look.rows_within(*table);
  for (std::size_t row = 0; row < table->rows(); ++row) EXPECT_EQ(within[row] != 0, look.within(*table, row)) << row;
}

TEST(SweepText, SaysHowMuchWasSeenAndWhatWasLeftOut) {
  const auto table = made_up_sweep(300);
  EXPECT_EQ(seen_text(*table), "330 of 1,000 points seen (33.0 %), running");
  EXPECT_EQ(removed_text(*table, 1), "30 left out: memory must hold a row (20), …");
  EXPECT_EQ(removed_text(SweepTable(), 3), "");
}

}  // namespace
}  // namespace convscope::ui::test
