// Undo and redo of everything that can be edited, proved by a hash over all results.

#include <QTemporaryDir>
#include <random>

#include <gtest/gtest.h>

#include "core/base/key.h"
#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/document/baselines.h"
#include "ui/document/workbench.h"
#include "ui/model/settings.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

constexpr int edit_count = 200;
constexpr int check_every = 20;

class UndoTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(open_and_wait(workbench, sample("face_detection"))); }

  bool idle() {
    return wait_until([&] { return !workbench.busy(); });
  }
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

  void edit_parameter(int drag) {
    const auto& parameters = workbench.machine().description().parameters;
    const int index = pick(static_cast<int>(parameters.size()));
    const auto& parameter = parameters[static_cast<std::size_t>(index)];
    const double share = std::uniform_real_distribution<double>(0, 1)(random);
    const double value = parameter.kind == arch::ParameterKind::choice
                             ? pick(static_cast<int>(parameter.choices.size()))
                             : parameter.minimum + share * (parameter.maximum - parameter.minimum);
    workbench.set_parameter(index, arch::nearest_allowed(parameter, value), drag);
  }
  void edit_anything(int step) {
    const auto& levels = workbench.target()->levels();
    switch (pick(12)) {
      case 0:
        return workbench.set_level(
            QString::fromStdString(levels[static_cast<std::size_t>(pick(static_cast<int>(levels.size())))].name));
      case 1:
        return static_cast<void>(workbench.pin_baseline());
      case 2:
        if (!workbench.baselines().entries.empty()) workbench.remove_baseline(workbench.baselines().entries.front().id);
        return;
      case 3:
        for (int move = 0; move < 5; ++move) edit_parameter(step);
        return;
      default:
        return edit_parameter(0);
    }
  }
  bool holds() {
    Diagnostics ignored;
    return workbench.machine().check(ignored);
  }

  /// Every figure of every view for every layer, the machine, and the baselines.
  std::uint64_t results() {
    EXPECT_TRUE(idle());
    Snapshot snapshot = workbench.snapshot();
    EXPECT_TRUE(snapshot.compiled && snapshot.compiled->complete);
    snapshot.levels.clear();  // they follow in the background
    std::string text = workbench.level().toStdString() + workbench.preset().toStdString();
    for (std::size_t i = 0; i < workbench.machine().description().parameters.size(); ++i) {
      text += workbench.machine().text(i) + ';';
    }
    for (const BaselineRecord& each : workbench.baseline_records()) text += each.name.toStdString() + ';';
    for (int layer = 0; layer < static_cast<int>(snapshot.network->layers.size()); ++layer) {
      snapshot.selection = {};
      snapshot.selection.layer = layer;
      for (const ViewEntry& entry : view_entries()) text += entry.make_painter(snapshot)->csv();
    }
    return hash64(text);
  }

  std::mt19937 random{20};
  Workbench workbench{catalogue::standard()};
};

TEST_F(UndoTest, TwoHundredEditsComeBackWithTheSameResults) {
  QUndoStack& stack = workbench.undo_stack();
  std::map<int, std::uint64_t> expected{{0, results()}};
  for (int step = 1; stack.count() < edit_count || !holds(); ++step) {
    edit_anything(step);
    if (stack.count() / check_every >= static_cast<int>(expected.size()) && holds())
      expected[stack.count()] = results();
  }
  const int last = stack.count();
  expected[last] = results();
  ASSERT_GE(last, edit_count);
  ASSERT_GE(expected.size(), 8u);

  for (auto check = expected.rbegin(); check != expected.rend(); ++check) {
    while (stack.index() > check->first) stack.undo();
    EXPECT_EQ(results(), check->second) << "undone to " << check->first;
  }
  EXPECT_EQ(workbench.machine(), workbench.preset_machine());
  EXPECT_FALSE(stack.canUndo());
  for (const auto& [index, hash] : expected) {
    while (stack.index() < index) stack.redo();
    EXPECT_EQ(results(), hash) << "redone to " << index;
  }
  EXPECT_FALSE(stack.canRedo());
}

TEST_F(UndoTest, TheHashSeesAnEdit) {
  const auto before = results();
  workbench.set_parameter(0, 32);
  const auto after = results();
  EXPECT_NE(before, after);
  workbench.undo_stack().undo();
  EXPECT_EQ(results(), before);
}

class PresetTest : public UndoTest {};

TEST_F(PresetTest, AreSavedAndLoaded) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("deep/wide.xml");
  const auto first = workbench.machine();
  workbench.set_parameter(0, 32);
  workbench.save_preset(file, "Wide & fast", "Twice the <lanes>");
  ASSERT_TRUE(wait_until([&] { return workbench.preset() == "Wide & fast"; }));
  const auto saved = workbench.machine();
  EXPECT_EQ(workbench.preset_machine(), saved);
  workbench.undo_stack().undo();
  EXPECT_NE(workbench.preset(), "Wide & fast");
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine(), first);
  workbench.load_preset(file);
  ASSERT_TRUE(wait_until([&] { return workbench.preset() == "Wide & fast"; }));
  EXPECT_EQ(workbench.machine(), saved);
  EXPECT_FALSE(workbench.messages().has_errors()) << workbench.messages().text();
}

TEST_F(PresetTest, OfTheUsersFolderAreOffered) {
  workbench.set_parameter(0, 32);
  workbench.save_preset(user_preset_folder() + "/my-own.xml", "my-own", "");
  ASSERT_TRUE(wait_until([&] { return workbench.presets().contains("my-own"); }));
  workbench.reset_parameter(0);
  workbench.set_parameter(0, 8);
  workbench.load_preset("my-own");
  EXPECT_TRUE(wait_until([&] { return workbench.machine().at(0) == 32; }));
}

TEST_F(PresetTest, ThatCannotBeWrittenAreAMessage) {
  const auto before = workbench.preset();
  workbench.save_preset("/proc/no/preset.xml", "x", "");
  EXPECT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));
  EXPECT_EQ(workbench.preset(), before);
}

}  // namespace
}  // namespace convscope::ui::test
