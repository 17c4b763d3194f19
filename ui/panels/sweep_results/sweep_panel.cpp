#include "ui/panels/sweep_results/sweep_panel.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableView>
#include <algorithm>

#include "ui/document/exploration/exploration.h"
#include "ui/panels/common/row_table.h"
#include "ui/panels/sweep_results/sweep_status.h"
#include "ui/panels/sweep_results/sweep_table_model.h"

namespace convscope::ui {
namespace {

constexpr int measured_rows = 30;  ///< for a column's width
constexpr int cell_padding = 14;
constexpr int narrow = 40;  ///< a column before it is measured
constexpr std::size_t most_chosen = 2;

}  // namespace

SweepPanel::SweepPanel(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      model_(new SweepTableModel(workbench, this)),
      table_(new QTableView(this)) {
  setObjectName("sweep-panel");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  build_head();
  column->addWidget(table_, 1);
  setFocusProxy(table_);
  set_up_table();
  Exploration& exploration = workbench.exploration();
  connect(&exploration, &Exploration::changed, this, &SweepPanel::refresh);
  connect(&exploration, &Exploration::sweep_changed, this, &SweepPanel::refresh);
  connect(&exploration, &Exploration::look_changed, this, &SweepPanel::follow_chosen);
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    set_column_widths();
    follow_chosen();
  });
  refresh();
}

void SweepPanel::build_head() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(6, 2, 6, 0);
  const auto add = [&](const QString& name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(tip);
    row->addWidget(button);
    return button;
  };
  auto* setup = add("set-up-sweep", tr("Sweep…"), tr("Choose what to sweep over"));
  open_ = add("open-chosen-point", tr("Open machine"), tr("The marked point's machine becomes the current one"));
  compare_ = add("compare-chosen-points", tr("Compare two"), tr("Opens the second marked point beside the first"));
  auto* filter = new QComboBox(this);
  filter->setObjectName("sweep-filter");
  filter->setAccessibleName(tr("Rows that are shown"));
  filter->addItems({tr("all points"), tr("the front"), tr("within brushes")});
  row->addWidget(filter);
  status_ = new QLabel(this);
  status_->setObjectName("sweep-state");
  status_->setTextFormat(Qt::PlainText);
  status_->setMinimumWidth(1);
  row->addWidget(status_, 1);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  connect(setup, &QPushButton::clicked, this, &SweepPanel::sweep_wanted);
  connect(open_, &QPushButton::clicked, this, &SweepPanel::open_current);
  connect(compare_, &QPushButton::clicked, this, &SweepPanel::compare_chosen);
  connect(filter, &QComboBox::activated, this,
          [this](int chosen) { model_->set_filter(static_cast<SweepFilter>(chosen)); });
}

QAction* SweepPanel::add_action(const QString& name, const QString& text, const QKeySequence& shortcut) {
  auto* action = new QAction(text, table_);
  action->setObjectName(name);
  action->setShortcut(shortcut);
  action->setShortcutContext(Qt::WidgetShortcut);
  table_->addAction(action);
  return action;
}

void SweepPanel::set_up_table() {
  table_->setObjectName("sweep-table");
  table_->setAccessibleName(tr("Points of the sweep"));
  table_->setModel(model_);
  table_->setSelectionMode(QTableView::ExtendedSelection);
  set_up_row_table(*table_);
  table_->horizontalHeader()->setDefaultSectionSize(narrow);
  connect(add_action("open-point", tr("Open this machine"), Qt::Key_Return), &QAction::triggered, this,
          &SweepPanel::open_current);
  connect(add_action("compare-points", tr("Compare the two marked points"), Qt::CTRL | Qt::Key_Return),
          &QAction::triggered, this, &SweepPanel::compare_chosen);
  connect(add_action("copy-sweep-table", tr("Copy table"), QKeySequence::Copy), &QAction::triggered, this,
          &SweepPanel::copy);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(table_, &QTableView::doubleClicked, this, &SweepPanel::open_current);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SweepPanel::choose_selected);
}

void SweepPanel::refresh() {
  status_->setText(sweep_status(workbench_.exploration()));
  status_->setToolTip(sweep_tip(workbench_.exploration()));
  const auto& chosen = workbench_.exploration().state()->look.chosen;
  open_->setEnabled(!chosen.empty());
  compare_->setEnabled(chosen.size() == most_chosen);
  set_column_widths();
}

void SweepPanel::set_column_widths() {
  for (int column = 0; column < model_->columnCount(); ++column) {
    int wanted = table_->horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < std::min(measured_rows, model_->rowCount()); ++row) {
      const QModelIndex index = model_->index(row, column);
      const QVariant font = index.data(Qt::FontRole);
      const QFontMetrics metrics = font.isValid() ? QFontMetrics(font.value<QFont>()) : fontMetrics();
      wanted = std::max(wanted, metrics.horizontalAdvance(index.data().toString()) + cell_padding);
    }
    // Only ever wider: columns that jump while results arrive cannot be read.
    if (table_->columnWidth(column) < wanted) table_->setColumnWidth(column, wanted);
  }
}

void SweepPanel::choose_selected() {
  if (following_) return;
  std::vector<std::uint64_t> selected;
  for (const QItemSelectionRange& range : table_->selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom() && selected.size() <= most_chosen; ++row) {
      selected.push_back(model_->point(row));
    }
  }
  const QModelIndex current = table_->currentIndex();
  SweepLook look = workbench_.exploration().state()->look;
  // Those that stay marked stay first; the newest is last.
  std::vector<std::uint64_t> chosen;
  const auto is_selected = [&](std::uint64_t point) {
    const int row = model_->row_of(point);
    return row >= 0 && table_->selectionModel()->isRowSelected(row);
  };
  for (const std::uint64_t point : look.chosen) {
    if (is_selected(point)) chosen.push_back(point);
  }
  if (current.isValid() && table_->selectionModel()->isRowSelected(current.row())) {
    selected.push_back(model_->point(current.row()));
  }
  for (const std::uint64_t point : selected) {
    if (std::find(chosen.begin(), chosen.end(), point) == chosen.end()) chosen.push_back(point);
  }
  if (chosen.size() > most_chosen) chosen.erase(chosen.begin() + 1, chosen.end() - 1);
  look.chosen = chosen;
  workbench_.exploration().set_look(look);
  follow_chosen();
}

void SweepPanel::follow_chosen() {
  const QScopedValueRollback following(following_, true);
  refresh();
  QItemSelection wanted;
  int last = -1;
  for (const std::uint64_t point : workbench_.exploration().state()->look.chosen) {
    const int row = model_->row_of(point);
    if (row < 0) continue;
    wanted.select(model_->index(row, 0), model_->index(row, model_->columnCount() - 1));
    last = row;
  }
  table_->selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
  if (last >= 0 && !table_->hasFocus()) table_->scrollTo(model_->index(last, 0));
}

void SweepPanel::open_current() {
  const auto& chosen = workbench_.exploration().state()->look.chosen;
  if (!chosen.empty()) workbench_.exploration().open_point(chosen.back());
}

void SweepPanel::compare_chosen() {
  const auto chosen = workbench_.exploration().state()->look.chosen;
  if (chosen.size() == most_chosen) workbench_.exploration().compare_points(chosen.front(), chosen.back());
}

void SweepPanel::copy() {
  copying_.start<QString>(
      [table = model_->table(), rows = model_->rows()](const std::stop_token&) { return sweep_text(*table, rows); },
      [](const QString& text) { QGuiApplication::clipboard()->setText(text); });
}

}  // namespace convscope::ui
