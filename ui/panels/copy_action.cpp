#include "ui/panels/copy_action.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include "ui/models/table_text.h"

namespace convscope::ui {

void add_copy_action(QAbstractItemView& view) {
  auto* copy = new QAction(QAbstractItemView::tr("Copy table"), &view);
  copy->setObjectName("copy-" + view.objectName());
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, &view,
                   [&view] { QGuiApplication::clipboard()->setText(table_text(*view.model())); });
  view.addAction(copy);
  view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace convscope::ui
