#include "ui/panels/sweep_setup/setup_parts.h"

#include <QToolButton>

namespace convscope::ui {

QToolButton* add_tool_button(QLayout& row, const QString& name, const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(name);
  button->setText(text);
  row.addWidget(button);
  return button;
}

QToolButton* add_remove_button(QLayout& row, const QString& name, const QString& help, QWidget* parent) {
  auto* button = add_tool_button(row, name, QStringLiteral("✕"), parent);
  button->setAutoRaise(true);
  button->setToolTip(help);
  button->setAccessibleName(help);
  return button;
}

MessageLabel::MessageLabel(const ViewHost& host, const QString& name, QWidget* parent) : QLabel(parent), host_(host) {
  setObjectName(name);
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  hide();
}

void MessageLabel::show_message(const QString& message) {
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, host_.theme().error);
  setPalette(colours);
  setText(message);
  setVisible(!message.isEmpty());
}

}  // namespace convscope::ui
