#include "ui/panels/network_panel.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

#include "ui/models/network_tree_model.h"

namespace convscope::ui {
namespace {

constexpr int row_padding = 6;

/// Rows as high as those of the tables.
class RoomyRows : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, row_padding);
  }
};

}  // namespace

NetworkPanel::NetworkPanel(Workbench& workbench, QWidget* parent)
    : QTreeView(parent), workbench_(workbench), model_(new NetworkTreeModel(workbench, this)) {
  setObjectName("network-tree");
  setAccessibleName(tr("Network, layers and programs"));
  setModel(model_);
  setItemDelegate(new RoomyRows(this));
  setUniformRowHeights(true);
  setAllColumnsShowFocus(true);
  setRootIsDecorated(false);
  setIndentation(14);
  setFrameShape(QFrame::NoFrame);
  setEditTriggers(NoEditTriggers);
  header()->setStretchLastSection(false);
  header()->setMinimumSectionSize(32);
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    expandToDepth(0);
    fresh_ = true;
  });
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &NetworkPanel::take_selection);
  connect(&workbench, &Workbench::selection_changed, this, &NetworkPanel::follow_selection);
  connect(&workbench, &Workbench::snapshot_changed, this, [this] {
    set_column_widths();
    follow_selection();
  });
  expandToDepth(0);
  set_column_widths();
  follow_selection();
}

void NetworkPanel::set_column_widths() {
  for (int column = 0; column < NetworkTreeModel::column_count; ++column) {
    // Only ever wider: columns that jump while a slider is dragged cannot be read.
    const int wanted = std::max(sizeHintForColumn(column), header()->sectionSizeHint(column)) + 6;
    if (columnWidth(column) < wanted || fresh_) setColumnWidth(column, wanted);
  }
  fresh_ = false;
}

void NetworkPanel::take_selection(const QModelIndex& current) {
  if (following_) return;
  const artifact::Ref chosen = model_->ref(current);
  if (chosen.layer >= 0) workbench_.select(chosen);
}

void NetworkPanel::follow_selection() {
  const QScopedValueRollback following(following_, true);
  const QModelIndex index = model_->find(workbench_.snapshot().selection);
  if (!index.isValid()) return clearSelection();
  if (index.parent().parent().isValid() && !isExpanded(index.parent())) {
    // A program in a closed layer: the layer stands for it, unasked the tree does not unfold.
    return setCurrentIndex(index.parent());
  }
  if (currentIndex().siblingAtColumn(0) != index) setCurrentIndex(index);
}

}  // namespace convscope::ui
