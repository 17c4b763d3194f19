// The stepper in the window: keys, searches and runs move the selected cycle; nothing holds the window up.

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "tests/ui/views_fixture.h"
#include "ui/model/machine_actions.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/program/stepper/stepper_run_dialog.h"
#include "ui/views/program/stepper/stepper_tools.h"

namespace convscope::ui::test {
namespace {

constexpr qint64 longest_block = 50;  // milliseconds

/// A window with one layer, whose second program is another run.
class OneLayerHost : public ViewHost {
 public:
  const Snapshot& snapshot() const override { return snapshot_; }
  const Theme& theme() const override { return light_theme(); }
  void select(const artifact::Ref& ref) override {
    if (ref == snapshot_.selection) return;
    snapshot_.selection = ref;
    emit changed(Change::selection);
  }
  MachineActions& machines() override { throw std::logic_error("the stepper asks for no machines"); }
  std::int64_t cycle() const { return snapshot_.selection.cycle; }
  const MadeUpTools& tools() const { return dynamic_cast<const MadeUpTarget&>(*snapshot_.compiled->target).tools; }

 private:
  Snapshot snapshot_ = made_up_snapshot();
};

class StepperWidget : public testing::Test {
 protected:
  void SetUp() override {
    panel.reset(dynamic_cast<CanvasPanel*>(make_stepper_widget(host, nullptr)));
    ASSERT_NE(panel, nullptr);
    panel->resize(1300, 800);
    panel->show();
  }
  void TearDown() override {
    host.tools().opening.shut = host.tools().searching.shut = false;
    panel.reset();
  }
  StepperTools& tools() {
    StepperTools* found = nullptr;
    for (QObject* child : panel->children())
      if (auto* tools = dynamic_cast<StepperTools*>(child)) found = tools;
    return *found;
  }
  StepperPainter* painter() { return dynamic_cast<StepperPainter*>(panel->canvas().painter()); }
  bool settled() {
    return wait_until([&] { return panel->idle() && painter() != nullptr && !tools().searching(); });
  }
  void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&panel->canvas(), static_cast<Qt::Key>(key), modifiers);
  }
  /// Where a search leads to.
  std::int64_t found(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    press(key, modifiers);
    EXPECT_TRUE(settled());
    return host.cycle();
  }
  void go_to(std::int64_t cycle) {
    tools().go_to(cycle);
    ASSERT_TRUE(settled());
    ASSERT_EQ(painter()->scene().cycle, cycle);
  }

  OneLayerHost host;
  std::unique_ptr<CanvasPanel> panel;
};

TEST_F(StepperWidget, StepsAsEasilyBackAsForward) {
  ASSERT_TRUE(settled());
  EXPECT_EQ(painter()->scene().cycle, 3);
  press(Qt::Key_Period);
  EXPECT_EQ(host.cycle(), 4) << "before the picture is there";
  press(Qt::Key_Period);
  press(Qt::Key_Comma);
  press(Qt::Key_Comma);
  press(Qt::Key_Comma);
  EXPECT_EQ(host.cycle(), 2);
  ASSERT_TRUE(settled());
  EXPECT_EQ(painter()->scene().cycle, 2);
  EXPECT_EQ(panel->findChild<QLineEdit*>("stepper_cycle")->text(), "2");
  press(Qt::Key_End, Qt::ControlModifier);
  press(Qt::Key_Period);
  EXPECT_EQ(host.cycle(), made_up_cycles - 1);
  press(Qt::Key_Home, Qt::ControlModifier);
  press(Qt::Key_Comma);
  EXPECT_EQ(host.cycle(), 0);
  EXPECT_EQ(host.tools().opened, 1) << "one run serves all cycles";
}

TEST_F(StepperWidget, FollowsACycleThatIsSelectedElsewhere) {
  ASSERT_TRUE(settled());
  artifact::Ref ref{0, 0};
  ref.cycle = 31;
  host.select(ref);
  ASSERT_TRUE(settled());
  EXPECT_EQ(painter()->scene().cycle, 31);
}

