#include "ui/panels/sweep_setup/setup_row.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace convscope::ui {

SetupRow::SetupRow(const ViewHost& host, const QString& name, const QString& what, QWidget* parent)
    : QWidget(parent), what_(what) {
  setObjectName(name);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  fields_ = new QHBoxLayout;
  fields_->setSpacing(6);
  column->addLayout(fields_);
  message_ = new MessageLabel(host, name + "-message", this);
  column->addWidget(message_);
}

QLineEdit* SetupRow::add_field(const QString& name, const QString& title, const QString& placeholder, int width) {
  auto* field = new QLineEdit(this);
  field->setObjectName(objectName() + '-' + name);
  field->setAccessibleName(title);
  field->setToolTip(title);
  field->setPlaceholderText(placeholder);
  if (width > 0) field->setFixedWidth(fontMetrics().averageCharWidth() * width + 16);
  fields_->addWidget(field, width > 0 ? 0 : 1);
  connect(field, &QLineEdit::textEdited, this, &SetupRow::edited);
  return field;
}

void SetupRow::add_remove_button() {
  auto* remove = ui::add_remove_button(*fields_, objectName() + "-remove", tr("Remove %1").arg(what_), this);
  connect(remove, &QToolButton::clicked, this, &SetupRow::removed);
}

}  // namespace convscope::ui
