#include "ui/panels/layer_panel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>

#include "ui/models/figures.h"
#include "ui/models/layer_table_model.h"

namespace convscope::ui {
namespace {

constexpr int row_padding = 6;

}  // namespace

LayerPanel::LayerPanel(Workbench& workbench, QWidget* parent)
    : QTableView(parent),
      workbench_(workbench),
      model_(new LayerTableModel(workbench, this)),
      sorted_(new QSortFilterProxyModel(this)) {
  setObjectName("layer-table");
  setAccessibleName(tr("Layers and their figures"));
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(value_role);
  setModel(sorted_);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);
  setFrameShape(QFrame::NoFrame);
  setWordWrap(false);
  setShowGrid(false);
  setAlternatingRowColors(true);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + row_padding);
  horizontalHeader()->setHighlightSections(false);
  auto* copy = new QAction(tr("Copy table"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(text()); });
  addAction(copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &LayerPanel::take_selection);
  connect(&workbench, &Workbench::selection_changed, this, &LayerPanel::follow_selection);
  connect(&workbench, &Workbench::snapshot_changed, this, [this] {
    set_column_widths();
    follow_selection();
  });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] { fresh_ = true; });
  set_column_widths();
  follow_selection();
}

void LayerPanel::set_column_widths() {
  for (int column = 0; column < sorted_->columnCount(); ++column) {
    // Only ever wider: columns that jump while a slider is dragged cannot be read.
    const int wanted = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column)) + 6;
    if (columnWidth(column) < wanted || fresh_) setColumnWidth(column, wanted);
  }
  fresh_ = false;
}

void LayerPanel::take_selection(const QModelIndex& current) {
  if (following_ || !current.isValid()) return;
  artifact::Ref chosen;
  chosen.layer = sorted_->mapToSource(current).row();
  if (chosen.layer != workbench_.snapshot().selection.layer) workbench_.select(chosen);
}

void LayerPanel::follow_selection() {
  const QScopedValueRollback following(following_, true);
  const QModelIndex index = sorted_->mapFromSource(model_->index(workbench_.snapshot().selection.layer, 0));
  if (!index.isValid()) return clearSelection();
  if (currentIndex().row() != index.row() || !selectionModel()->isRowSelected(index.row())) selectRow(index.row());
}

QString LayerPanel::text() const {
  QStringList lines, header;
  for (int column = 0; column < sorted_->columnCount(); ++column) {
    header << sorted_->headerData(column, Qt::Horizontal).toString();
  }
  lines << header.join('\t');
  for (int row = 0; row < sorted_->rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < sorted_->columnCount(); ++column) {
      cells << sorted_->index(row, column).data().toString();
    }
    lines << cells.join('\t');
  }
  return lines.join('\n') + '\n';
}

}  // namespace convscope::ui