TEST_F(StepperWidget, KeysAloneFindWhoWroteAValue) {
  ASSERT_TRUE(settled());
  go_to(16);
  press(Qt::Key_P);  // the first that the cycle reads or writes
  ASSERT_TRUE(tools().picked());
  EXPECT_EQ(*tools().picked(), (StepperPick{made_up_registers, 1}));
  press(Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_EQ(*tools().picked(), (StepperPick{made_up_registers, 2}));
  EXPECT_EQ(found(Qt::Key_W), 6);
  EXPECT_EQ(*tools().picked(), (StepperPick{made_up_registers, 2})) << "still picked";
  EXPECT_EQ(found(Qt::Key_U), 7);
  EXPECT_EQ(found(Qt::Key_S), 8);
  EXPECT_EQ(found(Qt::Key_S, Qt::ShiftModifier), 5);
  EXPECT_EQ(found(Qt::Key_N), 6);
  press(Qt::Key_Escape);
  EXPECT_FALSE(tools().picked());
  EXPECT_EQ(found(Qt::Key_W), 6);
  EXPECT_TRUE(tools().told().contains("Pick"));
}

TEST_F(StepperWidget, AClickPicks) {
  ASSERT_TRUE(settled());
  const StepperPick wanted{made_up_registers, 3};
  const QRectF box = painter()->layout().box_of(painter()->scene(), wanted);
  const QRectF area = panel->canvas().area();
  const QPointF at = place(painter()->geometry(area), painter()->viewport()).pixel(box).center();
  QTest::mouseClick(panel->canvas().viewport(), Qt::LeftButton, {}, at.toPoint());
  ASSERT_TRUE(tools().picked());
  EXPECT_EQ(*tools().picked(), wanted);
}

TEST_F(StepperWidget, ATypedCycleIsShown) {
  ASSERT_TRUE(settled());
  auto* field = panel->findChild<QLineEdit*>("stepper_cycle");
  field->setText("1,000,000");
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(host.cycle(), made_up_cycles - 1);
  field->setText("no number");
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(host.cycle(), made_up_cycles - 1);
  EXPECT_TRUE(tools().told().contains("number"));
}

TEST_F(StepperWidget, RunsUntilTheBreakpointAndBack) {
  ASSERT_TRUE(settled());
  panel->findChild<QComboBox*>("stepper_pace")->setCurrentIndex(3);
  target::TracePredicate wanted;
  wanted.iteration = 5;
  tools().set_breakpoint(StepperStop{"iteration 5", wanted});
  press(Qt::Key_Space);
  EXPECT_TRUE(tools().running());
  ASSERT_TRUE(wait_until([&] { return !tools().running(); }));
  EXPECT_EQ(host.cycle(), 15);
  EXPECT_TRUE(tools().told().contains("iteration 5"));
  EXPECT_EQ(found(Qt::Key_End, Qt::ControlModifier), made_up_cycles - 1);
  EXPECT_EQ(found(Qt::Key_B, Qt::ShiftModifier), 17);
  tools().set_breakpoint(std::nullopt);
  press(Qt::Key_Space, Qt::ShiftModifier);
  ASSERT_TRUE(wait_until([&] { return host.cycle() == 0 && !tools().running(); })) << "back to the beginning";
}

TEST_F(StepperWidget, MenusOfferPlacesAndBreakpoints) {
  ASSERT_TRUE(settled());
  auto* stops = panel->findChild<QToolButton*>("stepper_stop")->menu();
  emit stops->aboutToShow();
  ASSERT_GE(stops->actions().size(), 3);
  stops->actions()[1]->trigger();  // its instruction
  ASSERT_TRUE(tools().breakpoint());
  EXPECT_EQ(found(Qt::Key_B), 6) << "the same instruction, one iteration on";
  auto* places = panel->findChild<QToolButton*>("stepper_go")->menu();
  emit places->aboutToShow();
  EXPECT_EQ(places->actions().size(), static_cast<qsizetype>(stepper_keys().size()));
}

TEST_F(StepperWidget, TwoCyclesAreCompared) {
  ASSERT_TRUE(settled());
  go_to(12);
  press(Qt::Key_C);
  go_to(15);
  EXPECT_EQ(painter()->scene().compared, 12);
  EXPECT_EQ(painter()->scene().cell({made_up_registers, 1})->before, "1");
  press(Qt::Key_C);
  ASSERT_TRUE(settled());
  EXPECT_EQ(painter()->scene().compared, -1);
}

TEST_F(StepperWidget, AnotherProgramIsRunAnew) {
  ASSERT_TRUE(settled());
  press(Qt::Key_P);
  artifact::Ref ref{0, 1};
  host.select(ref);
  ASSERT_TRUE(wait_until([&] { return painter() && painter()->subject().program == 1; }));
  EXPECT_EQ(host.tools().opened, 2);
  EXPECT_FALSE(tools().picked()) << "of the other program";
}

TEST_F(StepperWidget, SearchesNeverHoldTheWindowUp) {
  ASSERT_TRUE(settled());
  host.tools().searching.shut = true;
  QElapsedTimer time;
  time.start();
  press(Qt::Key_S);
  EXPECT_LT(time.elapsed(), longest_block);
  ASSERT_TRUE(wait_until([&] { return host.tools().searching.waiting == 1; }));
  EXPECT_TRUE(panel->findChild<QToolButton*>("stepper_give_up")->isVisible());
  const BlockWatch watch;
  press(Qt::Key_Period);  // one cycle is shown while the search goes on
  EXPECT_EQ(host.cycle(), 4);
  ASSERT_TRUE(wait_until([&] { return painter()->scene().cycle == 4; }));
  EXPECT_TRUE(tools().searching());
  press(Qt::Key_Escape);
  EXPECT_FALSE(tools().searching());
  EXPECT_FALSE(panel->findChild<QToolButton*>("stepper_give_up")->isVisible());
  host.tools().searching.shut = false;
  ASSERT_TRUE(wait_until([&] { return host.tools().searching.waiting == 0; }));
  QTest::qWait(20);
  EXPECT_EQ(host.cycle(), 4) << "nothing of it arrives";
  EXPECT_LT(watch.longest_milliseconds(), 10 * longest_block);
}

TEST_F(StepperWidget, OpeningIsGivenUpWhenSomethingElseIsLookedAt) {
  ASSERT_TRUE(settled());
  host.tools().opening.shut = true;
  host.select({0, 1});
  ASSERT_TRUE(wait_until([&] { return host.tools().opening.waiting == 1; }));
  host.select({1, 0});  // that layer isn't mapped
  ASSERT_TRUE(wait_until([&] { return host.tools().opening.stopped == 1; }));
  ASSERT_TRUE(wait_until([&] { return dynamic_cast<MessagePainter*>(panel->canvas().painter()) != nullptr; }));
}

TEST_F(StepperWidget, OpeningIsGivenUpByItsUser) {
  ASSERT_TRUE(settled());
  host.tools().opening.shut = true;
  host.select({0, 1});
  ASSERT_TRUE(wait_until([&] { return host.tools().opening.waiting == 1; }));
  ASSERT_TRUE(wait_until([&] { return panel->findChild<QToolButton*>("stepper_give_up")->isVisible(); }));
  press(Qt::Key_Escape);
  ASSERT_TRUE(wait_until([&] { return dynamic_cast<MessagePainter*>(panel->canvas().painter()) != nullptr; }));
  EXPECT_EQ(host.tools().opening.stopped, 1);
  host.tools().opening.shut = false;
  host.select({0, 0});
  EXPECT_TRUE(settled()) << "and comes back";
}

TEST_F(StepperWidget, GoesWhileItOpens) {
  ASSERT_TRUE(settled());
  host.tools().opening.shut = true;
  host.select({0, 1});
  ASSERT_TRUE(wait_until([&] { return host.tools().opening.waiting == 1; }));
  QElapsedTimer time;
  time.start();
  panel.reset();
  EXPECT_LT(time.elapsed(), longest_block);
  EXPECT_TRUE(wait_until([&] { return host.tools().opening.stopped == 1; }));
}

TEST_F(StepperWidget, WhatItRunsOnCanBeChosen) {
  ASSERT_TRUE(settled());
  panel->findChild<QToolButton*>("stepper_input")->click();
  auto* dialog = panel->findChild<QDialog*>("stepper_run_dialog");
  ASSERT_NE(dialog, nullptr);
  auto* limit = dialog->findChild<QLineEdit*>("run-limit");
  ASSERT_NE(limit, nullptr);
  EXPECT_EQ(limit->text(), "1");
  limit->setText("12");
  EXPECT_FALSE(dialog->findChild<QLabel*>("run-mistake")->text().isEmpty());
  QTest::keyClick(limit, Qt::Key_Return);
  EXPECT_EQ(host.tools().opened, 1);
  limit->setText("2");
  EXPECT_TRUE(dialog->findChild<QLabel*>("run-mistake")->text().isEmpty());
  QTest::keyClick(limit, Qt::Key_Return);
  ASSERT_TRUE(wait_until([&] { return host.tools().opened == 2; }));
  EXPECT_TRUE(settled());
}

}  // namespace
}  // namespace convscope::ui::test
