// Sessions through the window: what must work.

#include "ui/session/session_keeper.h"

#include <QDir>
#include <QFile>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/open_size_network.h"
#include "tests/ui/session.h"
#include "ui/document/baselines.h"
#include "ui/session/autosave.h"
#include "ui/session/session_actions.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

QByteArray content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Names of the files in a folder, without locks.
QStringList files(const QString& folder) {
  return QDir(folder).entryList({QStringLiteral("*") + session::extension}, QDir::Files);
}

/// A program with its window, as one start of it.
struct Program {
  explicit Program(bool shown = true) {
    if (shown) window.show();
  }
  bool idle() {
    return wait_until([&] { return !workbench.busy(); });
  }
  bool save(const QString& path) {
    bool done = false, saved = false;
    window.session().save(path, [&](bool result) {
      done = true;
      saved = result;
    });
    return wait_until([&] { return done; }) && saved;
  }
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

class SessionKeeperTest : public testing::Test {
 protected:
  QString in_folder(const QString& name) const { return folder.filePath(name); }
  QTemporaryDir folder;
};

TEST_F(SessionKeeperTest, EverythingIsRestored) {
  const QString file = in_folder("work.convscope");
  std::vector<double> figures;
  QString level;
  {
    Program first;
    ASSERT_TRUE(open_and_wait(first.workbench, sample("speed_sign")));
    ASSERT_GE(first.workbench.pin_baseline(), 0);
    first.workbench.set_parameter(0, 32);
    level = QString::fromStdString(first.workbench.target()->levels().front().name);
    first.workbench.set_level(level);
    ASSERT_TRUE(first.idle());
    artifact::Ref ref;
    ref.layer = 2;
    first.workbench.select(ref);
    first.workbench.set_theme("dark");
    first.window.show_view("roofline");
    figures = cycles(first.workbench);
    EXPECT_TRUE(first.window.isWindowModified());
    ASSERT_TRUE(first.save(file));
    EXPECT_FALSE(first.window.isWindowModified());
    EXPECT_TRUE(first.window.windowTitle().contains("work"));
  }
  Program second;
  second.workbench.open_network(file);
  ASSERT_TRUE(second.idle());
  ASSERT_TRUE(wait_until([&] { return second.workbench.settled(); }));
  EXPECT_FALSE(second.workbench.messages().has_errors()) << second.workbench.messages().text();
  EXPECT_EQ(cycles(second.workbench), figures);
  EXPECT_EQ(second.workbench.machine().at(0), 32);
  EXPECT_EQ(second.workbench.level(), level);
  EXPECT_EQ(second.workbench.snapshot().selection.layer, 2);
  EXPECT_EQ(second.workbench.theme().name, "dark");
  ASSERT_EQ(second.workbench.baselines().entries.size(), 1u);
  ASSERT_EQ(second.workbench.snapshot().baselines.size(), 1u);
  EXPECT_NE(second.workbench.snapshot().baselines[0].run, nullptr);
  EXPECT_TRUE(wait_until([&] { return second.window.findChild<QWidget*>("view-roofline")->isVisible(); }));
  EXPECT_FALSE(second.window.isWindowModified());
  EXPECT_FALSE(second.workbench.undo_stack().canUndo());
  second.workbench.reset_parameter(0);
  EXPECT_EQ(second.workbench.machine().at(0), second.workbench.preset_machine().at(0));
  EXPECT_TRUE(second.window.isWindowModified());
  second.workbench.undo_stack().undo();
  EXPECT_FALSE(second.window.isWindowModified());
}

TEST_F(SessionKeeperTest, TheNetworkIsNamedFromTheSessionsFolder) {
  ASSERT_TRUE(QFile::copy(sample("face_detection"), in_folder("net.xml")));
  Program program(false);
  ASSERT_TRUE(open_and_wait(program.workbench, in_folder("net.xml")));
  ASSERT_TRUE(program.save(in_folder("a.convscope")));
  EXPECT_TRUE(content(in_folder("a.convscope")).contains("<network path=\"net.xml\" hash=\""));
  EXPECT_FALSE(content(in_folder("a.convscope")).contains(folder.path().toUtf8()));
  // Folder and all may move.
  QTemporaryDir other;
  ASSERT_TRUE(QFile::rename(in_folder("a.convscope"), other.filePath("a.convscope")));
  ASSERT_TRUE(QFile::rename(in_folder("net.xml"), other.filePath("net.xml")));
  program.workbench.open_network(other.filePath("a.convscope"));
  ASSERT_TRUE(program.idle());
  EXPECT_EQ(program.workbench.network()->source_file, other.filePath("net.xml").toStdString());
  EXPECT_TRUE(program.workbench.messages().empty()) << program.workbench.messages().text();
}

TEST_F(SessionKeeperTest, InputSizesAreRestored) {
  const QString network = open_size_network(folder);
  network::InputSizes sizes;
  sizes.batch = 2;
  sizes.image = network::Size{48, 64};
  {
    Program first(false);
    first.workbench.open_network(network, sizes);
    ASSERT_TRUE(first.idle());
    ASSERT_TRUE(first.save(in_folder("a.convscope")));
    EXPECT_FALSE(first.window.session().modified());
    first.workbench.set_input_sizes({1, network::Size{32, 32}, {}});
    ASSERT_TRUE(first.idle());
    EXPECT_TRUE(first.window.session().modified());
  }
  Program second(false);
  second.workbench.open_network(in_folder("a.convscope"));
  ASSERT_TRUE(second.idle());
  ASSERT_TRUE(second.workbench.input_sizes()) << second.workbench.messages().text();
  EXPECT_TRUE(*second.workbench.input_sizes() == sizes);
}

TEST_F(SessionKeeperTest, ASessionThatCannotBeRestoredChangesNothing) {
  Program program(false);
  ASSERT_TRUE(open_and_wait(program.workbench, sample("face_detection")));
  const auto before = cycles(program.workbench);
  const auto network = program.workbench.network();
  for (const QByteArray& text :
       {QByteArray("<session version='9' program='2.0'/>"), QByteArray("<session"), QByteArray("<network/>"),
        QByteArray("<session version='1'><machine target='toaster'/></session>"),
        QByteArray("<session version='1'><network path='gone.xml'/><machine target='nve'/></session>"),
        QByteArray("<session version='1'><network path='bad.convscope'/><machine target='nve'/></session>")}) {
    QFile file(in_folder("bad.convscope"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    program.workbench.open_network(file.fileName());
    ASSERT_TRUE(program.idle());
    EXPECT_TRUE(program.workbench.messages().has_errors()) << text.toStdString();
    EXPECT_EQ(program.workbench.network(), network);
    EXPECT_EQ(cycles(program.workbench), before);
    EXPECT_TRUE(program.window.session().path().isEmpty());
  }
}

TEST_F(SessionKeeperTest, SavingWhereNothingCanBeWrittenIsAMessage) {
  Program program(false);
  program.workbench.set_parameter(0, 32);
  EXPECT_FALSE(program.save(in_folder("missing/a.convscope")));
  EXPECT_TRUE(program.workbench.messages().has_errors());
  EXPECT_TRUE(program.window.session().modified());
  EXPECT_TRUE(program.save(in_folder("a.convscope")));
  EXPECT_FALSE(program.workbench.messages().has_errors());
}

TEST_F(SessionKeeperTest, UnsavedChangesAreAskedAbout) {
  Program program;
  SessionActions& actions = program.window.session_actions();
  int asked = 0;
  auto answer = SessionActions::Answer::cancel;
  actions.ask = [&] {
    ++asked;
    return answer;
  };
  actions.choose_save = [this](const QString&) { return in_folder("chosen"); };
  EXPECT_TRUE(actions.may_discard());  // nothing has changed
  EXPECT_EQ(asked, 0);
  program.workbench.set_parameter(0, 32);
  EXPECT_FALSE(program.window.close());
  EXPECT_TRUE(program.window.isVisible());
  answer = SessionActions::Answer::save;
  EXPECT_TRUE(program.window.close());
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(content(in_folder("chosen.convscope")).contains("name=\"lanes\" value=\"32\""));
  EXPECT_FALSE(program.window.session().modified());
}

TEST_F(SessionKeeperTest, ANewSessionStartsWithTheFirstMachine) {
  Program program;
  const auto first = program.workbench.machine();
  ASSERT_TRUE(open_and_wait(program.workbench, sample("filter_3x3")));
  program.workbench.set_parameter(0, 32);
  ASSERT_TRUE(program.save(in_folder("a.convscope")));
  program.window.findChild<QAction*>("new-session")->trigger();
  EXPECT_EQ(program.workbench.machine(), first);
  EXPECT_TRUE(program.window.session().path().isEmpty());
  EXPECT_FALSE(program.window.session().modified());
  EXPECT_FALSE(program.workbench.undo_stack().canUndo());
}

TEST_F(SessionKeeperTest, WhatACrashLeavesIsRecovered) {
  const QString autosaves = in_folder("autosaves");
  {
    Program crashed(false);
    ASSERT_TRUE(open_and_wait(crashed.workbench, sample("face_detection")));
    ASSERT_TRUE(crashed.save(in_folder("work.convscope")));
    Autosave autosave(crashed.window.session(), autosaves, nullptr, 1);
    crashed.workbench.set_parameter(0, 32);
    ASSERT_TRUE(wait_until([&] { return files(autosaves).size() == 1; }));
    EXPECT_TRUE(abandoned_autosaves(autosaves).empty()) << "of a program that still runs";
    // As after a crash: the file is there, its owner is not.
    ASSERT_TRUE(QFile::copy(autosave.file(), in_folder("kept")));
  }
  EXPECT_TRUE(wait_until([&] { return files(autosaves).isEmpty(); })) << "an orderly end leaves nothing";
  ASSERT_TRUE(QFile::copy(in_folder("kept"), autosaves + "/99999999-0.convscope"));

  auto abandoned = abandoned_autosaves(autosaves);
  ASSERT_EQ(abandoned.size(), 1u);
  EXPECT_EQ(abandoned[0].session, in_folder("work.convscope"));
  EXPECT_TRUE(abandoned_autosaves(autosaves).empty()) << "offered by one instance only";
  Program next(false);
  Autosave autosave(next.window.session(), autosaves, nullptr, 1);
  autosave.recover(std::move(abandoned[0]));
  ASSERT_TRUE(next.idle());
  EXPECT_EQ(next.workbench.machine().at(0), 32);
  EXPECT_EQ(next.window.session().path(), in_folder("work.convscope"));
  EXPECT_TRUE(next.window.session().modified());
  ASSERT_NE(next.workbench.network(), nullptr);
  ASSERT_TRUE(wait_until([&] { return files(autosaves) == QStringList(QFileInfo(autosave.file()).fileName()); }));
  ASSERT_TRUE(next.save(next.window.session().path()));
  EXPECT_TRUE(wait_until([&] { return files(autosaves).isEmpty(); }));
}

}  // namespace
}  // namespace convscope::ui::test
