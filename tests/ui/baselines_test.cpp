// Pinning runs, undoing it, and getting back those of a session.

#include "ui/document/baselines.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/panels/network/network_tree_model.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

using FailureMode = QAbstractItemModelTester::FailureReportingMode;

class BaselinesTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign"))); }
  bool compiled() {
    return wait_until([&] { return !workbench.busy(); });
  }
  bool set(const char* parameter, double value) {
    workbench.set_parameter(static_cast<int>(*workbench.machine().description().find(parameter)), value);
    return compiled();
  }
  QStringList names() const {
    QStringList result;
    for (const PinnedBaseline& each : workbench.baselines().entries) result << each.record.name;
    return result;
  }

  std::shared_ptr<MadeUpTarget> target = std::make_shared<MadeUpTarget>();
  Workbench workbench{made::catalogue_of({target})};
};

TEST_F(BaselinesTest, APinnedRunStaysWhileEverythingElseChanges) {
  const int id = workbench.pin_baseline();
  ASSERT_GE(id, 0);
  const auto pinned = workbench.snapshot().compiled;
  EXPECT_EQ(names(), QStringList{"made-up, plain"});
  EXPECT_EQ(workbench.baselines().chosen, id);
  ASSERT_TRUE(set("lanes", 32));
  const Baseline* baseline = workbench.snapshot().baseline();
  ASSERT_NE(baseline, nullptr);
  EXPECT_EQ(baseline->run, pinned);
  EXPECT_EQ(baseline->metrics(0)->cycles.value, 2 * workbench.snapshot().compiled->layers[0]->metrics().cycles.value);
  EXPECT_EQ(baseline->metrics(-1), &pinned->total);
}

TEST_F(BaselinesTest, NamesSayWhatWasPinnedAndAreUnique) {
  workbench.pin_baseline();
  ASSERT_TRUE(set("lanes", 32));
  workbench.pin_baseline();
  workbench.pin_baseline();
  ASSERT_TRUE(set("clock", 200));
  ASSERT_TRUE(set("depth", 1024));
  workbench.pin_baseline();
  EXPECT_EQ(names(), (QStringList{"made-up, plain", "made-up, lanes 32, plain", "made-up, lanes 32, plain (2)",
                                  "made-up, 3 parameters changed, plain"}));
}

TEST_F(BaselinesTest, PinRenameAndRemoveAreUndone) {
  const int first = workbench.pin_baseline();
  ASSERT_TRUE(set("lanes", 32));
  const int second = workbench.pin_baseline();
  workbench.rename_baseline(first, "  before  ");
  EXPECT_EQ(names(), (QStringList{"before", "made-up, lanes 32, plain"}));
  workbench.rename_baseline(second, "before");
  EXPECT_EQ(names().back(), "before (2)");
  workbench.rename_baseline(second, "   ");
  EXPECT_EQ(names().back(), "before (2)");
  workbench.remove_baseline(second);
  EXPECT_EQ(workbench.baselines().chosen, first);
  auto& undo = workbench.undo_stack();
  undo.undo();
  EXPECT_EQ(workbench.baselines().chosen, second);
  EXPECT_EQ(names(), (QStringList{"before", "before (2)"}));
  for (int step = 0; step < 3; ++step) undo.undo();  // two names and the second pin
  EXPECT_EQ(names(), QStringList{"made-up, plain"});
  EXPECT_EQ(workbench.baselines().chosen, first);
  while (undo.canUndo()) undo.undo();
  EXPECT_TRUE(workbench.snapshot().baselines.empty());
  EXPECT_EQ(workbench.snapshot().baseline(), nullptr);
  while (undo.canRedo()) undo.redo();
  EXPECT_EQ(names(), QStringList{"before"});
  ASSERT_TRUE(compiled());
  EXPECT_NE(workbench.snapshot().baseline(), nullptr);
}

