// The charts of a sweep in the window, used as a person does: a small real sweep, and many made-up points.

#include <QCheckBox>
#include <QComboBox>
#include <QMouseEvent>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/explore/results/sweep_table_builder.h"
#include "core/explore/space/space_reader.h"
#include "core/explore/sweep/evaluate.h"
#include "core/explore/sweep/sweep.h"
#include "tests/ui/made_up_sweep.h"
#include "tests/ui/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/workbench.h"
#include "ui/views/machines/sweep_parallel/parallel_widget.h"
#include "ui/views/machines/sweep_scatter/scatter_widget.h"

namespace convscope::ui::test {
namespace {

/// Sixteen machines on the smallest sample, compiled.
std::shared_ptr<const explore::SweepTable> real_sweep() {
  const std::string xml = R"(<space name="small" title="Lanes and ports">
  <network file="face_detection.xml"/>
  <machines target="nve" presets="nve-thesis" levels="modulo">
    <parameter name="lanes">4 8 16 32</parameter>
    <parameter name="port_width">64 128</parameter>
    <parameter name="bandwidth">200 800</parameter>
  </machines>
</space>)";
  Diagnostics diagnostics;
  const std::string folder = std::filesystem::path(sample("face_detection").toStdString()).parent_path().string();
  auto space =
      explore::read_space(xml, "small.xml", *explore::file_sources(folder, catalogue::standard()), diagnostics);
  if (!space) throw std::runtime_error(diagnostics.text());
  const auto shared = std::make_shared<const explore::Space>(std::move(*space));
  const auto cache = explore::make_sweep_cache();
  explore::SweepTableBuilder builder(shared);
  for (std::uint64_t i = 0; i < shared->size(); ++i) {
    const explore::Point point = shared->point(i);
    if (point.removed.empty()) builder.add(explore::evaluate(*shared, point, *cache, {}));
  }
  return builder.table("finished");
}

void move_to(QWidget& widget, QPointF point, Qt::MouseButtons buttons = Qt::NoButton) {
  QMouseEvent event(QEvent::MouseMove, point, widget.mapToGlobal(point), Qt::NoButton, buttons, {});
  QCoreApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, QPointF from, QPointF to) {
  QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
  move_to(widget, (from + to) / 2, Qt::LeftButton);
  move_to(widget, to, Qt::LeftButton);
  QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
}

template <typename View>
class SweepViewTest : public testing::Test {
 protected:
  void show(std::shared_ptr<const explore::SweepTable> table) {
    view = std::make_unique<View>(workbench, nullptr);
    view->resize(900, 600);
    view->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
    exploration().show_sweep(std::move(table));
    ASSERT_TRUE(settled());
  }
  bool settled() {
    return wait_until([&] { return view->idle() && view->canvas().painter() && view->canvas().painter()->picture(); });
  }
  Exploration& exploration() { return workbench.exploration(); }
  const SweepLook& look() { return exploration().state()->look; }
  auto& canvas() { return view->canvas(); }
  const auto& scene() { return view->canvas().painter()->scene(); }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<View> view;
};

class ScatterWidgetTest : public SweepViewTest<ScatterWidget> {
 protected:
  QPointF pixel_of(std::size_t point) {
    const PlotArea plot = canvas().painter()->plot(canvas().area());
    return plot.pixel(QPointF(scene().points()[point].x, scene().points()[point].y));
  }
  void turn_wheel(QPointF at, int steps) {
    QWheelEvent event(at, canvas().mapToGlobal(at), {}, QPoint(0, 120 * steps), Qt::NoButton, {}, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&canvas(), &event);
  }
  QToolButton& button(const char* name) { return *view->findChild<QToolButton*>(name); }
};

TEST_F(ScatterWidgetTest, SaysWhatToDoWithoutASweep) {
  view = std::make_unique<ScatterWidget>(workbench, nullptr);
  view->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  EXPECT_EQ(canvas().painter(), nullptr);
  EXPECT_TRUE(missing_sweep_message(workbench.snapshot()).contains("Explore › Sweep…"));
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QTest::keyClick(&canvas(), Qt::Key_Return);
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(50, 50));
  EXPECT_FALSE(button("sweep-open").isEnabled());
  exploration().show_sweep(made_up_sweep(30));
  EXPECT_TRUE(settled()) << "and shows one when it comes";
  exploration().show_sweep(nullptr);
  EXPECT_TRUE(wait_until([&] { return canvas().painter() == nullptr; }));
}

