// Sweeps through the workbench: what must work.

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/made/catalogues.h"
#include "tests/ui/sweeping.h"
#include "ui/document/baselines.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

constexpr const char* many =
    "<parameter name='depth' from='512' to='4096'/><parameter name='clock' from='10' to='500'/>";
constexpr const char* few = "<parameter name='lanes' from='1' to='64'/><parameter name='clock'>50 100 200</parameter>";

class SweepTest : public testing::Test {
 protected:
  const explore::SweepTable* table() { return workbench.exploration().state()->sweep.get(); }
  std::size_t rows() { return table() == nullptr ? 0 : table()->rows(); }
  SweepPlan plan(const std::string& inside, const std::string& levels = "plain") {
    return {space_of(workbench, made_up_space(inside, levels)), {}, {}, 0};
  }
  QByteArray bytes(const QString& name) {
    QFile file(folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::shared_ptr<MadeUpTarget> target = std::make_shared<MadeUpTarget>();
  Workbench workbench{made::catalogue_of({target})};
  QTemporaryDir folder;
};

TEST_F(SweepTest, ShowsFirstRowsSoonAndAllInTheEnd) {
  Workbench nve{catalogue::standard()};
  const auto space = space_of(nve, nve_space());
  QElapsedTimer clock;
  clock.start();
  BlockWatch watch;
  nve.exploration().start_sweep({space, {}, {}, 0});
  EXPECT_TRUE(nve.exploration().sweeping());
  const auto seen = [&] {
    const auto& table = nve.exploration().state()->sweep;
    return table && table->rows() > 0;
  };
  ASSERT_TRUE(wait_until(seen));
  EXPECT_LT(clock.elapsed(), 10'000) << "a second on an idle machine";
  ASSERT_TRUE(wait_until([&] { return !nve.exploration().sweeping(); }));
  const auto table = nve.exploration().state()->sweep;
  EXPECT_EQ(table->state, "finished");
  EXPECT_EQ(table->rows(), 12U);
  EXPECT_EQ(nve.exploration().progress().seen, 12U);
  EXPECT_LT(watch.longest_milliseconds(), 1000);
  EXPECT_EQ(nve.snapshot().exploration->sweep, table) << "views draw what snapshots hold";
}

TEST_F(SweepTest, StopsAtOnceAndKeepsWhatItHas) {
  workbench.exploration().start_sweep(plan(many));
  ASSERT_TRUE(wait_until([&] { return rows() > 100; }));
  QElapsedTimer clock;
  clock.start();
  workbench.exploration().cancel_sweep();
  EXPECT_FALSE(workbench.exploration().sweeping());
  EXPECT_LT(clock.elapsed(), 1000) << "50 ms on an idle machine";
  ASSERT_TRUE(wait_until([&] { return table()->state == "cancelled"; }));
  const std::size_t kept = rows();
  QTest::qWait(300);
  EXPECT_EQ(rows(), kept);
  EXPECT_LT(kept, table()->size);
  EXPECT_FALSE(workbench.exploration().progress().running);
}

TEST_F(SweepTest, GivesTheSameTableWhateverTheThreads) {
  SweepPlan first = plan(few);
  first.threads = 1;
  const auto one = sweep_and_wait(workbench, first);
  first.threads = 4;
  const auto four = sweep_and_wait(workbench, first);
  ASSERT_NE(one, four);
  EXPECT_EQ(one->points, four->points);
  EXPECT_EQ(one->on_front, four->on_front);
  for (std::size_t i = 0; i < one->columns.size(); ++i) {
    EXPECT_EQ(one->columns[i].key, four->columns[i].key);
    const bool has_values = one->columns[i].least <= one->columns[i].most;  // NaN is never equal to itself
    if (has_values) {
      EXPECT_EQ(one->columns[i].values, four->columns[i].values);
    }
  }
}

TEST_F(SweepTest, GoesOnWithItsFile) {
  SweepPlan interrupted =
      plan("<parameter name='depth' from='512' to='4096'/><parameter name='clock' from='10' to='20'/>");
  interrupted.file = folder.filePath("a.db").toStdString();
  workbench.exploration().start_sweep(interrupted);
  ASSERT_TRUE(wait_until([&] { return rows() > 20; }));
  workbench.exploration().cancel_sweep();
  const auto again = sweep_and_wait(workbench, interrupted);
  EXPECT_EQ(again->state, "finished");
  EXPECT_EQ(again->seen, again->size);
  EXPECT_EQ(workbench.exploration().results_file(), folder.filePath("a.db"));
  SweepPlan whole = interrupted;
  whole.file = folder.filePath("b.db").toStdString();
  ASSERT_EQ(sweep_and_wait(workbench, whole)->state, "finished");
  EXPECT_FALSE(bytes("a.db").isEmpty());
  EXPECT_EQ(bytes("a.db"), bytes("b.db"));
}

TEST_F(SweepTest, WaitsWhileTheUserWaits) {
  workbench.set_level("slow");
  workbench.open_network(sample("speed_sign"));
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  workbench.exploration().start_sweep(plan(few));
  QTest::qWait(300);
  EXPECT_EQ(rows(), 0U);
  workbench.cancel();
  ASSERT_TRUE(wait_until([&] { return !workbench.exploration().sweeping(); }));
  EXPECT_GT(rows(), 0U);
}

TEST_F(SweepTest, OpensAPointAndTakesItBack) {
  ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  const arch::ParameterValues before = workbench.machine();
  const auto table = sweep_and_wait(workbench, plan(few));
  ASSERT_TRUE(table && table->rows() > 3);
  const std::uint64_t point = table->points[table->rows() - 1];
  workbench.exploration().open_point(point);
  EXPECT_EQ(workbench.machine(), table->space->point(point).machine);
  EXPECT_EQ(workbench.undo_stack().count(), 1);
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine(), before);
  workbench.exploration().open_point(1'000'000);
  EXPECT_EQ(workbench.machine(), before);
}

TEST_F(SweepTest, ComparesTwoPoints) {
  ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  const auto table = sweep_and_wait(workbench, plan(few));
  workbench.exploration().compare_points(table->points[0], table->points[2]);
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.snapshot().baseline() != nullptr; }));
  EXPECT_EQ(workbench.snapshot().baseline()->run->machine, table->space->point(table->points[0]).machine);
  EXPECT_EQ(workbench.machine(), table->space->point(table->points[2]).machine);
  const std::size_t pinned = workbench.baselines().entries.size();
  workbench.exploration().compare_points(table->points[0], table->points[1]);
  EXPECT_EQ(workbench.baselines().entries.size(), pinned) << "the same machine is pinned once";
}