TEST_F(BaselinesTest, ChoosingIsNoEdit) {
  const int first = workbench.pin_baseline();
  const int second = workbench.pin_baseline();
  const int steps = workbench.undo_stack().count();
  QSignalSpy changed(&workbench, &Workbench::baselines_changed);
  workbench.compare_with(first);
  EXPECT_EQ(workbench.snapshot().baseline()->id, first);
  workbench.compare_with(-1);
  EXPECT_EQ(workbench.snapshot().baseline(), nullptr);
  workbench.compare_with(second);
  workbench.compare_with(12345);
  EXPECT_EQ(workbench.baselines().chosen, -1);
  EXPECT_EQ(changed.count(), 4);
  EXPECT_EQ(workbench.undo_stack().count(), steps);
}

TEST_F(BaselinesTest, NothingIsPinnedWhileNothingIsComplete) {
  workbench.set_level("slow");
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  EXPECT_EQ(workbench.pin_baseline(), -1);
  EXPECT_TRUE(workbench.baselines().entries.empty());
  workbench.cancel();
  EXPECT_EQ(workbench.pin_baseline(), -1);
}

TEST_F(BaselinesTest, AnotherNetworkIsMatchedOrSaysWhyNot) {
  const int id = workbench.pin_baseline();
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  EXPECT_EQ(workbench.baseline_obstacle(id), "");
  ASSERT_NE(workbench.snapshot().baseline(), nullptr);
  EXPECT_FALSE(workbench.snapshot().baseline()->matching->layers[0].same_shape);
  ASSERT_TRUE(open_and_wait(workbench, sample("squeezenet_1_0")));
  EXPECT_TRUE(workbench.baseline_obstacle(id).contains("no layer"));
  EXPECT_EQ(workbench.snapshot().baseline(), nullptr);
  ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  ASSERT_NE(workbench.snapshot().baseline(), nullptr);
  EXPECT_TRUE(workbench.snapshot().baseline()->matching->layers[3].same_shape);
}

TEST_F(BaselinesTest, ASessionsRecordsCompileToTheSameFigures) {
  target->gate = true;  // the first workbench's charts must not hold the threads that the second one needs
  ASSERT_TRUE(set("lanes", 32));
  workbench.pin_baseline();
  workbench.set_level("better");
  ASSERT_TRUE(compiled());
  workbench.pin_baseline();
  const auto records = workbench.baseline_records();
  ASSERT_EQ(records.size(), 2u);

  // Both share the machine's threads: the level that waits at the gate would keep them.
  workbench.cancel();
  Workbench later(made::catalogue_of({target}));
  QSignalSpy arrived(&later, &Workbench::baselines_changed);
  later.restore_baselines(records, 1);
  EXPECT_EQ(later.baseline_records(), records);
  EXPECT_EQ(later.baseline_obstacle(later.baselines().chosen), "not compiled yet");
  ASSERT_TRUE(open_and_wait(later, sample("speed_sign")));
  ASSERT_TRUE(wait_until([&] { return later.snapshot().baselines.size() == 2; }));
  EXPECT_GE(arrived.count(), 3);
  EXPECT_EQ(later.undo_stack().count(), 0);
  for (std::size_t index = 0; index < 2; ++index) {
    EXPECT_EQ(later.snapshot().baselines[index].metrics(2)->cycles.value,
              workbench.snapshot().baselines[index].metrics(2)->cycles.value);
  }
  ASSERT_NE(later.snapshot().baseline(), nullptr);
  EXPECT_EQ(later.snapshot().baseline()->name, "made-up, lanes 32, better");
  EXPECT_EQ(later.snapshot().baseline()->run->network->source_file, later.network()->source_file);
}

TEST_F(BaselinesTest, RecordsThatCannotBeCompiledSayWhyAndAreKept) {
  workbench.pin_baseline();
  auto records = workbench.baseline_records();
  records.push_back(records.front());
  records[0].network_path = "/no/such/network.xml";
  records[1].settings.values.set_at(0, 64);
  records[1].settings.values.set_at(2, 8);  // breaks a constraint
  Workbench later(made::catalogue_of({target}));
  later.restore_baselines(records, 0);
  const auto& entries = later.baselines().entries;
  ASSERT_TRUE(
      wait_until([&] { return !entries[0].result->failure.isEmpty() && !entries[1].result->failure.isEmpty(); }));
  EXPECT_TRUE(later.baseline_obstacle(entries[0].id).contains("/no/such/network.xml"));
  EXPECT_FALSE(later.messages().empty());
  EXPECT_EQ(later.baseline_records().size(), 2u);
  EXPECT_EQ(later.snapshot().baseline(), nullptr);
}

