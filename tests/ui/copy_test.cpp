// Tables and trees as text for spreadsheets.

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStandardItemModel>
#include <QTableView>
#include <QTreeView>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/parts/table_text.h"
#include "ui/window/main_window.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

QStringList copied(MainWindow& window, const QString& view) {
  QGuiApplication::clipboard()->clear();
  window.findChild<QAction*>("copy-" + view)->trigger();
  EXPECT_TRUE(wait_until([] { return !QGuiApplication::clipboard()->text().isEmpty(); }))
      << "a busy machine takes steps";
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

QStandardItem* figure(const QString& text, const char* origin) {
  auto* item = new QStandardItem(text);
  item->setData(QString(origin), origin_role);
  return item;
}

TEST(Copy, FiguresSayWhereTheyComeFrom) {
  QStandardItemModel model;
  model.setHorizontalHeaderLabels({"Layer", "Cycles", "Time", "MACs"});
  model.appendRow({new QStandardItem("L1"), figure("12", "derived"), figure("1.5", "derived"), new QStandardItem("7")});
  model.appendRow(
      {new QStandardItem("L2"), figure("34", "derived"), figure("2.5", "estimate"), new QStandardItem("8")});
  model.appendRow({new QStandardItem("L3"), new QStandardItem, new QStandardItem, new QStandardItem("9")});
  EXPECT_EQ(table_text(model),
            "Layer\tCycles (derived)\tTime\tTime, origin\tMACs\n"
            "L1\t12\t1.5\tderived\t7\n"
            "L2\t34\t2.5\testimate\t8\n"
            "L3\t\t\t\t9\n");
}

TEST(Copy, AMadeUpLargeTableIsMadeInSteps) {
  QStandardItemModel model;
  for (int row = 0; row < 3000; ++row)
    model.appendRow({new QStandardItem(QString::number(row)), figure("1", "derived")});
  TableText text(model);
  int steps = 1;
  while (!text.add_rows(0)) ++steps;
  EXPECT_EQ(steps, 3001) << "a row at a time; the last step finds none left";
  EXPECT_EQ(text.text(), table_text(model));
}

TEST(Copy, LayersOfTheWindowTellTheirOrigins) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const QStringList layers = copied(window, "layer-table");
  EXPECT_TRUE(layers.front().contains("Cycles (derived)")) << layers.front().toStdString();
  const QStringList tree = copied(window, "network-tree");
  EXPECT_TRUE(tree.front().contains("Cycles (derived)")) << tree.front().toStdString();
  EXPECT_EQ(tree[1].count('\t'), tree.front().count('\t'));
}

TEST(Copy, MessagesTreeAndLayersHaveHeadersAndAllTheirRows) {
  Workbench workbench{catalogue::standard()};
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