TEST_F(SweepTest, DescribesAPoint) {
  const auto table = sweep_and_wait(workbench, plan(few));
  const QString text = workbench.exploration().describe(table->points[0]);
  EXPECT_TRUE(text.contains("Lanes 1")) << text.toStdString();
  EXPECT_TRUE(text.contains("Clock 50 MHz"));
  EXPECT_TRUE(text.contains("Cycles: "));
  EXPECT_TRUE(text.contains("(derived)"));
  EXPECT_TRUE(workbench.exploration().describe(1'000'000).isEmpty());
}

TEST_F(SweepTest, ShowsAFileAndOpensItsPointsWithoutTheSpace) {
  SweepPlan stored = plan(few);
  stored.file = folder.filePath("results.db").toStdString();
  const auto live = sweep_and_wait(workbench, stored);
  workbench.exploration().clear();
  EXPECT_EQ(workbench.exploration().state()->sweep, nullptr);
  workbench.open_network(folder.filePath("results.db"));  // as when it is dropped on the window
  ASSERT_TRUE(wait_until([&] { return table() != nullptr; }));
  EXPECT_EQ(table()->space, nullptr) << "a made-up target is none of the catalogue's";
  EXPECT_EQ(table()->points, live->points);
  const std::uint64_t point = live->points[4];
  workbench.exploration().open_point(point);
  ASSERT_TRUE(wait_until([&] { return workbench.machine() == live->space->point(point).machine; }));
}

TEST_F(SweepTest, MeasuresWhatHelpsMost) {
  ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  workbench.exploration().analyze();
  EXPECT_TRUE(workbench.exploration().analyzing());
  ASSERT_TRUE(wait_until([&] { return !workbench.exploration().analyzing(); }));
  const auto run = workbench.exploration().state()->sensitivity;
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->complete);
  EXPECT_EQ(run->machine, workbench.machine());
  EXPECT_EQ(run->result.changes.size(), explore::possible_changes(workbench.machine(), {}).size());
}

TEST_F(SweepTest, IsClosedWhileItRuns) {
  QElapsedTimer clock;
  {
    Workbench closing{made::catalogue_of({target})};
    MainWindow window(closing);
    window.show();
    closing.exploration().start_sweep({space_of(closing, made_up_space(many)), {}, {}, 0});
    closing.exploration().analyze();
    ASSERT_TRUE(wait_until([&] { return closing.exploration().state()->sweep != nullptr; }));
    clock.start();
    window.close();
  }
  EXPECT_LT(clock.elapsed(), 10'000);
}

// What must be refused.

TEST_F(SweepTest, SaysWhyItsFileCannotBeWritten) {
  SweepPlan lost = plan(few);
  lost.file = "/nowhere/at/all/results.db";
  sweep_and_wait(workbench, lost);
  EXPECT_TRUE(workbench.messages().has_errors());
  EXPECT_NE(workbench.messages().text().find("/nowhere/at/all"), std::string::npos);
}

TEST_F(SweepTest, RefusesAFileOfAnotherSpace) {
  SweepPlan stored = plan(few);
  stored.file = folder.filePath("results.db").toStdString();
  sweep_and_wait(workbench, stored);
  const QByteArray before = bytes("results.db");
  SweepPlan other = plan("<parameter name='lanes'>1 2</parameter>");
  other.file = stored.file;
  sweep_and_wait(workbench, other);
  EXPECT_TRUE(workbench.messages().has_errors());
  EXPECT_EQ(bytes("results.db"), before);
}

TEST_F(SweepTest, SurvivesACompilerThatFails) {
  sweep_and_wait(workbench, plan(few, "broken"));
  EXPECT_NE(workbench.messages().text().find("broken"), std::string::npos);
  EXPECT_EQ(table()->state.rfind("failed: ", 0), 0U) << table()->state;
}

TEST_F(SweepTest, RefusesFilesThatAreNoResults) {
  QFile file(folder.filePath("text.db"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("this is no database at all, but quite a long text");
  file.close();
  workbench.open_network(file.fileName());
  ASSERT_TRUE(wait_until([&] { return !workbench.exploration().opening_files(); }));
  EXPECT_TRUE(workbench.messages().has_errors());
  EXPECT_EQ(table(), nullptr);
}

}  // namespace
}  // namespace convscope::ui::test
