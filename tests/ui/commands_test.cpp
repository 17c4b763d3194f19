// The command palette and the help window, as one uses them: by keyboard, in the real window.

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>
#include <set>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/commands/command_model.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/help_window.h"
#include "ui/commands/match.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

TEST(Match, TakesWordsInAnyOrderAndScatteredLetters) {
  EXPECT_TRUE(match_score("theme dark", "Dark theme View"));
  EXPECT_TRUE(match_score("dkth", "Dark theme"));
  EXPECT_EQ(match_score("", "anything"), 0);
}

TEST(Match, PrefersBeginningsThenRunsThenScatteredLetters) {
  EXPECT_GT(match_score("port", "Port width"), match_score("port", "Export"));
  EXPECT_GT(match_score("port", "Export"), match_score("port", "Print our reports too late"));
  EXPECT_GT(match_score("dark", "Dark theme"), match_score("dark", "The theme that is dark"));
}

TEST(Match, RefusesWhatDoesNotOccur) {
  EXPECT_FALSE(match_score("zebra", "Dark theme"));
  EXPECT_FALSE(match_score("dark zebra", "Dark theme"));
  EXPECT_FALSE(match_score("emeht", "theme"));
}

class CommandsTest : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  }
  CommandPalette& open_palette() {
    window.findChild<QAction*>("command-palette")->trigger();
    return *window.findChild<CommandPalette*>();
  }
  void type(CommandPalette& palette, const QString& text) {
    // As a display delivers keys to a popup: to the widget that has its focus.
    QWidget* field = palette.focusWidget();
    ASSERT_EQ(field, palette.findChild<QLineEdit*>("command-search"));
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(1);
  }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(CommandsTest, RunsAnActionOfTheMenus) {
  ASSERT_EQ(workbench.theme().name, "light");
  type(open_palette(), "dark theme");
  EXPECT_EQ(workbench.theme().name, "dark");
  workbench.set_theme("light");
}

TEST_F(CommandsTest, SelectsALayerAndGoesToAParameter) {
  type(open_palette(), "L3 layer");
  EXPECT_EQ(workbench.snapshot().selection.layer, 2);
  const auto& parameter = workbench.machine().description().parameters.front();
  type(open_palette(), QString::fromStdString(parameter.label) + " machine");
  ASSERT_NE(window.focusWidget(), nullptr);
  bool inside = false;
  for (QWidget* each = window.focusWidget(); each; each = each->parentWidget()) {
    inside |= each->objectName() == "parameter-" + QString::fromStdString(parameter.name);
  }
  EXPECT_TRUE(inside);
}

TEST_F(CommandsTest, ArrowsMoveWhileOneTypes) {
  CommandPalette& palette = open_palette();
  auto* field = palette.findChild<QLineEdit*>("command-search");
  auto* list = palette.findChild<QTreeView*>("command-list");
  ASSERT_EQ(list->currentIndex().row(), 0);
  QTest::keyClick(field, Qt::Key_Down);
  EXPECT_EQ(list->currentIndex().row(), 1);
  QTest::keyClicks(field, "no such command");
  EXPECT_FALSE(list->currentIndex().isValid());
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_FALSE(palette.isHidden()) << "nothing was chosen";
  palette.close();
}

TEST_F(CommandsTest, ModelKeepsTheRulesOfModels) {
  CommandModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.set_commands(menu_commands(window));
  ASSERT_GT(model.rowCount(), 10);
  model.search("theme");
  ASSERT_GE(model.rowCount(), 3);
  for (int row = 0; row < 3; ++row)
    EXPECT_TRUE(model.index(row, 0).data().toString().contains("theme", Qt::CaseInsensitive)) << row;
  model.search("zebra crossing");
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(CommandsTest, NoKeysAreGivenTwiceAndEveryActionHasAName) {
  std::set<QString> keys;
  for (const Command& each : menu_commands(window)) {
    if (each.keys.isEmpty()) continue;
    EXPECT_TRUE(keys.insert(each.keys.toString()).second) << each.keys.toString().toStdString();
  }
  EXPECT_GE(keys.size(), 10U);
}

TEST_F(CommandsTest, HelpNamesKeysViewsAndParameters) {
  window.findChild<QAction*>("help")->trigger();
  auto* page = window.findChild<HelpWindow*>()->findChild<QTextBrowser*>("help-page");
  const QString text = page->toPlainText();
  EXPECT_TRUE(text.contains("Ctrl+K"));
  for (const ViewEntry& view : view_entries()) {
    EXPECT_FALSE(view.help.isEmpty()) << view.id.toStdString();
    EXPECT_TRUE(text.contains(view.title)) << view.id.toStdString();
  }
  for (const auto& parameter : workbench.machine().description().parameters) {
    EXPECT_TRUE(text.contains(QString::fromStdString(parameter.help).simplified())) << parameter.name;
  }
}

TEST_F(CommandsTest, HelpFollowsTheMachineAndFinds) {
  window.findChild<QAction*>("help")->trigger();
  auto* help = window.findChild<HelpWindow*>();
  auto* page = help->findChild<QTextBrowser*>("help-page");
  workbench.set_target("nmp");
  EXPECT_TRUE(wait_until([&] { return page->toPlainText().contains("burst", Qt::CaseInsensitive); }));
  QTest::keyClicks(help->findChild<QLineEdit*>("help-search"), "roofline");
  EXPECT_EQ(page->textCursor().selectedText().toLower(), "roofline");
}

}  // namespace
}  // namespace convscope::ui::test