TEST_F(BaselinesTest, WhatTheUserWaitsForGoesFirst) {
  workbench.pin_baseline();
  auto records = workbench.baseline_records();
  records.front().settings.level = "slow";
  workbench.restore_baselines(records, 0);
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  ASSERT_TRUE(set("lanes", 32));
  EXPECT_FALSE(workbench.snapshot().busy);
  target->gate = true;
  ASSERT_TRUE(wait_until([&] { return workbench.snapshot().baselines.size() == 1; }));
  EXPECT_EQ(workbench.snapshot().compiled->level, "plain");
}

TEST_F(BaselinesTest, ModelsKeepTheContract) {
  LayerTableModel table(workbench);
  NetworkTreeModel tree(workbench);
  const QAbstractItemModelTester table_tester(&table, FailureMode::Fatal), tree_tester(&tree, FailureMode::Fatal);
  const int first = workbench.pin_baseline();
  ASSERT_TRUE(set("lanes", 32));
  workbench.pin_baseline();
  workbench.compare_with(first);
  ASSERT_TRUE(set("clock", 200));
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  workbench.remove_baseline(first);
  while (workbench.undo_stack().canUndo()) workbench.undo_stack().undo();
  ASSERT_TRUE(compiled());
}

TEST_F(BaselinesTest, TheTableHasColumnsOfDifferences) {
  LayerTableModel model(workbench);
  EXPECT_EQ(model.column("difference:cycles"), -1);
  const int id = workbench.pin_baseline();
  const int column = model.column("difference:cycles");
  ASSERT_GE(column, 0);
  EXPECT_EQ(model.index(0, column).data().toString(), "=");
  ASSERT_TRUE(set("lanes", 32));
  const QModelIndex better = model.index(0, model.column("difference:cycles"));
  EXPECT_EQ(better.data().toString(), "▼ −50.0 % ✓");
  EXPECT_EQ(better.data(value_role).toDouble(), -0.5);
  EXPECT_EQ(better.data(Qt::ForegroundRole).value<QBrush>().color(), workbench.theme().better);
  EXPECT_TRUE(better.data(Qt::ToolTipRole).toString().contains("made-up, plain"));
  EXPECT_TRUE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().contains("made-up, plain"));
  ASSERT_TRUE(set("lanes", 8));
  const QModelIndex worse = model.index(0, model.column("difference:cycles"));
  EXPECT_EQ(worse.data().toString(), "▲ +100.0 % !");
  EXPECT_EQ(worse.data(Qt::ForegroundRole).value<QBrush>().color(), workbench.theme().worse);
  workbench.remove_baseline(id);
  EXPECT_EQ(model.column("difference:cycles"), -1);
  workbench.undo_stack().undo();
  EXPECT_GE(model.column("difference:cycles"), 0);
}

TEST_F(BaselinesTest, AnotherClockIsComparedInTime) {
  LayerTableModel model(workbench);
  workbench.pin_baseline();
  ASSERT_TRUE(set("clock", 200));
  EXPECT_EQ(model.column("difference:cycles"), -1);
  const int column = model.column("difference:seconds");
  ASSERT_GE(column, 0);
  EXPECT_EQ(model.index(0, column).data().toString(), "▼ −50.0 % ✓");
}

TEST_F(BaselinesTest, TheTreeMarksWhatChanged) {
  NetworkTreeModel model(workbench);
  workbench.pin_baseline();
  ASSERT_TRUE(set("lanes", 32));
  const QModelIndex network = model.index(0, NetworkTreeModel::cycles);
  EXPECT_TRUE(network.data().toString().startsWith("▼✓ "));
  const QModelIndex layer = model.index(0, NetworkTreeModel::cycles, model.index(0, 0));
  EXPECT_TRUE(layer.data().toString().startsWith("▼✓ "));
  EXPECT_TRUE(layer.data(Qt::ToolTipRole).toString().contains("made-up, plain"));
  EXPECT_EQ(layer.data(value_role).toDouble(), cycles(workbench)[0]);
}

}  // namespace
}  // namespace convscope::ui::test
