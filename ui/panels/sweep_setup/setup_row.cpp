#include "ui/panels/sweep_setup/setup_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace convscope::ui {

SetupRow::SetupRow(const Workbench& workbench, const QString& name, const QString& what, QWidget* parent)
    : QWidget(parent), workbench_(workbench), what_(what) {
  setObjectName(name);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  fields_ = new QHBoxLayout;
  fields_->setSpacing(6);
  column->addLayout(fields_);
  message_ = new QLabel(this);
  message_->setObjectName(name + "-message");
  message_->setWordWrap(true);
  message_->setTextFormat(Qt::PlainText);
  message_->hide();
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
  auto* remove = new QToolButton(this);
  remove->setObjectName(objectName() + "-remove");
  remove->setText(QStringLiteral("✕"));
  remove->setAutoRaise(true);
  remove->setToolTip(tr("Remove %1").arg(what_));
  remove->setAccessibleName(remove->toolTip());
  fields_->addWidget(remove);
  connect(remove, &QToolButton::clicked, this, &SetupRow::removed);
}

void SetupRow::show_message(const QString& message) {
  QPalette palette = message_->palette();
  palette.setColor(QPalette::WindowText, workbench_.theme().error);
  message_->setPalette(palette);
  message_->setText(message);
  message_->setVisible(!message.isEmpty());
}

QString SetupRow::message() const {
  return message_->text();
}

}  // namespace convscope::ui
