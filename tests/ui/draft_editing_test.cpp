// Manual mode of the schedule view: whoever starts from nothing reaches the 3x3 filter's interval of ten with the
// mouse, or with keys alone; every edit can be taken back.

#include "ui/views/program/draft/draft_editing.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/picture.h"
#include "tests/ui/session.h"
#include "tests/ui/views_fixture.h"
#include "ui/document/baselines.h"
#include "ui/document/drafts.h"
#include "ui/document/workbench.h"
#include "ui/views/program/schedule/schedule_painter.h"

namespace convscope::ui::test {
namespace {

class DraftMode : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
    workbench.set_level("modulo");
    ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.snapshot().published != nullptr; }));
    panel.reset(dynamic_cast<CanvasPanel*>(make_schedule_widget(workbench, nullptr)));
    ASSERT_NE(panel, nullptr);
    panel->resize(1200, 1100);
    panel->show();
    panel->findChild<QComboBox*>("schedule_mode")->setCurrentIndex(2);
    ASSERT_TRUE(wait_until([&] { return painter() != nullptr; }));
    panel->canvas().fit();
  }

  DraftPainter* painter() { return dynamic_cast<DraftPainter*>(panel->canvas().painter()); }
  DraftBoard& board() { return painter()->board(); }
  QWidget* viewport() { return panel->canvas().viewport(); }
  QString message() { return panel->findChild<QLabel*>("draft_message")->text(); }
  bool panel_idle() {
    for (QObject* child : panel->children())
      if (const auto* editing = dynamic_cast<const DraftEditing*>(child)) return editing->idle();
    return false;
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&panel->canvas(), key, modifiers);
  }
  QPoint centre(int operation) { return painter()->centre(operation, panel->canvas().area()).toPoint(); }
  QPoint slot(int operation, std::int64_t cycle) {
    const int column = board().tools().operations()[static_cast<std::size_t>(operation)].resource;
    return painter()->centre(column, cycle, panel->canvas().area()).toPoint();
  }

  /// With real events; `legal` is whether the slot was lit while the operation hung over it.
  void drag(int operation, QPoint to, bool* legal = nullptr) {
    const QPoint from = centre(operation);
    QTest::mousePress(viewport(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(viewport(), (from + to) / 2);
    QTest::mouseMove(viewport(), to);
    if (legal != nullptr) *legal = board().is_legal(board().shift());
    QTest::mouseRelease(viewport(), Qt::LeftButton, Qt::NoModifier, to);
  }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<CanvasPanel> panel;
};

// A schedule that is known to be one, begun in cycle 0.
schedule::Schedule known(const DraftBoard& board) {
  schedule::Schedule schedule = board.tools().automatic().schedule;
  const std::int64_t first = *std::min_element(schedule.cycles.begin(), schedule.cycles.end());
  for (std::int64_t& cycle : schedule.cycles) cycle -= first;
  return schedule;
}

TEST_F(DraftMode, TheMouseAloneReachesTheFiltersIntervalOfTenAndASimulatedProgram) {
  EXPECT_EQ(board().draft().placed(), 0);
  EXPECT_EQ(board().draft().interval(), 10);
  const int before = workbench.undo_stack().count();
  const schedule::Schedule target = known(board());
  while (!board().waiting().empty()) {
    const int operation = board().waiting().front();
    bool legal = false;
    drag(operation, slot(operation, target.cycles[static_cast<std::size_t>(operation)]), &legal);
    ASSERT_TRUE(legal) << board().name(operation);
    ASSERT_TRUE(board().draft().is_placed(operation)) << board().name(operation);
  }
  EXPECT_TRUE(board().broken().empty());
  EXPECT_TRUE(panel->findChild<QLabel*>("draft_figures")->text().contains("no rule broken"));
  QTest::mouseClick(panel->findChild<QPushButton*>("draft_finish"), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return message().contains("interval 10"); })) << message().toStdString();
  EXPECT_TRUE(message().contains("every output equals the reference")) << message().toStdString();
  EXPECT_TRUE(message().contains("published, thesis-figure26 (level modulo): 10 cycles")) << message().toStdString();
  EXPECT_TRUE(message().contains("none below 10")) << message().toStdString();

  const std::uint64_t made = hash(board().draft());
  const int drags = workbench.undo_stack().count() - before;
  EXPECT_EQ(drags, static_cast<int>(board().tools().problem()->groups().size())) << "one undo step a drag";
  for (int i = 0; i < drags; ++i) workbench.undo_stack().undo();
  EXPECT_EQ(board().draft().placed(), 0);
  for (int i = 0; i < drags; ++i) workbench.undo_stack().redo();
  EXPECT_EQ(hash(board().draft()), made);
}

