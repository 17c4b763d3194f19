// A lab in the window, as a student works on it: open, answer, change the machine, see tasks turn done, hand in.

#include "ui/labs/lab_panel.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/picture.h"
#include "tests/ui/session.h"
#include "ui/document/program_texts.h"
#include "ui/session/session_keeper.h"
#include "ui/window/labs_menu.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

class LabInWindow : public testing::Test {
 protected:
  void open(const QString& name) {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    window.findChild<QAction*>("lab-" + name)->trigger();
    ASSERT_TRUE(wait_until([this] { return work().lab() != nullptr; }));
    ASSERT_TRUE(wait_until([this] { return !workbench.busy() && workbench.network() != nullptr; }));
    wait_until_checked();
  }
  LabWork& work() { return window.findChild<LabsMenu*>("labs-menu")->work(); }
  void wait_until_checked() {
    EXPECT_TRUE(wait_until([this] { return work().outcome().has_value(); }));
  }
  bool done(const QString& task) { return part<QLabel>("lab-task-" + task).text().startsWith(QStringLiteral("✓")); }
  template <typename Part>
  Part& part(const QString& name) {
    return *window.findChild<Part*>(name);
  }
  void set(const char* parameter, double value) {
    workbench.change_parameter(*workbench.machine().description().find(parameter), value);
  }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(LabInWindow, TasksTurnDoneAndBackAgain) {
  open("ports");
  EXPECT_EQ(workbench.machine().get_choice("memory"), "simple-dual-port");
  EXPECT_FALSE(done("name-it"));
  auto& which = part<QComboBox>("lab-answer-binds");
  which.setFocus();
  QTest::keyClick(&which, Qt::Key_Down);
  QTest::keyClicks(&part<QLineEdit>("lab-answer-lost"), "6");
  EXPECT_TRUE(wait_until([&] { return done("name-it") && done("measure-it"); }));
  EXPECT_FALSE(done("mend-it"));
  set("memory", 2);
  EXPECT_TRUE(wait_until([&] { return done("mend-it"); }));
  EXPECT_TRUE(part<QLabel>("lab-points").text().startsWith("4 of 4"));
  workbench.undo_stack().undo();
  EXPECT_TRUE(wait_until([&] { return !done("mend-it"); }));
  set("clock", 200);
  EXPECT_TRUE(wait_until([&] { return part<QLabel>("lab-points").text().contains("is locked"); }));
}

TEST_F(LabInWindow, WhatIsHandedInIsWhatIsGraded) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("mine.xml");
  open("interval-10");
  part<QLineEdit>("lab-by").setText("Ada");
  part<QLineEdit>("lab-answer-bound").setText("10");
  EXPECT_TRUE(wait_until([&] { return done("bound"); }));
  bool written = false;
  QObject::connect(&work(), &LabWork::saved, &window, [&] { written = true; });
  work().hand_in(file);
  ASSERT_TRUE(wait_until([&] { return written; }));
  Diagnostics diagnostics;
  const auto handed_in = labs::load_submission(file.toStdString(), diagnostics);
  ASSERT_TRUE(handed_in) << diagnostics.text();
  EXPECT_EQ(*handed_in, work().submission());
  EXPECT_EQ(handed_in->by, "Ada");
  work().hand_in(folder.path());  // a folder
  EXPECT_TRUE(wait_until([&] { return part<QLabel>("lab-news").text().contains("error"); }));
}

