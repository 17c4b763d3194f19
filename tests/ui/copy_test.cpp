// Tables and trees as text for spreadsheets.

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStandardItemModel>
#include <QTableView>
#include <QTreeView>

#include <gtest/gtest.h>

#include "tests/ui/session.h"
#include "ui/models/table_text.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

QStringList copied(MainWindow& window, const QString& view) {
  window.findChild<QAction*>("copy-" + view)->trigger();
  return QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
}

TEST(Copy, RowsOfATreeFollowTheirParentAndCellsStayWhole) {
  QStandardItemModel model;
  model.setHorizontalHeaderLabels({"Name", "What"});
  auto* parent = new QStandardItem("network");
  parent->appendRow({new QStandardItem("conv"), new QStandardItem("tab\there\nline")});
  model.appendRow({parent, new QStandardItem("all")});
  EXPECT_EQ(table_text(model), "Name\tWhat\nnetwork\tall\n  conv\ttab here line\n");
}

TEST(Copy, MessagesTreeAndLayersHaveHeadersAndAllTheirRows) {
  Workbench workbench;
  MainWindow window(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  workbench.open_network("/no/such/file.onnx");
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));

  const QStringList messages = copied(window, "message-table");
  EXPECT_EQ(messages.front(), "Kind\tWhere\tWhat\tExpected\tHint");
  EXPECT_EQ(messages.size(), window.findChild<QTableView*>("message-table")->model()->rowCount() + 1);
  EXPECT_TRUE(messages[1].startsWith("error\t"));

  const auto layers = static_cast<qsizetype>(workbench.network()->layers.size());
  const QStringList tree = copied(window, "network-tree");
  EXPECT_TRUE(tree.front().startsWith("Layer\t"));
  EXPECT_GE(tree.size(), layers + 2);
  EXPECT_TRUE(tree[2].startsWith("  L1\t"));
  EXPECT_EQ(copied(window, "layer-table").size(), layers + 1);
}

}  // namespace
}  // namespace convscope::ui::test
