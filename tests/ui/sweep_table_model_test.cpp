// The table of a sweep: sorted, filtered and marked while rows arrive, at any size.

#include "ui/panels/sweep_results/sweep_table_model.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/sweeping.h"
#include "ui/panels/sweep_results/sweep_panel.h"

namespace convscope::ui::test {
namespace {

constexpr std::size_t many_rows = 100'000;
constexpr int seconds_column = SweepTableModel::first_column + 2;

/// The first rows of a table, as if the others were still to come.
std::shared_ptr<const explore::SweepTable> every_other(const explore::SweepTable& table, std::size_t step) {
  auto part = std::make_shared<explore::SweepTable>(table);
  const auto keep = [&](auto& values) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < values.size(); row += step) values[kept++] = values[row];
    values.resize(kept);
  };
  for (explore::SweepColumn& column : part->columns) keep(column.values);
  keep(part->points);
  keep(part->on_front);
  keep(part->comparable);
  keep(part->reason);
  part->seen = part->rows();
  return part;
}

std::vector<double> shown(const SweepTableModel& model, int column) {
  std::vector<double> values;
  for (const std::uint32_t row : model.rows())
    values.push_back(
        model.table()->columns[static_cast<std::size_t>(column - SweepTableModel::first_column)].values[row]);
  return values;
}

TEST(SweepTableModel, KeepsItsPromisesWhileRowsArrive) {
  Workbench workbench{catalogue::standard()};
  SweepTableModel model(workbench);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  const auto all = made_up_table(5000);
  workbench.exploration().show_sweep(every_other(*all, 8));
  EXPECT_EQ(model.rowCount(), 625);
  model.sort(seconds_column, Qt::DescendingOrder);
  const QPersistentModelIndex held = model.index(17, 0);
  const std::uint64_t point = model.point(17);
  for (const std::size_t step : {4, 2, 1}) {
    workbench.exploration().show_sweep(every_other(*all, step));
    const auto values = shown(model, seconds_column);
    EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
    ASSERT_TRUE(held.isValid());
    EXPECT_EQ(model.point(held.row()), point);
  }
  EXPECT_EQ(model.rowCount(), 5000);
  model.set_filter(SweepFilter::front);
  EXPECT_EQ(model.rowCount(), 5);
  model.set_filter(SweepFilter::brushed);
  SweepLook look;
  look.brushes["made-up.lanes"] = {1, 2};
  workbench.exploration().set_look(look);
  EXPECT_EQ(model.rowCount(), 158);
  workbench.exploration().show_sweep(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(SweepTableModel, WritesUnitsAndOrigins) {
  Workbench workbench{catalogue::standard()};
  SweepTableModel model(workbench);
  workbench.exploration().show_sweep(made_up_table(1000));
  EXPECT_EQ(model.headerData(seconds_column, Qt::Horizontal).toString(), "Time\ns, estimate");
  EXPECT_EQ(model.headerData(seconds_column + 1, Qt::Horizontal).toString(), "Memory on chip\nMbit, derived");
  EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("◆ front"));
  EXPECT_EQ(model.index(6, 0).data().toString(), QStringLiteral("◌ partial"));
  EXPECT_EQ(model.index(1, SweepTableModel::first_column + 1).data().toString(), "better");
  EXPECT_TRUE(model.index(6, 0).data(Qt::ToolTipRole).toString().contains("Point 6, not compared"));
  const auto alignment = model.index(1, seconds_column).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
  EXPECT_TRUE(alignment.testFlag(Qt::AlignRight));
}

TEST(SweepTableModel, SortsAHundredThousandRowsWithoutBlocking) {
  Workbench workbench{catalogue::standard()};
  SweepPanel panel(workbench);
  panel.resize(900, 300);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  const auto all = made_up_table(many_rows);
  workbench.exploration().show_sweep(every_other(*all, 2));
  auto* table = panel.findChild<QTableView*>("sweep-table");
  BlockWatch watch;
  QElapsedTimer clock;
  clock.start();
  table->sortByColumn(seconds_column, Qt::AscendingOrder);
  const auto sorted = clock.restart();
  workbench.exploration().show_sweep(all);
  const auto extended = clock.restart();
  panel.findChild<QComboBox*>("sweep-filter")->setCurrentIndex(1);
  emit panel.findChild<QComboBox*>("sweep-filter")->activated(1);
  const auto filtered = clock.elapsed();
  QTest::qWait(20);
  RecordProperty("sort_milliseconds", static_cast<int>(sorted));
  RecordProperty("extend_milliseconds", static_cast<int>(extended));
  RecordProperty("filter_milliseconds", static_cast<int>(filtered));
  std::printf("sort %lld ms, extend %lld ms, filter %lld ms\n", static_cast<long long>(sorted),
              static_cast<long long>(extended), static_cast<long long>(filtered));
  EXPECT_LT(watch.longest_milliseconds(), 1000);
  EXPECT_EQ(table->model()->rowCount(), 100);
}

class SweepPanelTest : public testing::Test {
 protected:
  void SetUp() override {
    panel.resize(1000, 400);
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    workbench.exploration().show_sweep(made_up_table(50));
  }
  void click(int row, Qt::KeyboardModifiers modifiers = {}) {
    const QPoint place = table->visualRect(table->model()->index(row, 1)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, place);
  }
  using Points = std::vector<std::uint64_t>;
  const Points& chosen() { return workbench.exploration().state()->look.chosen; }

  Workbench workbench{catalogue::standard()};
  SweepPanel panel{workbench};
  QTableView* table = panel.findChild<QTableView*>("sweep-table");
};

TEST_F(SweepPanelTest, MarksWhatIsSelectedAndSelectsWhatIsMarked) {
  click(3);
  EXPECT_EQ(chosen(), Points({3}));
  EXPECT_TRUE(panel.findChild<QPushButton*>("open-chosen-point")->isEnabled());
  EXPECT_FALSE(panel.findChild<QPushButton*>("compare-chosen-points")->isEnabled());
  click(5, Qt::ControlModifier);
  EXPECT_EQ(chosen(), Points({3, 5}));
  EXPECT_TRUE(panel.findChild<QPushButton*>("compare-chosen-points")->isEnabled());
  click(6, Qt::ControlModifier);
  EXPECT_EQ(chosen(), Points({3, 6})) << "two at most";
  workbench.exploration().choose(3);
  EXPECT_FALSE(table->selectionModel()->isRowSelected(3));
  EXPECT_TRUE(table->selectionModel()->isRowSelected(6));
}

TEST_F(SweepPanelTest, CopiesWhatIsShown) {
  emit panel.findChild<QComboBox*>("sweep-filter")->activated(1);
  panel.findChild<QAction*>("copy-sweep-table")->trigger();
  const auto copied = [] { return QGuiApplication::clipboard()->text(); };
  ASSERT_TRUE(wait_until([&] { return copied().startsWith("Mark\tPoint\tLanes"); })) << copied().toStdString();
  const QStringList lines = copied().split('\n', Qt::SkipEmptyParts);
  EXPECT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines.front().contains("Time [s] (estimate)")) << lines.front().toStdString();
  EXPECT_EQ(lines.back().count('\t'), lines.front().count('\t'));
}

TEST_F(SweepPanelTest, SaysHowFarItIs) {
  EXPECT_EQ(panel.findChild<QLabel*>("sweep-state")->text(), "finished: 50 of 50 points; 1 on the front");
}

}  // namespace
}  // namespace convscope::ui::test