TEST_F(LabInWindow, AProgramIsLoadedAndExamined) {
  const QTemporaryDir folder;
  Diagnostics diagnostics;
  const auto right =
      labs::load_submission(CONVSCOPE_SOURCE_DIR "/samples/labs/interval-10/solutions/right.xml", diagnostics);
  ASSERT_TRUE(right);
  QFile file(folder.filePath("filter.s"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(right->programs.front().text.c_str());
  file.close();
  open("interval-10");
  work().load_program("filter", file.fileName());
  EXPECT_TRUE(wait_until([&] { return done("ten") && done("correct"); }));
  work().load_program("filter", folder.filePath("none.s"));
  EXPECT_TRUE(wait_until([&] { return part<QLabel>("lab-news").text().contains("none.s"); }));
}

TEST_F(LabInWindow, LinksActWithinWhatTheLabAllows) {
  open("ports");
  work().follow("action:set?memory=two-banks");
  EXPECT_EQ(workbench.machine().get_choice("memory"), "two-banks");
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine().get_choice("memory"), "simple-dual-port");
  work().follow("action:set?clock=200");
  EXPECT_TRUE(part<QLabel>("lab-news").text().contains("is locked"));
  work().follow("action:layer?name=L1");
  EXPECT_EQ(workbench.snapshot().selection.layer, 0);
  for (const char* wrong : {"", "file:///etc/passwd", "action:view?id=no such view", "action:run?id=x"})
    work().follow(wrong);
}

TEST_F(LabInWindow, TheEditedAssemblyIsTaken) {
  open("interval-10");
  work().take_text("filter");
  EXPECT_TRUE(part<QLabel>("lab-news").text().contains("edited this program's assembly"));
  program_texts_of(workbench)->keep({"filter_3x3.xml", "nve", "L1", 0}, "program \"x\"\nlayer \"y\"\n");
  work().take_text("filter");
  EXPECT_TRUE(part<QLabel>("lab-taken-filter").text().contains("2 lines of assembly"));
  EXPECT_TRUE(wait_until([&] { return part<QLabel>("lab-reasons-correct").text().contains("program 'filter'"); }));
}

TEST_F(LabInWindow, ASessionKeepsTheLabAndWhatWasDone) {
  open("interval-10");
  part<QLineEdit>("lab-by").setText("Ada");
  part<QLineEdit>("lab-answer-bound").setText("10");
  program_texts_of(workbench)->keep({"filter_3x3.xml", "nve", "L1", 0}, "program \"x\"\n");
  work().take_text("filter");
  const labs::Submission before = work().submission();
  const QTemporaryDir folder;
  const QString file = folder.filePath("lab.convscope");
  bool saved = false;
  window.session().save(file, [&](bool fine) { saved = fine; });
  ASSERT_TRUE(wait_until([&] { return saved; }));
  open("ports");
  ASSERT_TRUE(wait_until([&] { return work().lab()->lab.name == "ports"; }));
  workbench.open_session(file);
  ASSERT_TRUE(wait_until([&] { return work().lab()->lab.name == "interval-10" && !workbench.busy(); }));
  EXPECT_EQ(work().submission(), before);
  EXPECT_EQ(part<QLineEdit>("lab-by").text(), "Ada");
  EXPECT_EQ(part<QLineEdit>("lab-answer-bound").text(), "10");
  EXPECT_TRUE(part<QLabel>("lab-taken-filter").text().contains("lines of assembly"));
  EXPECT_TRUE(wait_until([&] { return done("bound"); }));
  work().resume(QString::fromStdString(work().lab()->folder), "<no submission");
  EXPECT_TRUE(wait_until([&] { return part<QLabel>("lab-news").text().contains("can't be read"); }));
  work().resume(folder.path(), {});
  EXPECT_TRUE(wait_until([&] { return part<QLabel>("lab-news").text().contains("lab.xml"); }));
}

TEST_F(LabInWindow, LooksAsItDid) {
  open("ports");
  QTest::keyClicks(&part<QLineEdit>("lab-answer-lost"), "6");
  ASSERT_TRUE(wait_until([&] { return done("measure-it"); }));
  auto* dock = window.findChild<QDockWidget*>("dock-lab");
  dock->setFloating(true);
  dock->resize(420, 760);
  for (const char* theme : {"light", "dark"}) {
    workbench.set_theme(theme);
    QTest::qWait(50);
    EXPECT_TRUE(looks_as_kept(part<LabPanel>("lab-panel").grab().toImage(), QString("lab-panel-%1").arg(theme)));
  }
}

}  // namespace
}  // namespace convscope::ui::test
