#include "ui/panels/copy_action.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QTableView>

#include "ui/models/table_text.h"

namespace convscope::ui {
namespace {

/// What is shown: columns that the user took away stay away.
QString shown_text(const QAbstractItemView& view) {
  const auto* table = qobject_cast<const QTableView*>(&view);
  if (table == nullptr) return table_text(*view.model());
  return table_text(*view.model(), [table](int column) { return !table->isColumnHidden(column); });
}

}  // namespace

void add_copy_action(QAbstractItemView& view) {
  auto* copy = new QAction(QAbstractItemView::tr("Copy table"), &view);
  copy->setObjectName("copy-" + view.objectName());
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, &view,
                   [&view] { QGuiApplication::clipboard()->setText(shown_text(view)); });
  view.addAction(copy);
  view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace convscope::ui