TEST_F(ScatterWidgetTest, AClickOpensTheMachineAndCanBeUndone) {
  const auto table = real_sweep();
  ASSERT_EQ(table->rows(), 16U);
  show(table);
  const auto lanes = *workbench.machine().description().find("lanes");
  const double before = workbench.machine().at(lanes);
  std::size_t chosen = 0;
  while (table->column("nve.lanes")->values[scene().points()[chosen].row] == before) ++chosen;
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, pixel_of(chosen).toPoint());
  ASSERT_TRUE(canvas().point());
  const auto row = table->row(*canvas().point());
  EXPECT_EQ(workbench.machine().at(lanes), table->column("nve.lanes")->values[*row]);
  EXPECT_NE(workbench.machine().at(lanes), before);
  EXPECT_EQ(workbench.level(), "modulo");
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine().at(lanes), before);
}

TEST_F(ScatterWidgetTest, MarksTheOpenMachine) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  show(real_sweep());
  exploration().open_point(5);
  ASSERT_TRUE(wait_until([&] { return view->idle() && scene().open(); }));
  EXPECT_EQ(scene().number(*scene().open()), 5U);
  workbench.set_parameter(static_cast<int>(*workbench.machine().description().find("clock")), 50);
  EXPECT_TRUE(wait_until([&] { return view->idle() && !scene().open(); })) << "no machine of the sweep";
}

TEST_F(ScatterWidgetTest, TwoMarkedPointsAreCompared) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  show(real_sweep());
  EXPECT_FALSE(button("sweep-compare").isEnabled());
  const std::size_t last = scene().points().size() - 1;
  QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::ControlModifier, pixel_of(0).toPoint());
  const std::uint64_t first = *canvas().point();
  ASSERT_TRUE(settled());
  QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::ControlModifier, pixel_of(last).toPoint());
  const std::uint64_t second = *canvas().point();
  ASSERT_NE(first, second);
  EXPECT_EQ(look().chosen, (std::vector<std::uint64_t>{first, second}));
  ASSERT_TRUE(settled());
  EXPECT_EQ(scene().chosen().size(), 2U);
  QTest::mouseClick(&button("sweep-compare"), Qt::LeftButton);
  EXPECT_TRUE(wait_until([&] { return workbench.snapshot().baselines.size() == 1; }));
}

TEST_F(ScatterWidgetTest, ThePointerReadsAndTheKeyboardWalksAlongTheFront) {
  show(made_up_sweep(400));
  move_to(canvas(), pixel_of(scene().points().size() - 1));
  EXPECT_TRUE(canvas().point());
  EXPECT_TRUE(canvas().accessibleDescription().contains("Time"));
  canvas().painter()->set_cursor(std::nullopt);
  std::vector<std::uint64_t> walked;
  for (std::size_t i = 0; i < scene().front().size(); ++i) {
    QTest::keyClick(&canvas(), Qt::Key_Right);
    walked.push_back(*canvas().point());
  }
  for (std::size_t i = 0; i < walked.size(); ++i) EXPECT_EQ(walked[i], scene().number(scene().front()[i]));
  QTest::keyClick(&canvas(), Qt::Key_Right);
  EXPECT_EQ(*canvas().point(), walked.back()) << "the end";
  QTest::keyClick(&canvas(), Qt::Key_Left);
  EXPECT_EQ(*canvas().point(), walked[walked.size() - 2]);
  QTest::keyClick(&canvas(), Qt::Key_Space);
  EXPECT_EQ(look().chosen, (std::vector<std::uint64_t>{walked[walked.size() - 2]}));
  QTest::keyClick(&canvas(), Qt::Key_Escape);
  EXPECT_TRUE(look().chosen.empty());
}

TEST_F(ScatterWidgetTest, TheWheelZoomsWhereThePointerIsAndADragMoves) {
  show(made_up_sweep(400));
  const QRectF whole = canvas().painter()->window();
  const QPointF at = canvas().painter()->plot(canvas().area()).pixels.center() + QPointF(60, 20);
  const QPointF held = canvas().painter()->plot(canvas().area()).place(at);
  turn_wheel(at, 4);
  const PlotArea zoomed = canvas().painter()->plot(canvas().area());
  EXPECT_LT(zoomed.window.width(), whole.width());
  EXPECT_NEAR(zoomed.pixel(held).x(), at.x(), 12);  // labels of other widths move the plot
  EXPECT_NEAR(zoomed.pixel(held).y(), at.y(), 1);
  const std::uint64_t none = canvas().point().value_or(0);
  drag(canvas(), at, at + QPointF(80, 0));
  EXPECT_LT(canvas().painter()->window().left(), zoomed.window.left());
  EXPECT_EQ(canvas().point().value_or(0), none) << "a drag opens nothing";
  EXPECT_EQ(workbench.undo_stack().count(), 0);
  ASSERT_TRUE(settled());
  EXPECT_EQ(canvas().painter()->picture()->window, canvas().painter()->window());
  QTest::keyClick(&canvas(), Qt::Key_0);
  EXPECT_EQ(canvas().painter()->window(), whole);
  // Over an axis, that axis alone.
  turn_wheel(QPointF(at.x(), canvas().height() - 10), 2);
  EXPECT_LT(canvas().painter()->window().width(), whole.width());
  EXPECT_EQ(canvas().painter()->window().height(), whole.height());
}

