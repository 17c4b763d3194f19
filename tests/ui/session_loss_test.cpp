// Work that must not be lost: what comes late, or not at all, around sessions.

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "tests/ui/sweeping.h"
#include "ui/panels/sweep_setup/sweep_dialog.h"
#include "ui/session/autosave.h"
#include "ui/session/session_actions.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

QStringList autosaves_in(const QString& folder) {
  return QDir(folder).entryList({QStringLiteral("*") + session::extension}, QDir::Files);
}

void write_text(const QString& path, const QByteArray& text) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(text);
}

/// A program with its window, as one start of it.
struct RunningProgram {
  bool save(const QString& path) {
    bool done = false, saved = false;
    window.session().save(path, [&](bool result) {
      done = true;
      saved = result;
    });
    return wait_until([&] { return done; }) && saved;
  }
  bool open_session(const QString& path) {
    QSignalSpy opened(&workbench, &Workbench::session_opened);
    workbench.open_session(path);
    return wait_until([&] { return !opened.empty() && !workbench.busy(); });
  }
  bool read_all() {
    return wait_until([&] { return !workbench.exploration().opening_files(); });
  }
  int lanes() const { return static_cast<int>(workbench.machine().at(0)); }
  SweepDialog& dialog() {
    window.findChild<QAction*>("sweep")->trigger();
    return *window.findChild<SweepDialog*>();
  }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
  SessionKeeper& keeper = window.session();
};

