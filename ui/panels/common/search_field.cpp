#include "ui/panels/common/search_field.h"

#include <QKeyEvent>

namespace convscope::ui {

SearchField::SearchField(const QString& name, QWidget* parent) : QLineEdit(parent) {
  setObjectName(name);
  setAccessibleName(tr("Search layers"));
  setPlaceholderText(tr("Search by name or operator"));
  setClearButtonEnabled(true);
}

void SearchField::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !text().isEmpty()) return clear();
  QLineEdit::keyPressEvent(event);
}

}  // namespace convscope::ui
