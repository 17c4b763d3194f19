#include "ui/panels/common/row_table.h"

#include <QHeaderView>
#include <QTableView>

namespace convscope::ui {
namespace {

constexpr int row_padding = 6;

}  // namespace

void set_up_row_table(QTableView& table) {
  table.setSelectionBehavior(QTableView::SelectRows);
  table.setSortingEnabled(true);
  table.sortByColumn(-1, Qt::AscendingOrder);
  table.setFrameShape(QFrame::NoFrame);
  table.setWordWrap(false);
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setTabKeyNavigation(false);  // Tab goes on to the next panel
  table.setHorizontalScrollMode(QTableView::ScrollPerPixel);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + row_padding);
  table.horizontalHeader()->setHighlightSections(false);
}

}  // namespace convscope::ui