// Slots are lit while an operation hangs over the board; a rule that is broken stands at its operations.
TEST_F(DraftMode, ImagesOfADraftAreAsWhenSomebodyLooked) {
  constexpr QSize size(1000, 700);
  const auto expect_kept = [&](const char* what) {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
      EXPECT_TRUE(looks_as_kept(picture_of(*painter(), *theme, size),
                                QStringLiteral("draft-%1-%2").arg(QLatin1String(what), theme->name)));
  };
  const schedule::Schedule target = known(board());
  for (int i = 0; i < 5; ++i) {
    const int operation = board().waiting().front();
    drag(operation, slot(operation, target.cycles[static_cast<std::size_t>(operation)]));
  }
  const int next = board().waiting().front();
  const QPoint from = centre(next), to = slot(next, target.cycles[static_cast<std::size_t>(next)] + 3);
  QTest::mousePress(viewport(), Qt::LeftButton, Qt::NoModifier, from);
  QTest::mouseMove(viewport(), (from + to) / 2);
  QTest::mouseMove(viewport(), to);
  expect_kept("hanging");
  QTest::mouseRelease(viewport(), Qt::LeftButton, Qt::NoModifier, to);
  for (const int early : {0, 1, 2}) {
    if (!board().broken().empty() || board().waiting().empty()) break;
    const int operation = board().waiting().front();
    drag(operation, slot(operation, early));
  }
  EXPECT_FALSE(board().broken().empty());
  expect_kept("broken");
}

TEST_F(DraftMode, KeysAloneDoIt) {
  for (int i = 0; i < 6; ++i) {
    press(Qt::Key_Right);
    press(Qt::Key_Return);
  }
  EXPECT_GT(board().draft().placed(), 3);
  EXPECT_TRUE(board().broken().empty());
  press(Qt::Key_Down, Qt::ControlModifier);
  EXPECT_EQ(board().draft().interval(), 9);
  press(Qt::Key_R);
  ASSERT_TRUE(wait_until([&] { return message().startsWith("Proven:"); })) << message().toStdString();
  EXPECT_TRUE(message().contains("no schedule has an interval of 9")) << message().toStdString();
  press(Qt::Key_B);
  ASSERT_TRUE(wait_until([&] { return board().draft().complete(); })) << message().toStdString();
  EXPECT_EQ(board().draft().interval(), 10);
  press(Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return message().contains("every output equals the reference"); }))
      << message().toStdString();
}

