// What helps most: rows, painter, and the view used as a person does.

#include <QPainter>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/made_up_sweep.h"
#include "tests/ui/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/workbench.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/machines/sensitivity/sensitivity_painter.h"
#include "ui/window/view_list.h"
#include "views_fixture.h"

namespace convscope::ui::test {
namespace {

using Kind = SensitivityRow::Kind;

SensitivityRows rows_of(int layer = 0, EffectOrder order = EffectOrder::total) {
  return {made_up_sensitivity(made_up_snapshot()), layer, order};
}

TEST(SensitivityRows, TheBestParameterComesFirstAndItsBestChange) {
  const SensitivityRows rows = rows_of();
  QStringList found;
  for (const SensitivityRow& row : rows.rows()) found << row.name + "|" + row.what;
  EXPECT_EQ(found, (QStringList{"Port width|64 → 256, limit", "|64 → 128, step", "|64 → 32, step",
                                "Lanes|16 → 64, limit", "|16 → 17, step", "Ports|2 → 3, step", "|2 → 1, step",
                                "Clock|10 → 1, 100: no difference", "Lanes|16 → 4, limit"}));
  EXPECT_EQ(rows.rows().back().kind, Kind::impossible);
  EXPECT_NEAR(rows.rows()[0].total.gain, 0.39, 1e-9);
  EXPECT_NEAR(rows.most_gain(), 0.39, 1e-9);
  EXPECT_NEAR(rows.most_loss(), 1.6, 1e-9);
}

TEST(SensitivityRows, SayWhatBindsBeforeAndAfterInTotalAndForTheLayer) {
  const SensitivityRows rows = rows_of();
  const SensitivityRow& best = rows.rows()[0];
  EXPECT_EQ(best.total.bound_before + best.total.bound_after, "MEMAVMAC");
  ASSERT_TRUE(best.layer);
  EXPECT_EQ(best.layer->bound_after, "MEMA");
  EXPECT_EQ(rows.layer_name(), "L1");
  const QString reading = rows.reading(0);
  EXPECT_TRUE(reading.contains("39.0 % less time")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("binds: MEMA → VMAC")) << reading.toStdString();
  EXPECT_TRUE(rows.reading(8).contains("lanes must be a multiple"));
  EXPECT_TRUE(gain_text(-0.5).contains("50.0 % more time"));
}

TEST(SensitivityRows, AreFewerWhereTheLayerIsNotMapped) {
  EXPECT_TRUE(rows_of(1).layer_name().isEmpty());
  EXPECT_FALSE(rows_of(1).rows()[0].layer);
  EXPECT_EQ(rows_of(-1, EffectOrder::layer).order(), EffectOrder::total);
}

TEST(SensitivityRows, AMachineThatIsStillCompiledHasNone) {
  auto run = std::make_shared<SensitivityRun>(*made_up_sensitivity(made_up_snapshot()));
  run->result.before = {};
  run->complete = false;
  EXPECT_TRUE(SensitivityRows(run, 0, EffectOrder::total).rows().empty());
}

TEST(SensitivityRows, WhatTakesLongestStandsForABoundThatNeverChanges) {
  auto run = std::make_shared<SensitivityRun>(*made_up_sensitivity(made_up_snapshot()));
  const auto fill = [](explore::MachineStanding& standing, const char* spent_on) {
    standing.total.bound = "peak";
    standing.total.spent_on = spent_on;
    for (explore::Standing& layer : standing.layers) layer.bound = "peak";
  };
  fill(run->result.before, "latency");
  for (explore::Change& change : run->result.changes) fill(change.after, "transfer");
  const SensitivityRows rows(run, 0, EffectOrder::total);
  EXPECT_FALSE(rows.by_bound());
  EXPECT_EQ(rows.rows()[0].total.bound_before, "latency");
  EXPECT_EQ(rows.rows()[0].total.bound_after, "transfer");

  for (explore::Change& change : run->result.changes) change.after.total.bound = "another";
  EXPECT_TRUE(SensitivityRows(run, 0, EffectOrder::total).by_bound());
}

TEST(SensitivityPainter, FindsRowsWhereTheyAreDrawn) {
  const Snapshot snapshot = with_exploration(made_up_snapshot());
  const auto canvas = make_sensitivity_canvas(snapshot, EffectOrder::total);
  const auto* painter = dynamic_cast<SensitivityPainter*>(canvas.get());
  ASSERT_NE(painter, nullptr);
  const QRectF area(0, 0, 1000, 500);
  const CanvasGeometry geometry = painter->geometry(area);
  EXPECT_EQ(painter->row_at(geometry.plot.topLeft() + QPointF(300, 5), area), 0U);
  EXPECT_EQ(painter->row_at(geometry.plot.topLeft() + QPointF(300, 45), area), 2U);
  EXPECT_FALSE(painter->row_at(QPointF(300, 5), area)) << "the heading";
  EXPECT_FALSE(painter->row_at(QPointF(300, 490), area)) << "below the last row";
  EXPECT_FALSE(painter->reading(geometry.plot.topLeft() + QPointF(300, 5), area).isEmpty());
}

TEST(SensitivityPainter, SaysWhenTheMachineHasChangedSince) {
  const Snapshot snapshot = with_exploration(made_up_snapshot());
  const SensitivityRun& run = *snapshot.exploration->sensitivity;
  EXPECT_TRUE(is_outdated(run, snapshot)) << "another machine";
  Snapshot same = snapshot;
  auto compiled = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  compiled->machine = run.machine;
  same.compiled = compiled;
  EXPECT_FALSE(is_outdated(run, same));
  compiled->level = "another";
  EXPECT_TRUE(is_outdated(run, same));
}

class SensitivityWidgetTest : public testing::Test {
 protected:
  void SetUp() override {
    workbench.set_target("nve");
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
    view.reset(find_view("helps")->make_widget(workbench, nullptr));
    view->resize(1000, 600);
    view->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  }
  CanvasPanel& panel() { return *dynamic_cast<CanvasPanel*>(view.get()); }
  SensitivityPainter* painter() { return dynamic_cast<SensitivityPainter*>(panel().canvas().painter()); }
  bool measured() {
    return wait_until([&] {
      return painter() != nullptr && painter()->rows().run().complete && !workbench.exploration().analyzing();
    });
  }
  QPoint place_of(std::size_t row) {
    const QRectF area = panel().canvas().area();
    const Placement placed = place(painter()->geometry(area), painter()->viewport());
    return placed.pixel(painter()->place_of_row(row).center() + QPointF(300, 0)).toPoint();
  }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<QWidget> view;
};

TEST_F(SensitivityWidgetTest, MeasuresOnRequestAndAppliesWhatIsClicked) {
  ASSERT_TRUE(wait_until([&] { return panel().canvas().painter() != nullptr; }));
  EXPECT_NE(dynamic_cast<MessagePainter*>(panel().canvas().painter()), nullptr) << "says what to do";
  auto* measure = view->findChild<QToolButton*>("sensitivity-measure");
  ASSERT_NE(measure, nullptr);
  QTest::mouseClick(measure, Qt::LeftButton);
  EXPECT_EQ(measure->text(), "Stop");
  ASSERT_TRUE(measured());
  EXPECT_EQ(measure->text(), "Measure");
  EXPECT_FALSE(painter()->outdated());
  const SensitivityRow first = painter()->rows().rows()[0];
  ASSERT_EQ(first.kind, Kind::effect);
  EXPECT_GT(first.total.gain, 0) << "something helps the thesis's machine";

  const double before = workbench.machine().at(first.parameter);
  QTest::mouseClick(panel().canvas().viewport(), Qt::LeftButton, {}, place_of(0));
  EXPECT_EQ(workbench.machine().at(first.parameter), first.value);
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && painter() && painter()->outdated(); }));
  const auto cycles = workbench.snapshot().compiled->total.seconds.value;
  const auto& run = painter()->rows().run();
  EXPECT_NEAR(cycles / run.result.before.total.seconds, 1 - first.total.gain, 1e-9) << "what was promised";
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine().at(first.parameter), before);
}

TEST_F(SensitivityWidgetTest, WorksByKeyboard) {
  panel().canvas().setFocus();
  QTest::keyClick(&panel().canvas(), Qt::Key_M);
  ASSERT_TRUE(measured());
  QTest::keyClick(&panel().canvas(), Qt::Key_Down);
  QTest::keyClick(&panel().canvas(), Qt::Key_Down);
  QTest::keyClick(&panel().canvas(), Qt::Key_Up);
  EXPECT_EQ(painter()->cursor(), 0);
  EXPECT_FALSE(panel().canvas().accessibleDescription().isEmpty());
  const SensitivityRow first = painter()->rows().rows()[0];
  QTest::keyClick(&panel().canvas(), Qt::Key_Return);
  EXPECT_EQ(workbench.machine().at(first.parameter), first.value);
}

}  // namespace
}  // namespace convscope::ui::test
