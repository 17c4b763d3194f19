// Searching, marking and opening: tree, table and window with networks of operators.

#include <QAbstractItemModelTester>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QUrl>
#include <fstream>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/open_size_network.h"
#include "tests/ui/session.h"
#include "ui/document/network_reading.h"
#include "ui/panels/common/layer_filter.h"
#include "ui/panels/layers/layer_panel.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/panels/network/network_panel.h"
#include "ui/panels/network/network_tree_model.h"
#include "ui/window/main_window.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

const QString small_network = QStringLiteral(CONVSCOPE_SOURCE_DIR "/tests/models/onnx/small_network.onnx");

/// The first layer that the target doesn't map, or -1.
int first_unmapped(const Workbench& workbench) {
  const auto& layers = workbench.snapshot().compiled->layers;
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (!layers[i]->mapped()) return static_cast<int>(i);
  return -1;
}

TEST(NetviewTree, UnmappedLayersAreMarkedWithTheReason) {
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(open_and_wait(workbench, small_network));
  const NetworkTreeModel model(workbench);
  const int layer = first_unmapped(workbench);
  ASSERT_GE(layer, 0);
  const QModelIndex row = model.index(layer, 0, model.index(0, 0));
  EXPECT_TRUE(row.data(Qt::FontRole).value<QFont>().italic());
  const auto reason =
      QString::fromStdString(workbench.snapshot().compiled->layers[static_cast<std::size_t>(layer)]->reason());
  EXPECT_TRUE(row.data(Qt::ToolTipRole).toString().contains(reason));
  const LayerTableModel table(workbench);
  EXPECT_TRUE(table.index(layer, table.column("mapping")).data().toString().contains(reason));
}

TEST(NetviewTree, TheTopRowSumsUp) {
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(open_and_wait(workbench, small_network));
  const NetworkTreeModel model(workbench);
  const QModelIndex top = model.index(0, 0);
  for (const int column : {NetworkTreeModel::macs, NetworkTreeModel::parameters, NetworkTreeModel::outputs}) {
    double sum = 0;
    for (int layer = 0; layer < model.rowCount(top); ++layer)
      sum += model.index(layer, column, top).data(value_role).toDouble();
    EXPECT_GT(sum, 0) << column;
    EXPECT_EQ(model.index(0, column).data(value_role).toDouble(), sum) << column;
  }
}

TEST(NetviewTree, CoverageStandsInTheTopRow) {
  Workbench workbench{made::catalogue_of({std::make_shared<MadeUpTarget>()})};
  QTemporaryDir folder;
  ASSERT_TRUE(open_and_wait(workbench, small_network));
  const NetworkTreeModel model(workbench);
  const auto run = workbench.snapshot().compiled;
  const QString shown = model.index(0, NetworkTreeModel::operators).data().toString();
  if (artifact::is_partial(run->coverage)) {
    EXPECT_EQ(shown, percent_text(*run->coverage) + " mapped");
  } else {
    EXPECT_EQ(shown, QString::number(run->layers.size()) + " layers");
  }
}

// Files of TensorFlow Lite name layers after all operators that they were made of.
TEST(NetviewTables, LongNamesLeaveRoomForFigures) {
  const std::string name(180, 'n');
  QTemporaryDir folder;
  const QString path = folder.filePath("long.xml");
  std::ofstream(path.toStdString()) << "<layer_list name='long'><input maps='3' height='16' width='16'/><conv name='"
                                    << name << "' maps='4' kernel='3'/></layer_list>";
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(open_and_wait(workbench, path));
  const LayerPanel panel(workbench);
  const auto& table = *panel.findChild<QTableView*>("layer-table");
  const QString tip = table.model()->index(0, 0).data(Qt::ToolTipRole).toString();
  EXPECT_EQ(tip.toStdString(), name);
  EXPECT_LT(table.columnWidth(0), table.fontMetrics().horizontalAdvance(tip) / 4);
}