TEST_F(ScatterWidgetTest, KeepsWhatTheUserLooksAtWhileRowsComeIn) {
  show(made_up_sweep(300));
  turn_wheel(canvas().painter()->plot(canvas().area()).pixels.center(), 5);
  const QRectF seen = canvas().painter()->window();
  exploration().show_sweep(made_up_sweep(600));
  ASSERT_TRUE(wait_until([&] { return view->idle() && scene().table().rows() == 600; }));
  EXPECT_EQ(canvas().painter()->window(), seen);
}

TEST_F(ScatterWidgetTest, ColumnsAndLogarithmsAreChosenInTheTools) {
  show(made_up_sweep(200));
  auto& x = *view->findChild<QComboBox*>("sweep-x");
  EXPECT_EQ(x.currentData().toString(), "seconds");
  const int cores = x.findData("made.cores");
  ASSERT_GE(cores, 0);
  x.setCurrentIndex(cores);
  emit x.activated(cores);
  EXPECT_EQ(look().x, "made.cores");
  view->findChild<QCheckBox*>("sweep-log-x")->click();
  EXPECT_TRUE(look().logarithmic_x);
  ASSERT_TRUE(settled());
  EXPECT_EQ(scene().x_column().key, "made.cores");
  EXPECT_EQ(scene().x().kind(), PlotScale::Kind::logarithmic);
  auto& size = *view->findChild<QComboBox*>("sweep-size");
  EXPECT_EQ(size.findData("level"), -1) << "names have no size";
}

