#include "ui/panels/network/network_panel.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/panels/common/copy_action.h"
#include "ui/panels/common/layer_filter.h"
#include "ui/panels/common/name_delegate.h"
#include "ui/panels/common/search_field.h"
#include "ui/panels/network/network_tree_model.h"

namespace convscope::ui {
namespace {

bool has_linked_program(const Snapshot& snapshot) {
  return snapshot.compiled && snapshot.compiled->linked && snapshot.compiled->linked->program_count() > 0;
}

constexpr int row_padding = 6;
constexpr int widest_text = 110;
constexpr int measured_rows = 40;  ///< for a column's width; all of a large network would block the window

/// Rows as high as those of the tables.
class RoomyRows : public NameDelegate {
 public:
  using NameDelegate::NameDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, row_padding);
  }
};

/// A tree whose columns' wishes can be asked for.
class Tree : public QTreeView {
 public:
  using QTreeView::QTreeView;
  using QTreeView::sizeHintForColumn;
  /// Of thousands of rows the view would ask each where it lies, to paint those that are seen.
  void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) override {
    if (last.row() - first.row() <= measured_rows) return QTreeView::dataChanged(first, last, roles);
    viewport()->update();
  }
};

}  // namespace

NetworkPanel::NetworkPanel(ViewHost& host, QWidget* parent)
    : QWidget(parent),
      host_(host),
      model_(new NetworkTreeModel(host, this)),
      shown_(new LayerFilter(this)),
      tree_(new Tree(this)) {
  shown_->setSourceModel(model_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* search = new SearchField("network-search", this);
  connect(search, &QLineEdit::textChanged, this, &NetworkPanel::search);
  column->addWidget(search);
  column->addWidget(tree_, 1);
  setFocusProxy(tree_);
  set_up_tree();
  connect_all();
  tree_->expandToDepth(0);
  set_column_widths();
  follow_selection();
}

void NetworkPanel::set_up_tree() {
  tree_->setObjectName("network-tree");
  tree_->setAccessibleName(tr("Network, layers and programs"));
  tree_->setModel(shown_);
  tree_->setItemDelegate(new RoomyRows(this));
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(14);
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setEditTriggers(QTreeView::NoEditTriggers);
  add_copy_action(*tree_);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setMinimumSectionSize(32);
  tree_->header()->setResizeContentsPrecision(measured_rows);
}

void NetworkPanel::connect_all() {
  connect(shown_, &QAbstractItemModel::modelReset, this, [this] {
    tree_->expandToDepth(0);
    fresh_ = true;
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &NetworkPanel::take_selection);
  on_change(host_, this, shown_in_tables, [this] { set_column_widths(); });
  on_change(host_, this, shown_in_tables | Change::selection, [this] { follow_selection(); });
}

int NetworkPanel::longest_text(int column) const {
  qsizetype longest = 0;
  QModelIndex row = tree_->indexAt({0, 0});
  if (!row.isValid()) row = shown_->index(0, 0);
  for (int measured = 0; row.isValid() && measured < measured_rows; ++measured, row = tree_->indexBelow(row))
    longest = std::max(longest, row.siblingAtColumn(column).data().toString().size());
  return static_cast<int>(longest);
}

void NetworkPanel::set_column_widths() {
  if (fresh_) measured_.fill(-1);
  for (int column = 0; column < NetworkTreeModel::column_count; ++column) {
    // Laying out text takes longer than all else in a drag: only what has more letters than before is measured.
    int& measured = measured_[static_cast<std::size_t>(column)];
    const int longest = longest_text(column);
    if (longest <= measured) continue;
    measured = longest;
    // Only ever wider: columns that jump while a slider is dragged cannot be read.
    const int content = static_cast<Tree*>(tree_)->sizeHintForColumn(column);
    int wanted = std::max(content, tree_->header()->sectionSizeHint(column)) + 6;
    // Figures shall be seen beside long names; the tooltip has them in full.
    if (column <= NetworkTreeModel::operators) wanted = std::min(wanted, widest_text);
    if (tree_->columnWidth(column) < wanted || fresh_) tree_->setColumnWidth(column, wanted);
  }
  fresh_ = false;
}

void NetworkPanel::search(const QString& text) {
  {
    // A row that is taken away hands its mark to a neighbour, which nobody chose.
    const QScopedValueRollback following(following_, true);
    shown_->set_text(text);
    tree_->expandToDepth(0);
  }
  follow_selection();
}

void NetworkPanel::take_selection(const QModelIndex& current) {
  if (following_) return;
  const artifact::Ref chosen = model_->ref(shown_->mapToSource(current));
  // The network's row stands for what its layers were linked to.
  if (chosen.layer >= 0 || (current.isValid() && has_linked_program(host_.snapshot()))) host_.select(chosen);
}

void NetworkPanel::follow_selection() {
  const QScopedValueRollback following(following_, true);
  const Snapshot& snapshot = host_.snapshot();
  const bool whole = snapshot.selection.layer < 0 && has_linked_program(snapshot);
  const QModelIndex index = shown_->mapFromSource(whole ? model_->index(0, 0) : model_->find(snapshot.selection));
  if (!index.isValid()) return tree_->setCurrentIndex({});
  if (index.parent().parent().isValid() && !tree_->isExpanded(index.parent())) {
    // A program in a closed layer: the layer stands for it, unasked the tree does not unfold.
    return tree_->setCurrentIndex(index.parent());
  }
  if (tree_->currentIndex().siblingAtColumn(0) != index) tree_->setCurrentIndex(index);
}

}  // namespace convscope::ui
