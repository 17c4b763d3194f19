#include "ui/panels/layers/layer_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/panels/common/column_menu.h"
#include "ui/panels/common/copy_action.h"
#include "ui/panels/common/layer_filter.h"
#include "ui/panels/common/name_delegate.h"
#include "ui/panels/common/row_table.h"
#include "ui/panels/common/search_field.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/parts/table_text.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr int widest_name = 260;   ///< at first; figures shall be seen beside long names
constexpr int measured_rows = 40;  ///< for a column's width; all of a large network would block the window

/// A table whose columns' wishes can be asked for.
class Table : public QTableView {
 public:
  using QTableView::QTableView;
  using QTableView::sizeHintForColumn;
};

}  // namespace

LayerPanel::LayerPanel(ViewHost& host, QWidget* parent)
    : QWidget(parent),
      host_(host),
      model_(new LayerTableModel(host, this)),
      sorted_(new LayerFilter(this)),
      table_(new Table(this)) {
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(value_role);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* field = new SearchField("layer-search", this);
  connect(field, &QLineEdit::textChanged, this, &LayerPanel::search);
  columns_ = new ColumnMenu(
      *table_, [this](int section) { return model_->key(section); }, this);
  auto* top = new QHBoxLayout;
  top->setSpacing(2);
  top->addWidget(field, 1);
  top->addWidget(columns_);
  column->addLayout(top);
  column->addWidget(table_, 1);
  setFocusProxy(table_);
  set_up_table();
  columns_->apply();
  add_copy_action(*table_);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &LayerPanel::take_selection);
  on_change(host, this, shown_in_tables, [this] { set_column_widths(); });
  on_change(host, this, shown_in_tables | Change::selection, [this] { follow_selection(); });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    fresh_ = true;
    columns_->apply();
  });
  set_column_widths();
  follow_selection();
}

void LayerPanel::set_up_table() {
  table_->setObjectName("layer-table");
  table_->setAccessibleName(tr("Layers and their figures"));
  table_->setModel(sorted_);
  table_->setSelectionMode(QTableView::SingleSelection);
  set_up_row_table(*table_);
  table_->setItemDelegateForColumn(0, new NameDelegate(this));
  table_->horizontalHeader()->setResizeContentsPrecision(measured_rows);
}

void LayerPanel::search(const QString& text) {
  {
    // A row that is taken away hands its mark to a neighbour, which nobody chose.
    const QScopedValueRollback following(following_, true);
    sorted_->set_text(text);
  }
  follow_selection();
}

int LayerPanel::longest_text(int column) const {
  const int top = std::max(0, table_->rowAt(0)), end = std::min(top + measured_rows, sorted_->rowCount());
  qsizetype longest = 0;
  for (int row = top; row < end; ++row)
    longest = std::max(longest, sorted_->index(row, column).data().toString().size());
  return static_cast<int>(longest);
}

void LayerPanel::set_column_widths() {
  const auto columns = static_cast<std::size_t>(sorted_->columnCount());
  if (fresh_ || measured_.size() != columns) measured_.assign(columns, -1);
  for (int column = 0; column < sorted_->columnCount(); ++column) {
    // Laying out text takes longer than all else in a drag: only what has more letters than before is measured.
    int& measured = measured_[static_cast<std::size_t>(column)];
    const int longest = longest_text(column);
    if (longest <= measured) continue;
    measured = longest;
    // Only ever wider: columns that jump while a slider is dragged cannot be read.
    const int content = static_cast<Table*>(table_)->sizeHintForColumn(column);
    const bool words =
        !(model_->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    int wanted = std::max(content, table_->horizontalHeader()->sectionSizeHint(column)) + (words ? 16 : 6);
    if (column == 0) wanted = std::min(wanted, widest_name);
    if (table_->columnWidth(column) < wanted || fresh_) table_->setColumnWidth(column, wanted);
  }
  fresh_ = false;
}

void LayerPanel::take_selection(const QModelIndex& current) {
  if (following_ || !current.isValid()) return;
  artifact::Ref chosen;
  chosen.layer = sorted_->mapToSource(current).row();
  if (chosen.layer != host_.snapshot().selection.layer) host_.select(chosen);
}

void LayerPanel::follow_selection() {
  const QScopedValueRollback following(following_, true);
  const QModelIndex index = sorted_->mapFromSource(model_->index(host_.snapshot().selection.layer, 0));
  if (!index.isValid()) return table_->setCurrentIndex({});
  const bool marked =
      table_->currentIndex().row() == index.row() && table_->selectionModel()->isRowSelected(index.row());
  if (!marked) table_->selectRow(index.row());
}

QString LayerPanel::text() const {
  return table_text(*sorted_, [this](int column) { return !table_->isColumnHidden(column); });
}

}  // namespace convscope::ui
