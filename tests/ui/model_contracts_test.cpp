// Every item model and proxy of the window under Qt's own tester, in its fatal mode, while a user changes all that they
// show: the network, results as they arrive, filters, sorting, baselines, machines, themes, undo.

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <set>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/commands/command_model.h"
#include "ui/document/baselines.h"
#include "ui/panels/common/layer_filter.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/panels/messages/message_model.h"
#include "ui/panels/network/network_tree_model.h"
#include "ui/published_figures/figure_model.h"
#include "ui/views/layer/tiling/strategy_table.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

using FailureMode = QAbstractItemModelTester::FailureReportingMode;

class ModelContracts : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    for (const ViewEntry& each : view_entries()) window.show_view(each.id);  // views may make their models late
    watch_models();
  }
  /// The models of all views of the window, and those below proxies, that are not watched yet. A list that holds its
  /// own items is Qt's, and resets its model when that is half gone.
  void watch_models() {
    for (const QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
      if (qobject_cast<const QListWidget*>(view) != nullptr) continue;
      for (QAbstractItemModel* model = view->model(); model != nullptr;) {
        if (watched.insert(model).second) new QAbstractItemModelTester(model, FailureMode::Fatal, model);
        const auto* proxy = qobject_cast<QAbstractProxyModel*>(model);
        model = proxy == nullptr ? nullptr : proxy->sourceModel();
      }
    }
  }
  template <typename Model>
  int count() const {
    int found = 0;
    for (const QAbstractItemModel* each : watched) found += qobject_cast<const Model*>(each) != nullptr ? 1 : 0;
    return found;
  }
  void trigger(const QString& action) { window.findChild<QAction*>(action)->trigger(); }
  bool settled() {
    return wait_until([&] { return !workbench.busy() && workbench.settled(); });
  }
  void type(const char* field, const QString& text) { window.findChild<QLineEdit*>(field)->setText(text); }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
  std::set<const QAbstractItemModel*> watched;
};

TEST_F(ModelContracts, CoverEveryModelOfTheWindow) {
  EXPECT_EQ(count<NetworkTreeModel>(), 1);
  EXPECT_EQ(count<LayerTableModel>(), 1);
  EXPECT_EQ(count<MessageModel>(), 1);
  EXPECT_EQ(count<LayerFilter>(), 2);
  EXPECT_GE(count<StrategyModel>(), 1);
}

TEST_F(ModelContracts, HoldWhileNetworksReplaceEachOther) {
  for (const char* name : {"face_detection", "resnet50", "filter_3x3", "lenet"}) {
    ASSERT_TRUE(open_and_wait(workbench, sample(name))) << name;
  }
  workbench.open_network("no such file");
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));
  workbench.open_network(sample("resnet50"));
  workbench.open_network(sample("speed_sign"));  // supersedes the other while that is read
  ASSERT_TRUE(settled());
  EXPECT_EQ(window.findChild<QTableView*>("layer-table")->model()->rowCount(), 4);
}

TEST_F(ModelContracts, HoldWhileResultsArriveAndMachinesChange) {
  workbench.open_network(sample("resnet50"));
  ASSERT_TRUE(wait_until([&] { return workbench.network() != nullptr; }));
  for (const double lanes : {32, 16, 64}) {
    workbench.set_parameter(0, lanes, 1);
    QTest::qWait(60);
  }
  workbench.cancel();
  for (const auto& target : workbench.targets()) {
    workbench.set_target(QString::fromStdString(target->id()));
    ASSERT_TRUE(wait_until([&] { return workbench.target() == target && !workbench.busy(); }));
    for (const target::Level& level : target->levels()) {
      workbench.set_level(QString::fromStdString(level.name));
      QTest::qWait(30);
    }
  }
  while (workbench.undo_stack().canUndo()) workbench.undo_stack().undo();
  while (workbench.undo_stack().canRedo()) workbench.undo_stack().redo();
  ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
  trigger("theme-dark");
  trigger("theme-light");
}

TEST_F(ModelContracts, HoldWhileRowsAreFilteredAndSorted) {
  ASSERT_TRUE(open_and_wait(workbench, sample("inception_v3")));
  auto& table = *window.findChild<QTableView*>("layer-table");
  const int all = table.model()->rowCount();
  for (const char* text : {"conv", "conv 3", "no such layer", "Conv", ""}) {
    type("layer-search", text);
    type("network-search", text);
    table.sortByColumn(3, Qt::DescendingOrder);
    workbench.set_level(QString::fromStdString(workbench.target()->levels().front().name));
    QTest::qWait(20);
  }
  type("layer-search", "conv");
  ASSERT_TRUE(open_and_wait(workbench, sample("resnet50")));
  type("layer-search", "");
  EXPECT_NE(table.model()->rowCount(), all);
  table.sortByColumn(0, Qt::AscendingOrder);
}

TEST_F(ModelContracts, HoldWhileBaselinesComeAndGo) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  auto& layers = *window.findChild<QTableView*>("layer-table")->model();
  const int before = layers.columnCount();
  trigger("pin-baseline");
  EXPECT_GT(layers.columnCount(), before);
  workbench.set_parameter(0, 32);
  ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
  trigger("pin-baseline");
  workbench.compare_with(workbench.baselines().entries.front().id);
  ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  trigger("remove-baseline");
  while (workbench.undo_stack().canUndo()) workbench.undo_stack().undo();
  while (workbench.undo_stack().canRedo()) workbench.undo_stack().redo();
  workbench.compare_with(-1);
  ASSERT_TRUE(settled());
}

TEST_F(ModelContracts, HoldForTilingsOfEveryLayer) {
  workbench.set_target("nmp");
  ASSERT_TRUE(wait_until([&] { return workbench.target()->id() == "nmp"; }));
  window.show_view("tiling");
  ASSERT_TRUE(open_and_wait(workbench, sample("lenet")));
  for (int layer = 0; layer < static_cast<int>(workbench.network()->layers.size()); ++layer) {
    artifact::Ref ref;
    ref.layer = layer;
    workbench.select(ref);
    QTest::qWait(20);
  }
  watch_models();
  auto* strategies = window.findChild<QTableView*>("tiling-strategies");
  ASSERT_NE(strategies, nullptr);
  strategies->sortByColumn(1, Qt::DescendingOrder);
}

TEST(ModelContract, OfThePaletteHoldsWhileOneTypes) {
  CommandModel model;
  const QAbstractItemModelTester tester(&model, FailureMode::Fatal);
  model.set_commands({});
  model.set_commands({{"Open…", "File", {}, [] {}}, {"Quit", "File", {}, [] {}}});
  for (const char* typed : {"o", "op", "zzz", ""}) model.search(typed);
  EXPECT_EQ(model.rowCount(), 2);
}

TEST(ModelContract, OfPublishedFiguresHoldsForRaggedRows) {
  FigureModel model;
  const QAbstractItemModelTester tester(&model, FailureMode::Fatal);
  figures::Figure figure;
  figure.columns = {"layer", "ours", "published"};
  figure.rows = {
      {figures::text_cell("L1"), figures::number_cell(3.5, "ms", Origin::published)}, {figures::text_cell("L2")}, {}};
  model.set_figure(figure);
  EXPECT_EQ(model.rowCount(), 3);
  EXPECT_EQ(model.columnCount(), 3);
  model.set_figure({});
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace convscope::ui::test
