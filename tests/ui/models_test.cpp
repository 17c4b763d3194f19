// Every item model under Qt's own tester, through opening, recompiling and changes of shape.

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/panels/messages/message_model.h"
#include "ui/panels/network/network_tree_model.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

class ModelsTest : public testing::Test {
 protected:
  /// Takes the model through all that changes it.
  void exercise() {
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
    workbench.set_parameter(0, 32);
    ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
    workbench.set_theme("dark");
    ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
    open_and_wait(workbench, "no such file");
    ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  }

  std::shared_ptr<MadeUpTarget> target = std::make_shared<MadeUpTarget>();
  Workbench workbench{made::catalogue_of({target})};
};

using FailureMode = QAbstractItemModelTester::FailureReportingMode;

TEST_F(ModelsTest, LayerTableKeepsTheContract) {
  LayerTableModel model(workbench);
  const QAbstractItemModelTester tester(&model, FailureMode::Fatal);
  exercise();
  EXPECT_EQ(model.rowCount(), 4);
}

TEST_F(ModelsTest, NetworkTreeKeepsTheContract) {
  NetworkTreeModel model(workbench);
  const QAbstractItemModelTester tester(&model, FailureMode::Fatal);
  exercise();
  EXPECT_EQ(model.rowCount(model.index(0, 0)), 4);
}

TEST_F(ModelsTest, MessagesKeepTheContract) {
  MessageModel model(workbench);
  const QAbstractItemModelTester tester(&model, FailureMode::Fatal);
  exercise();
  open_and_wait(workbench, "no such file");
  ASSERT_GE(model.rowCount(), 1);
  EXPECT_EQ(model.index(0, MessageModel::severity).data().toString(), "error");
}

TEST_F(ModelsTest, LayerTableMakesColumnsFromTheTargetsFigures) {
  LayerTableModel model(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const int column = model.column("made_up_figure");
  ASSERT_GE(column, 0);
  EXPECT_EQ(model.headerData(column, Qt::Horizontal).toString(), "Made-up figure");
  EXPECT_EQ(model.index(0, column).data(value_role).toDouble(), 16);
  EXPECT_EQ(model.index(0, column).data(Qt::ToolTipRole).toString(), "estimated by a model");
}

TEST_F(ModelsTest, LayerTableShowsTheWorkbenchsFigures) {
  LayerTableModel model(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto expected = cycles(workbench);
  ASSERT_EQ(model.rowCount(), static_cast<int>(expected.size()));
  for (int row = 0; row < model.rowCount(); ++row) {
    EXPECT_EQ(model.index(row, model.column("cycles")).data(value_role).toDouble(),
              expected[static_cast<std::size_t>(row)]);
  }
}

TEST_F(ModelsTest, LayerTablePutsPublishedValuesBesideOurs) {
  LayerTableModel model(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  ASSERT_TRUE(wait_until([&] { return workbench.snapshot().published != nullptr; }));
  const int macs = model.column("macs");
  const QString title = model.headerData(macs + 1, Qt::Horizontal).toString();
  EXPECT_TRUE(title.contains("table1")) << title.toStdString();
  const double published = model.index(0, macs + 1).data(value_role).toDouble();
  EXPECT_NEAR(published / model.index(0, macs).data(value_role).toDouble(), 1, 0.02);
}

TEST_F(ModelsTest, NetworkTreeFindsWhatItShows) {
  NetworkTreeModel model(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const QModelIndex top = model.index(0, 0);
  const QModelIndex layer = model.index(2, 0, top);
  EXPECT_EQ(model.ref(layer).layer, 2);
  EXPECT_EQ(model.find(model.ref(layer)), layer);
  ASSERT_EQ(model.rowCount(layer), 2);
  const QModelIndex program = model.index(1, 0, layer);
  EXPECT_EQ(program.data().toString(), "second half");
  EXPECT_EQ(model.ref(program).program, 1);
  EXPECT_EQ(model.find(model.ref(program)), program);
}

}  // namespace
}  // namespace convscope::ui::test