TEST_F(DraftMode, BrokenRulesStandAtTheOperationAndInAList) {
  const schedule::Schedule target = known(board());
  const int first = board().waiting().front();
  drag(first, slot(first, 5));
  const auto group = schedule::with_tied(*board().draft().problem, {first});
  ASSERT_EQ(static_cast<std::size_t>(board().draft().placed()), group.size()) << "what is tied comes along";
  auto* rules = panel->findChild<QListWidget*>("draft_rules");
  EXPECT_EQ(rules->count(), 0);
  // Everything into one cycle breaks rules, and says which.
  while (!board().waiting().empty()) {
    const int operation = board().waiting().front();
    drag(operation, slot(operation, 5));
  }
  EXPECT_GT(rules->count(), 3);
  EXPECT_TRUE(board().reading(first).find("is used") != std::string::npos || board().is_broken(first));
  rules->setCurrentRow(1);
  EXPECT_EQ(board().current(), rules->item(1)->data(Qt::UserRole).toInt());
  press(Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return message().startsWith("Not finished:"); })) << message().toStdString();
  // Out of the table again.
  const int back = first;
  QPoint outside = painter()
                       ->centre(static_cast<int>(board().tools().resources().size()), board().first_cycle() + 2,
                                panel->canvas().area())
                       .toPoint();
  const int placed = board().draft().placed();
  board().choose(-1);
  QTest::mousePress(viewport(), Qt::LeftButton, Qt::NoModifier, centre(back));
  const int taken = board().current();
  QTest::mouseMove(viewport(), outside);
  QTest::mouseRelease(viewport(), Qt::LeftButton, Qt::NoModifier, outside);
  EXPECT_LT(board().draft().placed(), placed);
  EXPECT_FALSE(board().draft().is_placed(taken));
}

TEST_F(DraftMode, TwoHundredEditsAreUndoneAndRedoneEqualByHash) {
  std::mt19937 random(4);
  QUndoStack& stack = workbench.undo_stack();
  const int before = stack.count();
  press(Qt::Key_R);
  ASSERT_TRUE(wait_until([&] { return board().draft().complete(); }));
  std::map<int, std::uint64_t> expected{{stack.index(), hash(board().draft())}};
  constexpr Qt::Key keys[] = {Qt::Key_Right,    Qt::Key_Right,     Qt::Key_Up,     Qt::Key_Down,
                              Qt::Key_PageDown, Qt::Key_PageUp,    Qt::Key_Delete, Qt::Key_Return,
                              Qt::Key_Insert,   Qt::Key_Backspace, Qt::Key_Space,  Qt::Key_Left};
  for (int tries = 0; stack.count() < before + 201 && tries < 5000; ++tries) {
    press(keys[random() % std::size(keys)], random() % 8 == 0 ? Qt::ControlModifier : Qt::NoModifier);
    if (!board().is_carrying()) expected[stack.index()] = hash(board().draft());
  }
  ASSERT_TRUE(wait_until([&] { return !panel->findChildren<QLabel*>().isEmpty(); }));
  ASSERT_GE(stack.count(), before + 200);
  while (stack.index() > before + 1) {
    stack.undo();
    ASSERT_EQ(hash(board().draft()), expected[stack.index()]) << stack.index();
  }
  while (stack.canRedo()) {
    stack.redo();
    ASSERT_EQ(hash(board().draft()), expected[stack.index()]) << stack.index();
  }
}

