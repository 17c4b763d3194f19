// A lab in the window, as a student works on it: open, answer, change the machine, see tasks turn done, hand in.

#include "ui/labs/lab_panel.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUrl>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/picture.h"
#include "tests/ui/session.h"
#include "ui/document/program_texts.h"
#include "ui/session/session_keeper.h"
#include "ui/window/labs_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/view_area.h"

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

/// Nothing but keys, each sent to what has the keyboard.
class LabByKeys : public LabInWindow {
 protected:
  void SetUp() override {
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  }
  QWidget* focus() {
    QWidget* popup = QApplication::activePopupWidget();
    return popup != nullptr ? popup : QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &window;
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(focus(), key, modifiers);
  }
  void type(const QString& text) { QTest::keyClicks(focus(), text); }
  bool has_focus(const QString& name) { return focus()->objectName() == name; }
  /// Goes on with Tab until a widget has the keyboard.
  bool go_to(const QString& name) {
    constexpr int most = 100;
    for (int i = 0; i < most && !has_focus(name); ++i) press(Qt::Key_Tab);
    return has_focus(name);
  }
  void open_from_menu(const QString& lab) {
    press(Qt::Key_L, Qt::AltModifier);
    auto* menu = window.findChild<LabsMenu*>("labs-menu");
    ASSERT_TRUE(wait_until([&] { return QApplication::activePopupWidget() == menu; }));
    const auto at_lab = [&] { return menu->activeAction() != nullptr && menu->activeAction()->objectName() == lab; };
    for (qsizetype i = 0; i < menu->actions().size() && !at_lab(); ++i) press(Qt::Key_Down);
    ASSERT_TRUE(at_lab());
    press(Qt::Key_Return);
    window.activateWindow();  // what window managers do when a menu closes
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  }
  QString view() { return window.findChild<ViewArea*>("views")->current_view(); }
};

TEST_F(LabByKeys, AWholeLabFromTheMenuToTheFileThatIsHandedIn) {
  open_from_menu("lab-ports");
  ASSERT_TRUE(wait_until([&] { return work().lab() != nullptr && !workbench.busy() && has_focus("lab-text"); }));
  const auto follow_next_link = [&] {
    press(Qt::Key_Tab);
    press(Qt::Key_Return);
  };
  follow_next_link();
  EXPECT_EQ(view(), "schedule");
  EXPECT_FALSE(has_focus("lab-text"));
  press(Qt::Key_L, Qt::ControlModifier);
  ASSERT_TRUE(has_focus("lab-text"));
  follow_next_link();
  EXPECT_EQ(view(), "why");
  press(Qt::Key_L, Qt::ControlModifier);
  follow_next_link();
  EXPECT_EQ(workbench.machine().get_choice("memory"), "two-banks");
  EXPECT_TRUE(has_focus("lab-text"));

  ASSERT_TRUE(go_to("lab-hint-mend-it"));
  press(Qt::Key_Space);
  EXPECT_TRUE(part<QLabel>("lab-hints-mend-it").text().contains("in the same cycle"));
  ASSERT_TRUE(go_to("lab-by"));
  type("Ada");
  ASSERT_TRUE(go_to("lab-answer-binds"));
  press(Qt::Key_Down);
  ASSERT_TRUE(go_to("lab-answer-lost"));
  type("6");
  ASSERT_TRUE(wait_until([&] { return done("name-it") && done("measure-it") && done("mend-it"); }));
  EXPECT_TRUE(part<QLabel>("lab-points").text().startsWith("4 of 4"));

  const QTemporaryDir folder;
  const QString file = folder.filePath("mine.xml");
  QTimer typist;  // the dialog has an event loop of its own
  QObject::connect(&typist, &QTimer::timeout, &window, [&] {
    if (QApplication::activeModalWidget() == nullptr || qobject_cast<QLineEdit*>(focus()) == nullptr) return;
    typist.stop();
    press(Qt::Key_A, Qt::ControlModifier);
    type(file);
    press(Qt::Key_Return);
  });
  typist.start(20);
  ASSERT_TRUE(go_to("lab-hand-in"));
  press(Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return part<QLabel>("lab-news").text().startsWith("Handed in: "); }));
  Diagnostics diagnostics;
  const auto handed_in = labs::load_submission(file.toStdString(), diagnostics);
  ASSERT_TRUE(handed_in) << diagnostics.text();
  EXPECT_EQ(handed_in->by, "Ada");
  EXPECT_EQ(handed_in->opened_hints("mend-it"), 1);
  EXPECT_EQ(*handed_in, work().submission());
}

TEST_F(LabInWindow, ALabsFileOpensAsAnyOther) {
  window.show();
  window.open_file(CONVSCOPE_SOURCE_DIR "/samples/labs/ports/lab.xml");
  ASSERT_TRUE(wait_until([this] { return work().lab() != nullptr; }));
  EXPECT_EQ(work().lab()->lab.name, "ports");
  EXPECT_TRUE(part<QDockWidget>("dock-lab").isVisible());
  QMimeData dropped;
  dropped.setUrls({QUrl::fromLocalFile(CONVSCOPE_SOURCE_DIR "/samples/labs/transfer/lab.xml")});
  QDragEnterEvent enter({1, 1}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop({1, 1}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &drop);
  EXPECT_TRUE(wait_until([this] { return work().lab()->lab.name == "transfer"; }));
}

TEST_F(LabInWindow, OpenedHintsAreCountedAndHandedIn) {
  open("interval-10");
  auto& button = part<QPushButton>("lab-hint-ten");
  const QPointer<QPushButton> before = &button;
  EXPECT_EQ(button.text(), "Hint (1 of 2)");
  EXPECT_TRUE(part<QLabel>("lab-hints-ten").isHidden());
  button.click();
  EXPECT_TRUE(part<QLabel>("lab-hints-ten").text().startsWith("An operation that is moved up"));
  EXPECT_EQ(work().submission().opened_hints("ten"), 1);
  button.click();
  EXPECT_FALSE(button.isEnabled());
  EXPECT_EQ(work().submission().hints, (std::vector<labs::OpenedHints>{{"ten", 2}}));
  work().resume(QString::fromStdString(work().lab()->folder), work().record());
  ASSERT_TRUE(wait_until([&] { return before.isNull(); }));
  EXPECT_FALSE(part<QPushButton>("lab-hint-ten").isEnabled()) << "what was read stays read";
  EXPECT_TRUE(part<QLabel>("lab-hints-ten").text().contains("Fig. 26"));
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
