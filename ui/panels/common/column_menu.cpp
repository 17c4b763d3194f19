#include "ui/panels/common/column_menu.h"

#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <utility>

namespace convscope::ui {

ColumnMenu::ColumnMenu(QTableView& table, std::function<QString(int column)> key, QWidget* parent)
    : QPushButton(parent), table_(table), key_(std::move(key)) {
  setText(tr("Columns"));
  setObjectName("columns");
  setAccessibleName(tr("Columns that are shown"));
  setToolTip(tr("Choose the columns that are shown (also with the right button on their titles)"));
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill(*menu); });
  setMenu(menu);
  QHeaderView* header = table_.horizontalHeader();
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this,
          [menu, header](const QPoint& point) { menu->popup(header->mapToGlobal(point)); });
}

// Read late: tables get their names after their tools.
QString ColumnMenu::setting() const {
  return QStringLiteral("columns/%1").arg(table_.objectName());
}

void ColumnMenu::apply() {
  const QStringList hidden = QSettings().value(setting()).toStringList();
  hidden_ = QSet<QString>(hidden.begin(), hidden.end());
  const int count = table_.model() == nullptr ? 0 : table_.model()->columnCount();
  for (int column = 1; column < count; ++column) table_.setColumnHidden(column, hidden_.contains(key_(column)));
}

void ColumnMenu::show_column(int column, bool shown) {
  if (shown)
    hidden_.remove(key_(column));
  else
    hidden_.insert(key_(column));
  QStringList hidden(hidden_.begin(), hidden_.end());
  hidden.sort();
  QSettings().setValue(setting(), hidden);
  table_.setColumnHidden(column, !shown);
}

void ColumnMenu::show_all() {
  QSettings().remove(setting());
  apply();
}

void ColumnMenu::fill(QMenu& menu) {
  menu.clear();
  const QAbstractItemModel& model = *table_.model();
  for (int column = 1; column < model.columnCount(); ++column) {
    QAction* action = menu.addAction(model.headerData(column, Qt::Horizontal).toString());
    action->setObjectName("show-column-" + key_(column));
    action->setToolTip(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
    action->setCheckable(true);
    action->setChecked(!table_.isColumnHidden(column));
    connect(action, &QAction::toggled, this, [this, column](bool shown) { show_column(column, shown); });
  }
  menu.addSeparator();
  QAction* all = menu.addAction(tr("Show all"));
  all->setObjectName("show-all-columns");
  all->setEnabled(!hidden_.isEmpty());
  connect(all, &QAction::triggered, this, &ColumnMenu::show_all);
}

}  // namespace convscope::ui