TEST_F(ScatterWidgetTest, ManyPointsNeverBlockTheWindow) {
  std::vector<std::shared_ptr<const explore::SweepTable>> tables;
  for (std::uint32_t seed = 0; seed < 3; ++seed) tables.push_back(made_up_sweep(100'000, seed));
  show(tables[0]);
  const BlockWatch watch;
  for (int frame = 0; frame < 40; ++frame) {
    if (frame % 4 == 0) exploration().show_sweep(tables[static_cast<std::size_t>(frame) % 3]);
    turn_wheel(QPointF(400, 300), frame % 8 < 4 ? 1 : -1);
    move_to(canvas(), QPointF(200 + 5 * frame, 400));
    QTest::qWait(5);
  }
  ASSERT_TRUE(settled());
  EXPECT_LT(watch.longest_milliseconds(), 1000);
}

class ParallelWidgetTest : public SweepViewTest<ParallelWidget> {
 protected:
  ParallelLayout layout() { return canvas().painter()->layout(canvas().area()); }
  QPointF on_axis(std::size_t axis, double share) { return {layout().x[axis], layout().y(share)}; }
  std::vector<std::string> order() {
    std::vector<std::string> keys;
    for (const ParallelAxis& axis : scene().axes()) keys.push_back(axis.column->key);
    return keys;
  }
};

TEST_F(ParallelWidgetTest, ADragOnAnAxisBrushesItEverywhere) {
  show(made_up_sweep(400));
  drag(canvas(), on_axis(1, 0.5), on_axis(1, 1.0));
  ASSERT_EQ(look().brushes.count("made.cores"), 1U);
  const BrushRange brush = look().brushes.at("made.cores");
  EXPECT_NEAR(brush.from, 4.5, 0.1);
  EXPECT_GE(brush.to, 8);
  ASSERT_TRUE(settled());
  EXPECT_TRUE(scene().brushed());
  EXPECT_FALSE(canvas().painter()->picture()->all.isNull());

  drag(canvas(), on_axis(1, 0.75), on_axis(1, 0.25));  // the whole brush
  EXPECT_LE(look().brushes.at("made.cores").from, 1.1);
  EXPECT_NEAR(look().brushes.at("made.cores").to, 4.5, 0.2);
  ASSERT_TRUE(settled());
  drag(canvas(), on_axis(1, 0.5), on_axis(1, 0.9));  // its upper end
  EXPECT_LE(look().brushes.at("made.cores").from, 1.1);
  EXPECT_NEAR(look().brushes.at("made.cores").to, 7.3, 0.2);
  ASSERT_TRUE(settled());
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on_axis(1, 0.3).toPoint());
  EXPECT_TRUE(look().brushes.empty()) << "a click clears it";
}

TEST_F(ParallelWidgetTest, BrushesByKeyboard) {
  show(made_up_sweep(400));
  canvas().setFocus();
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QTest::keyClick(&canvas(), Qt::Key_Up);
  ASSERT_EQ(look().brushes.count("made.cores"), 1U);
  const BrushRange first = look().brushes.at("made.cores");
  ASSERT_TRUE(settled());
  QTest::keyClick(&canvas(), Qt::Key_Down, Qt::ControlModifier);
  EXPECT_LT(look().brushes.at("made.cores").from, first.from);
  EXPECT_EQ(look().brushes.at("made.cores").to, first.to);
  ASSERT_TRUE(settled());
  EXPECT_TRUE(canvas().accessibleDescription().contains("Cores")) << canvas().accessibleDescription().toStdString();
  EXPECT_TRUE(canvas().accessibleDescription().contains("brush from"));
  QTest::keyClick(&canvas(), Qt::Key_Delete);
  EXPECT_TRUE(look().brushes.empty());
  QTest::keyClick(&canvas(), Qt::Key_Down);
  ASSERT_TRUE(settled());
  QTest::keyClick(&canvas(), Qt::Key_Escape);
  EXPECT_TRUE(look().brushes.empty());
}

TEST_F(ParallelWidgetTest, AxesAreMovedTurnedOverAndHidden) {
  show(made_up_sweep(200));
  const QPointF title = layout().title(0).center();
  drag(canvas(), title, QPointF((layout().x[2] + layout().x[3]) / 2, title.y()));
  ASSERT_TRUE(settled());
  EXPECT_EQ(order(), (std::vector<std::string>{"made.cores", "made.memory", "level", "seconds", "on_chip_bits",
                                               "utilization", "bytes"}));
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, layout().title(3).center().toPoint());
  ASSERT_TRUE(settled());
  EXPECT_TRUE(scene().axes()[3].flipped);
  canvas().setFocus();
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QTest::keyClick(&canvas(), Qt::Key_Right, Qt::ShiftModifier);
  ASSERT_TRUE(settled());
  EXPECT_EQ(order()[0], "made.memory");
  QTest::keyClick(&canvas(), Qt::Key_L);
  EXPECT_EQ(look().parallel.logarithmic.count("made.cores"), 1U);
}

TEST_F(ParallelWidgetTest, AClickOnALineOpensItsMachine) {
  const auto table = real_sweep();
  show(table);
  const auto row = static_cast<std::size_t>(scene().front()[0]);
  const double a = static_cast<double>(scene().axes()[0].shares[row]),
               b = static_cast<double>(scene().axes()[1].shares[row]);
  const QPointF middle = (on_axis(0, a) + on_axis(1, b)) / 2;
  const auto found = canvas().painter()->row_at(middle, canvas().area());
  ASSERT_TRUE(found);
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middle.toPoint());
  const auto lanes = *workbench.machine().description().find("lanes");
  EXPECT_EQ(workbench.machine().at(lanes), table->column("nve.lanes")->values[*found]);
}

TEST_F(ParallelWidgetTest, ManyLinesNeverBlockTheWindow) {
  show(made_up_sweep(100'000));
  const BlockWatch watch;
  for (int frame = 0; frame < 20; ++frame) {
    drag(canvas(), on_axis(4, 0.1), on_axis(4, 0.2 + 0.03 * frame));
    move_to(canvas(), QPointF(300 + 5 * frame, 300));
    QTest::qWait(5);
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on_axis(4, 0.15).toPoint());
  }
  ASSERT_TRUE(settled());
  EXPECT_LT(watch.longest_milliseconds(), 1000);
}

TEST_F(ParallelWidgetTest, OnePointAndOneAxisAreShown) {
  show(table_of({5}, {5}));
  EXPECT_EQ(scene().within().size(), 1U);
  exploration().set_look([] {
    SweepLook look;
    look.parallel.hidden = {"made.size"};
    return look;
  }());
  ASSERT_TRUE(settled());
  EXPECT_EQ(scene().axes().size(), 1U);
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QTest::keyClick(&canvas(), Qt::Key_Up);
  EXPECT_EQ(look().brushes.size(), 1U);
}

}  // namespace
}  // namespace convscope::ui::test
