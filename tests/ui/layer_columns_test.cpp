// The layer table's columns: differences are seen without scrolling, what is not wanted is taken away.

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

constexpr QSize common_screen(1600, 1000);

class LayerColumnsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    QSettings().clear();
    window.resize(common_screen);
    window.show();
    workbench.set_target(GetParam());
    ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
    table = window.findChild<QTableView*>("layer-table");
    ASSERT_NE(table, nullptr);
  }
  int column(const QString& title) const {
    for (int each = 0; each < table->model()->columnCount(); ++each) {
      if (table->model()->headerData(each, Qt::Horizontal).toString() == title) return each;
    }
    return -1;
  }
  QMenu& menu() const {
    QMenu* found = window.findChild<QPushButton*>("columns")->menu();
    emit found->aboutToShow();
    return *found;
  }
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
  QTableView* table = nullptr;
};

TEST_P(LayerColumnsTest, DifferencesAreSeenWithoutScrolling) {
  workbench.pin_baseline();
  workbench.set_parameter(0, workbench.machine().at(0) * 2);
  ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
  int differences = 0;
  for (int each = 0; each < table->model()->columnCount(); ++each) {
    const QString title = table->model()->headerData(each, Qt::Horizontal).toString();
    if (!title.startsWith(QStringLiteral("±"))) continue;
    ++differences;
    EXPECT_LE(table->columnViewportPosition(each) + table->columnWidth(each), table->viewport()->width())
        << title.toStdString();
  }
  EXPECT_GE(differences, 3);
}

TEST_P(LayerColumnsTest, HiddenColumnsStayHiddenAndComeBack) {
  const int weights = column("Weights, bytes");
  ASSERT_GT(weights, 0);
  auto* action = menu().findChild<QAction*>("show-column-bytes_weights");
  ASSERT_NE(action, nullptr);
  EXPECT_TRUE(action->isChecked());
  action->trigger();
  EXPECT_TRUE(table->isColumnHidden(weights));
  // Another column before it: the same one is hidden still, in this window and in the next.
  workbench.pin_baseline();
  const int moved = column("Weights, bytes");
  EXPECT_NE(moved, weights);
  EXPECT_TRUE(table->isColumnHidden(moved));
  EXPECT_FALSE(table->isColumnHidden(weights));
  MainWindow next(workbench);
  EXPECT_TRUE(next.findChild<QTableView*>("layer-table")->isColumnHidden(moved));
  menu().findChild<QAction*>("show-all-columns")->trigger();
  EXPECT_FALSE(table->isColumnHidden(moved));
}

TEST_P(LayerColumnsTest, CopiesNameTheBaselineAndLeaveOutWhatIsHidden) {
  workbench.rename_baseline(workbench.pin_baseline(), "before all that");
  menu().findChild<QAction*>("show-column-bytes_weights")->trigger();
  table->findChild<QAction*>("copy-layer-table")->trigger();
  const QString header = QGuiApplication::clipboard()->text().section('\n', 0, 0);
  EXPECT_TRUE(header.contains("± Cycles vs before all that")) << header.toStdString();
  EXPECT_FALSE(header.contains("Weights, bytes"));
  const QString tip = table->model()->headerData(column("± Cycles"), Qt::Horizontal, Qt::ToolTipRole).toString();
  EXPECT_TRUE(tip.contains("before all that"));
  menu().findChild<QAction*>("show-all-columns")->trigger();
}

INSTANTIATE_TEST_SUITE_P(Targets, LayerColumnsTest, testing::Values("nve", "nmp"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace convscope::ui::test
