// The workbench with a made-up target: what must work.

#include "ui/document/workbench.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"

namespace convscope::ui::test {
namespace {

class WorkbenchTest : public testing::Test {
 protected:
  bool compiled() {
    return wait_until([&] { return !workbench.busy(); });
  }

  std::shared_ptr<MadeUpTarget> target = std::make_shared<MadeUpTarget>();
  Workbench workbench{made::catalogue_of({target})};
};

TEST_F(WorkbenchTest, OpensAndCompilesEveryLayer) {
  QSignalSpy opened(&workbench, &Workbench::network_opened);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  EXPECT_EQ(opened.count(), 1);
  ASSERT_NE(workbench.snapshot().compiled, nullptr);
  EXPECT_TRUE(workbench.snapshot().compiled->complete);
  EXPECT_EQ(workbench.snapshot().compiled->layers.size(), 4u);
  EXPECT_EQ(workbench.snapshot().previous, workbench.snapshot().compiled);
  EXPECT_EQ(workbench.snapshot().selection.layer, 0);
  EXPECT_TRUE(workbench.snapshot().message.isEmpty());
}

TEST_F(WorkbenchTest, ADragIsOneUndoStepAndUndoneGivesTheSameFigures) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto before = cycles(workbench);
  for (const double lanes : {32.0, 64.0, 8.0}) workbench.set_parameter(0, lanes, 1);
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.undo_stack().count(), 1);
  const auto after = cycles(workbench);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0], before[0] * 2);
  workbench.undo_stack().undo();
  ASSERT_TRUE(compiled());
  EXPECT_EQ(cycles(workbench), before);
  workbench.undo_stack().redo();
  ASSERT_TRUE(compiled());
  EXPECT_EQ(cycles(workbench), after);
}

TEST_F(WorkbenchTest, ADragBackToItsStartLeavesNoStep) {
  workbench.set_parameter(0, 32, 7);
  workbench.set_parameter(0, 16, 7);
  EXPECT_EQ(workbench.undo_stack().count(), 0);
  EXPECT_EQ(workbench.machine().at(0), 16);
}

TEST_F(WorkbenchTest, TwoDragsAreTwoSteps) {
  workbench.set_parameter(0, 32, 1);
  workbench.set_parameter(0, 64, 2);
  EXPECT_EQ(workbench.undo_stack().count(), 2);
}

TEST_F(WorkbenchTest, HundredsOfStepsComeBack) {
  for (int step = 0; step < 300; ++step) workbench.set_parameter(1, 100 + 0.5 * (step + 1));
  EXPECT_EQ(workbench.undo_stack().count(), 300);
  while (workbench.undo_stack().canUndo()) workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine(), workbench.preset_machine());
}

TEST_F(WorkbenchTest, ResetReturnsToThePreset) {
  workbench.set_parameter(0, 32);
  workbench.reset_parameter(0);
  EXPECT_EQ(workbench.machine(), workbench.preset_machine());
}

TEST_F(WorkbenchTest, LevelsAreUndoable) {
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
  const auto plain = cycles(workbench);
  workbench.set_level("better");
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.level(), "better");
  EXPECT_LT(cycles(workbench)[0], plain[0]);
  workbench.undo_stack().undo();
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.level(), "plain");
  EXPECT_EQ(cycles(workbench), plain);
}

TEST_F(WorkbenchTest, OtherLevelsFollowInTheBackground) {
  target->gate = true;
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3"), true));
  ASSERT_TRUE(wait_until([&] { return workbench.settled(); }));
  std::vector<std::string> levels;
  for (const auto& run : workbench.snapshot().levels) levels.push_back(run->level);
  EXPECT_EQ(levels, (std::vector<std::string>{"better", "slow"}));
  EXPECT_EQ(workbench.snapshot().compiled->level, "plain");
}

TEST_F(WorkbenchTest, TheNewestValueWins) {
  ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  for (int round = 0; round < 50; ++round) workbench.set_parameter(0, round % 2 == 0 ? 4 : 32, 1);
  workbench.set_parameter(0, 64, 1);
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.snapshot().compiled->machine.at(0), 64);
}

TEST_F(WorkbenchTest, ShowsTheRunBeforeWhileTheNextOneRuns) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto before = workbench.snapshot().compiled;
  workbench.set_level("slow");
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  EXPECT_TRUE(workbench.busy());
  EXPECT_EQ(workbench.snapshot().previous, before);
  EXPECT_EQ(workbench.snapshot().layer(), before->layers[0]);
  target->gate = true;
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.snapshot().compiled->level, "slow");
}

TEST_F(WorkbenchTest, CancelStopsAtOnceAndKeepsTheRunBefore) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto before = workbench.snapshot().compiled;
  workbench.set_level("slow");
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  workbench.cancel();
  EXPECT_FALSE(workbench.busy());
  EXPECT_FALSE(workbench.snapshot().message.isEmpty());
  EXPECT_TRUE(wait_until([&] { return target->waiting == 0; }));
  EXPECT_EQ(workbench.snapshot().layer(), before->layers[0]);
  target->gate = true;
  workbench.recompile();
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.snapshot().compiled->level, "slow");
  EXPECT_TRUE(workbench.snapshot().message.isEmpty());
}

TEST_F(WorkbenchTest, SelectionIsToldOnce) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  QSignalSpy spy(&workbench, &Workbench::selection_changed);
  artifact::Ref ref;
  ref.layer = 2;
  workbench.select(ref);
  workbench.select(ref);
  EXPECT_EQ(spy.count(), 1);
  EXPECT_EQ(workbench.snapshot().layer(), workbench.snapshot().compiled->layers[2]);
}

TEST_F(WorkbenchTest, ConfigureTakesWhatTheCommandLineSays) {
  Diagnostics diagnostics;
  ASSERT_TRUE(workbench.configure({"made-up", "", "better", {"lanes=32", "memory=single port"}}, diagnostics))
      << diagnostics.text();
  EXPECT_EQ(workbench.level(), "better");
  EXPECT_EQ(workbench.machine().get("lanes"), 32);
  EXPECT_EQ(workbench.machine().get_choice("memory"), "single port");
  EXPECT_FALSE(workbench.undo_stack().canUndo());
}

// As the command line does, so that both show the same figures.
TEST(Workbench, EveryTargetStartsWithItsOwnPreset) {
  for (const auto& offered : catalogue::standard_targets()) {
    Workbench workbench{catalogue::standard()};
    Diagnostics diagnostics;
    ASSERT_TRUE(workbench.configure({QString::fromStdString(offered->id()), "", "", {}}, diagnostics))
        << diagnostics.text();
    EXPECT_EQ(workbench.preset().toStdString(), offered->default_preset());
    EXPECT_EQ(workbench.machine(), workbench.preset_machine());
  }
}

TEST_F(WorkbenchTest, MayBeClosedInTheMiddle) {
  auto short_lived = std::make_unique<Workbench>(made::catalogue_of({target}));
  ASSERT_TRUE(open_and_wait(*short_lived, sample("face_detection")));
  short_lived->set_level("slow");
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  short_lived.reset();
  EXPECT_TRUE(wait_until([&] { return target->waiting == 0; })) << "nobody waits for it, but it stops";
}

}  // namespace
}  // namespace convscope::ui::test