class NetviewSearch : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(open_and_wait(workbench, small_network)); }
  std::size_t layers_of(const std::string& operator_name) const {
    const auto& layers = workbench.network()->layers;
    return static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), [&](const network::Layer& layer) {
      return (layer.name + layer.operator_name).find(operator_name) != std::string::npos;
    }));
  }
  Workbench workbench{catalogue::standard()};
};

TEST_F(NetviewSearch, FiltersTreeByNameAndOperator) {
  NetworkPanel panel(workbench);
  auto& tree = *panel.findChild<QTreeView*>("network-tree");
  auto& field = *panel.findChild<QLineEdit*>("network-search");
  const QAbstractItemModelTester tester(tree.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  const int all = tree.model()->rowCount(tree.model()->index(0, 0));
  field.setText("Relu");
  EXPECT_EQ(static_cast<std::size_t>(tree.model()->rowCount(tree.model()->index(0, 0))), layers_of("Relu"));
  EXPECT_LT(tree.model()->rowCount(tree.model()->index(0, 0)), all);
  field.setText("no such operator");
  EXPECT_EQ(tree.model()->rowCount(tree.model()->index(0, 0)), 0);
  QTest::keyClick(&field, Qt::Key_Escape);
  EXPECT_EQ(tree.model()->rowCount(tree.model()->index(0, 0)), all);
}

TEST_F(NetviewSearch, SearchingSelectsNothing) {
  NetworkPanel tree(workbench);
  LayerPanel table(workbench);
  const auto before = workbench.snapshot().selection;
  for (auto* field : {tree.findChild<QLineEdit*>("network-search"), table.findChild<QLineEdit*>("layer-search")}) {
    field->setText("Relu");
    EXPECT_EQ(workbench.snapshot().selection, before);
    field->clear();
    EXPECT_EQ(workbench.snapshot().selection, before);
  }
  EXPECT_EQ(tree.findChild<QTreeView*>("network-tree")->currentIndex().row(), before.layer);
}

TEST_F(NetviewSearch, FiltersTheTable) {
  LayerPanel panel(workbench);
  auto& table = *panel.findChild<QTableView*>("layer-table");
  panel.findChild<QLineEdit*>("layer-search")->setText("relu");
  EXPECT_EQ(static_cast<std::size_t>(table.model()->rowCount()), layers_of("Relu"));
}

TEST(NetviewWindow, AFileThatIsDroppedIsOpened) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  window.show();
  QMimeData data;
  data.setUrls({QUrl("https://example.org/network.onnx"), QUrl::fromLocalFile(small_network)});
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &drop);
  ASSERT_TRUE(wait_until([&] { return workbench.network() && !workbench.busy(); }));
  EXPECT_EQ(workbench.network()->source_file, small_network.toStdString());
}

TEST(NetviewWindow, TextThatIsDraggedIsNot) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  QMimeData data;
  data.setText("conv");
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
  enter.ignore();
  QCoreApplication::sendEvent(&window, &enter);
  EXPECT_FALSE(enter.isAccepted());
}

TEST(NetviewReading, OpenImageSizesGetADefaultAndANote) {
  const QTemporaryDir folder;
  const NetworkReading reading = read_network(*catalogue::standard(), open_size_network(folder).toStdString(), {});
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  EXPECT_EQ(reading.network->layers[0].in.size, default_image);
  EXPECT_NE(reading.diagnostics.text().find("224 x 224"), std::string::npos);
  EXPECT_TRUE(reading.open.image);
}

TEST(NetviewReading, StatedSizesStayWithoutANote) {
  const NetworkReading reading = read_network(*catalogue::standard(), small_network.toStdString(), {});
  ASSERT_TRUE(reading.network);
  EXPECT_EQ(reading.diagnostics.text().find("taken as"), std::string::npos);
  EXPECT_FALSE(reading.open.image);
}

}  // namespace
}  // namespace convscope::ui::test