TEST_F(DraftMode, AFinishedScheduleIsPinnedAndComparedWithTheCompilers) {
  workbench.set_level("none");
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.snapshot().compiled->level == "none"; }));
  ASSERT_TRUE(wait_until([&] { return painter() != nullptr && board().tools().automatic().interval() > 10; }));
  auto* pin = panel->findChild<QPushButton*>("draft_pin");
  EXPECT_FALSE(pin->isEnabled()) << "nothing is finished";
  press(Qt::Key_P);
  EXPECT_TRUE(workbench.baselines().entries.empty());
  press(Qt::Key_R);
  ASSERT_TRUE(wait_until([&] { return panel_idle() && !message().startsWith("Placing"); })) << message().toStdString();
  while (!board().draft().complete()) {  // at the interval that the problem has a schedule for
    press(Qt::Key_Up, Qt::ControlModifier);
    press(Qt::Key_R);
    ASSERT_TRUE(wait_until([&] { return panel_idle() && !message().startsWith("Placing"); }));
  }
  const std::int64_t interval = board().draft().interval();
  press(Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return pin->isEnabled(); })) << message().toStdString();
  press(Qt::Key_P);
  ASSERT_EQ(workbench.baselines().entries.size(), 1u);
  ASSERT_TRUE(wait_until([&] { return workbench.snapshot().baselines.size() == 1; }));
  const Baseline& baseline = workbench.snapshot().baselines.front();
  EXPECT_EQ(baseline.name, QStringLiteral("L1 by hand, interval %1").arg(interval));
  const Quantity* by_hand = baseline.metrics(0)->find("initiation_interval");
  const Quantity* compilers = workbench.snapshot().compiled->layers[0]->metrics().find("initiation_interval");
  ASSERT_NE(by_hand, nullptr);
  ASSERT_NE(compilers, nullptr);
  EXPECT_EQ(by_hand->value, static_cast<double>(interval));
  EXPECT_LT(by_hand->value, compilers->value);
  EXPECT_LT(baseline.run->total.cycles.value, workbench.snapshot().compiled->total.cycles.value);

  const auto records = workbench.baseline_records();
  workbench.undo_stack().undo();
  EXPECT_TRUE(workbench.baselines().entries.empty());
  workbench.restore_baselines(records, 0);  // as a session does: it is compiled again
  ASSERT_TRUE(wait_until([&] { return workbench.snapshot().baselines.size() == 1; }));
  EXPECT_EQ(workbench.snapshot().baselines.front().metrics(0)->find("initiation_interval")->value,
            static_cast<double>(interval));
  auto spoilt = records;
  spoilt.front().draft->placed.pop_back();
  workbench.restore_baselines(spoilt, 0);
  EXPECT_TRUE(
      wait_until([&] { return workbench.baseline_obstacle(workbench.baselines().chosen).contains("no cycle yet"); }));
}

TEST_F(DraftMode, SessionsKeepDrafts) {
  press(Qt::Key_Right);
  press(Qt::Key_Return);
  Drafts* drafts = drafts_of(workbench);
  ASSERT_NE(drafts, nullptr);
  const std::string record = drafts->record();
  const std::uint64_t made = hash(board().draft());
  Diagnostics diagnostics;
  drafts->restore("", "empty", diagnostics);
  EXPECT_EQ(board().draft().placed(), 0);
  drafts->restore(record, "mine", diagnostics);
  EXPECT_EQ(hash(board().draft()), made);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  drafts->restore(record + "---\n{\"format\": 7}", "mine", diagnostics);
  EXPECT_EQ(hash(board().draft()), made) << "what can be read is kept";
  EXPECT_EQ(diagnostics.count(Severity::warning), 1u);
}

TEST_F(DraftMode, ThePictureShowsWhatIsHeldAndGoesBackToTheCompilersSchedule) {
  press(Qt::Key_R);
  ASSERT_TRUE(wait_until([&] { return board().draft().complete(); }));
  const auto pictured = [&](const Theme& theme) { return painted(*painter(), QSize(1100, 900), theme); };
  const QImage resting = pictured(light_theme());
  EXPECT_GT(drawn_pixels(resting), 50'000);
  QTest::mousePress(viewport(), Qt::LeftButton, Qt::NoModifier, centre(0));
  QTest::mouseMove(viewport(), centre(0) + QPoint(0, 60));
  EXPECT_TRUE(board().is_carrying());
  EXPECT_NE(pictured(light_theme()), resting);
  EXPECT_GT(drawn_pixels(pictured(dark_theme())), 50'000);
  press(Qt::Key_Escape);
  EXPECT_FALSE(board().is_carrying());
  panel->findChild<QComboBox*>("schedule_mode")->setCurrentIndex(0);
  ASSERT_TRUE(wait_until([&] { return dynamic_cast<SchedulePainter*>(panel->canvas().painter()) != nullptr; }));
  EXPECT_FALSE(panel->findChild<QSpinBox*>("draft_interval")->isVisible());
}

}  // namespace
}  // namespace convscope::ui::test