class SessionLoss : public testing::Test {
 protected:
  QString in_folder(const QString& name) const { return folder.filePath(name); }
  QString space() const { return QString::fromStdString(sample_path("spaces/nve_lanes_ports_instructions.xml")); }
  /// A session with a space's file and a sweep's results.
  void make_session(const QString& file) {
    RunningProgram program;
    ASSERT_TRUE(open_and_wait(program.workbench, sample("face_detection")));
    program.workbench.exploration().open_space(space());
    ASSERT_TRUE(program.read_all());
    SweepPlan plan{space_of(program.workbench, nve_space()), {}, in_folder("results.db").toStdString(), 0};
    ASSERT_NE(sweep_and_wait(program.workbench, plan), nullptr);
    ASSERT_TRUE(program.save(file));
  }
  QByteArray content(const QString& name) const {
    QFile file(in_folder(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder;
};

TEST_F(SessionLoss, ARefusedRecoveryStays) {
  const QString autosaves = in_folder("autosaves");
  ASSERT_TRUE(QDir().mkpath(autosaves));
  const QString left = autosaves + "/99999999-0.convscope";
  write_text(left,
             "<session version='1' autosave_of='/work.convscope'><network path='gone.xml'/><machine target='nve'/>"
             "</session>");
  {
    RunningProgram program;
    Autosave autosave(program.keeper, autosaves, nullptr, 1);
    auto abandoned = abandoned_autosaves(autosaves);
    ASSERT_EQ(abandoned.size(), 1U);
    autosave.recover(std::move(abandoned[0]));
    ASSERT_TRUE(wait_until([&] { return !program.workbench.busy(); }));
    EXPECT_TRUE(program.workbench.messages().has_errors());
    QSignalSpy written(&autosave, &Autosave::written);
    program.workbench.set_parameter(0, 32);
    ASSERT_TRUE(wait_until([&] { return !written.empty(); }));
    EXPECT_TRUE(QFile::exists(left));
  }
  EXPECT_TRUE(wait_until([&] { return autosaves_in(autosaves).size() == 1; }));
  EXPECT_EQ(abandoned_autosaves(autosaves).size(), 1U) << "offered again";
}

TEST_F(SessionLoss, ARecoveryThatWasSavedIsNotOfferedAgain) {
  const QString autosaves = in_folder("autosaves");
  ASSERT_TRUE(QDir().mkpath(autosaves));
  write_text(autosaves + "/99999999-0.convscope", "<session version='1'><machine target='nve'/></session>");
  RunningProgram program;
  Autosave autosave(program.keeper, autosaves, nullptr, 1'000'000);
  auto abandoned = abandoned_autosaves(autosaves);
  ASSERT_EQ(abandoned.size(), 1U);
  QSignalSpy recovered(&program.keeper, &SessionKeeper::recovered);
  autosave.recover(std::move(abandoned[0]));
  ASSERT_TRUE(wait_until([&] { return !recovered.empty(); }));
  ASSERT_TRUE(program.save(in_folder("work.convscope")));
  EXPECT_TRUE(autosaves_in(autosaves).isEmpty());
}

TEST_F(SessionLoss, WhatIsChangedWhileResultsAreReadIsUnsaved) {
  make_session(in_folder("a.convscope"));
  RunningProgram program;
  QObject::connect(&program.keeper, &SessionKeeper::opened, [&] {
    EXPECT_TRUE(program.workbench.exploration().opening_files());
    EXPECT_FALSE(program.keeper.modified());
    program.workbench.set_parameter(0, 32);
  });
  ASSERT_TRUE(program.open_session(in_folder("a.convscope")));
  ASSERT_TRUE(program.read_all());
  ASSERT_NE(program.workbench.exploration().state()->sweep, nullptr);
  EXPECT_TRUE(program.keeper.modified());
  program.workbench.undo_stack().undo();
  EXPECT_FALSE(program.keeper.modified()) << "what a session reads is no change of it";
}

TEST_F(SessionLoss, FilesThatAreStillReadOrRefusedStayTheSessions) {
  make_session(in_folder("a.convscope"));
  {
    RunningProgram program;
    bool saved = false;
    QObject::connect(&program.keeper, &SessionKeeper::opened,
                     [&] { program.keeper.save(in_folder("b.convscope"), [&](bool done) { saved = done; }); });
    ASSERT_TRUE(program.open_session(in_folder("a.convscope")));
    ASSERT_TRUE(wait_until([&] { return saved; }));
  }
  EXPECT_TRUE(content("b.convscope").contains("results.db"));
  EXPECT_TRUE(content("b.convscope").contains("nve_lanes_ports_instructions.xml"));
  ASSERT_TRUE(QFile::rename(in_folder("results.db"), in_folder("elsewhere.db")));
  RunningProgram program;
  ASSERT_TRUE(program.open_session(in_folder("b.convscope")));
  ASSERT_TRUE(program.read_all());
  EXPECT_TRUE(program.workbench.messages().has_errors());
  EXPECT_FALSE(program.keeper.modified());
  ASSERT_TRUE(program.save(in_folder("b.convscope")));
  EXPECT_TRUE(content("b.convscope").contains("results.db"));
}

TEST_F(SessionLoss, ASaveThatEndsLateLeavesTheNextSessionItsName) {
  RunningProgram program;
  program.workbench.set_parameter(0, 32);
  bool done = false;
  program.keeper.save(in_folder("a.convscope"), [&](bool saved) { done = saved; });
  program.keeper.start_new();
  program.workbench.set_parameter(0, 64);
  ASSERT_TRUE(wait_until([&] { return done; }));
  EXPECT_TRUE(program.keeper.path().isEmpty());
  EXPECT_TRUE(program.keeper.modified());
  EXPECT_TRUE(content("a.convscope").contains("name=\"lanes\" value=\"32\""));
}

TEST_F(SessionLoss, WhatIsChangedWhileASessionIsReadIsAskedAbout) {
  write_text(in_folder("b.convscope"), "<session version='1'><machine target='nve'/></session>");
  RunningProgram program;
  int asked = 0;
  program.window.session_actions().ask = [&] {
    ++asked;
    return SessionActions::Answer::cancel;
  };
  program.workbench.open_session(in_folder("b.convscope"));
  EXPECT_EQ(asked, 0) << "nothing has changed";
  program.workbench.set_parameter(0, 32);
  ASSERT_TRUE(wait_until([&] { return !program.workbench.busy(); }));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(program.lanes(), 32);
  EXPECT_TRUE(program.keeper.path().isEmpty());
}

TEST_F(SessionLoss, WhatTheUserAgreedToLoseIsAskedAboutOnce) {
  write_text(in_folder("b.convscope"), "<session version='1'><machine target='nve'/></session>");
  RunningProgram program;
  int asked = 0;
  program.window.session_actions().ask = [&] {
    ++asked;
    return SessionActions::Answer::discard;
  };
  program.workbench.set_parameter(0, 32);
  ASSERT_TRUE(program.open_session(in_folder("b.convscope")));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(program.keeper.path(), in_folder("b.convscope"));
}

TEST_F(SessionLoss, ASessionThatIsStillReadDoesNotReplaceANewOne) {
  write_text(in_folder("b.convscope"), "<session version='1'><machine target='nve'/></session>");
  RunningProgram program;
  program.workbench.open_session(in_folder("b.convscope"));
  program.keeper.start_new();
  EXPECT_FALSE(program.workbench.busy());
  QTest::qWait(100);
  EXPECT_TRUE(program.keeper.path().isEmpty());
}

TEST_F(SessionLoss, ASpaceThatIsStillReadIsNotTheNextSessions) {
  RunningProgram program;
  program.workbench.exploration().open_space(space());
  program.keeper.start_new();
  EXPECT_FALSE(program.workbench.exploration().opening_files());
  QTest::qWait(100);
  EXPECT_TRUE(program.workbench.exploration().setup().empty());
}

TEST_F(SessionLoss, ASpaceThatIsStillReadDoesNotReplaceWhatTheUserSetUp) {
  RunningProgram program;
  Diagnostics diagnostics;
  SweepSetup setup;
  setup.draft = *explore::read_draft(nve_space(), "space.xml", diagnostics);
  program.workbench.exploration().open_space(space());
  program.workbench.exploration().set_setup(setup);
  QTest::qWait(100);
  EXPECT_EQ(program.workbench.exploration().setup().draft, setup.draft);
}

TEST_F(SessionLoss, TheSweepDialogFollowsTheSession) {
  make_session(in_folder("a.convscope"));
  RunningProgram program;
  SweepDialog& dialog = program.dialog();
  dialog.open_space(QString::fromStdString(sample_path("spaces/equal_machines.xml")));  // comes too late
  ASSERT_TRUE(program.open_session(in_folder("a.convscope")));
  ASSERT_TRUE(program.read_all());
  QTest::qWait(50);
  EXPECT_EQ(program.workbench.exploration().setup().file, space());
  auto* name = dialog.findChild<QLineEdit*>("space-name");
  EXPECT_EQ(name->text().toStdString(), program.workbench.exploration().setup().draft.name);
  QTest::keyClicks(name, "x");
  EXPECT_EQ(program.workbench.exploration().setup().file, space()) << "what is typed changes this session's space";
}

TEST_F(SessionLoss, WhatIsTypedWhileASpaceIsSavedStays) {
  RunningProgram program;
  ASSERT_TRUE(open_and_wait(program.workbench, sample("face_detection")));
  SweepDialog& dialog = program.dialog();
  dialog.save_space(in_folder("space.xml"));
  auto* name = dialog.findChild<QLineEdit*>("space-name");
  name->selectAll();
  QTest::keyClicks(name, "typed");
  ASSERT_TRUE(wait_until([&] { return !program.workbench.exploration().setup().file.isEmpty(); }));
  EXPECT_EQ(program.workbench.exploration().setup().draft.name, "typed");
  EXPECT_FALSE(program.workbench.exploration().setup().is_saved());
}

TEST_F(SessionLoss, SessionsThatCannotBeOpenedSaySo) {
  const std::vector<QByteArray> texts = {"<session version='9' program='2.0'/>", "<session", "",
                                         "<session version='1'><network path='gone.xml'/><machine target='nve'/>"
                                         "</session>"};
  for (const QByteArray& text : texts) {
    write_text(in_folder("bad.convscope"), text);
    RunningProgram program;
    program.workbench.open_session(in_folder("bad.convscope"));
    EXPECT_TRUE(program.workbench.snapshot().message.startsWith("Reading"));
    ASSERT_TRUE(wait_until([&] { return !program.workbench.busy(); }));
    EXPECT_TRUE(program.workbench.snapshot().message.contains("could not be opened")) << text.toStdString();
  }
  RunningProgram program;
  program.workbench.open_session(in_folder("missing.convscope"));
  ASSERT_TRUE(wait_until([&] { return !program.workbench.busy(); }));
  EXPECT_TRUE(program.workbench.snapshot().message.contains("could not be opened"));
  // One that names no network leaves none to be read.
  write_text(in_folder("empty.convscope"), "<session version='1'><machine target='nve'/></session>");
  ASSERT_TRUE(program.open_session(in_folder("empty.convscope")));
  EXPECT_TRUE(program.workbench.snapshot().message.startsWith("Open a network"));
}

TEST_F(SessionLoss, AFileThatNobodyAgreedToReplaceStays) {
  write_text(in_folder("work.txt.convscope"), "precious");
  RunningProgram program;
  program.workbench.set_parameter(0, 32);
  SessionActions& actions = program.window.session_actions();
  actions.choose_save = [this](const QString&) { return in_folder("work.txt"); };
  int asked = 0;
  actions.may_write = [&](const QString& file) {
    EXPECT_EQ(file, in_folder("work.txt.convscope"));
    ++asked;
    return false;
  };
  program.window.findChild<QAction*>("save-session")->trigger();
  QTest::qWait(50);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(content("work.txt.convscope"), "precious");
}

}  // namespace
}  // namespace convscope::ui::test
