#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/views/program/assembly/assembly_editor.h"

namespace convscope::ui {

QWidget* AssemblyEditor::make_bar() {
  auto* bar = new QWidget(&panel_);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  give_up_ = new QToolButton(bar);
  give_up_->setObjectName(QStringLiteral("assembly_give_up"));
  give_up_->setText(QStringLiteral("Stop"));
  give_up_->setAccessibleName(QStringLiteral("Stop the simulation"));
  connect(give_up_, &QToolButton::clicked, this, [this] {
    judging_.forget();
    give_up_->hide();
    say(QStringLiteral("Stopped."));
  });
  give_up_->hide();
  row->addWidget(give_up_);

  auto* files = new QToolButton(bar);
  files->setObjectName(QStringLiteral("assembly_menu"));
  files->setText(QStringLiteral("Text"));
  files->setToolTip(QStringLiteral("Open and save, begin with the compiler's program again"));
  files->setAccessibleName(files->toolTip());
  files->setPopupMode(QToolButton::InstantPopup);
  files->setMenu(new QMenu(files));
  files->menu()->addAction(QStringLiteral("Begin with the compiler's program again"), this, [this] { restore(); });
  files->menu()->addSeparator();
  files->menu()->addAction(QStringLiteral("Open assembly or a program file…"), this, [this] { ask_to_open(); });
  files->menu()->addAction(QStringLiteral("Save as assembly…"), this, [this] { ask_to_save(false); });
  files->menu()->addAction(QStringLiteral("Save as program file…"), this, [this] { ask_to_save(true); });
  row->addWidget(files);

  const auto button = [&](const char* name, const QString& text, const QString& help, AssemblyStep step) {
    auto* made = new QPushButton(text, bar);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(help);
    connect(made, &QPushButton::clicked, this, [this, step] { judge(step); });
    row->addWidget(made);
  };
  button("assembly_verify", QStringLiteral("Verify"), QStringLiteral("Check every rule (Ctrl+Shift+Return)"),
         AssemblyStep::verify);
  button("assembly_simulate", QStringLiteral("Simulate"), QStringLiteral("Verify and simulate (Ctrl+Return)"),
         AssemblyStep::simulate);
  return bar;
}

QWidget* AssemblyEditor::make_area() {
  auto* area = new QWidget(&panel_);
  auto* column = new QVBoxLayout(area);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  text_ = new AssemblyText(area);
  text_->setObjectName(QStringLiteral("assembly_text"));
  text_->setAccessibleName(QStringLiteral("Assembly of the program"));
  message_ = new QLabel(area);
  message_->setObjectName(QStringLiteral("assembly_message"));
  message_->setWordWrap(true);
  message_->setContentsMargins(6, 2, 6, 2);
  message_->setTextFormat(Qt::PlainText);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  list_ = new QListWidget(area);
  list_->setObjectName(QStringLiteral("assembly_findings"));
  list_->setAccessibleName(QStringLiteral("What was found in the text"));
  list_->setMaximumHeight(110);
  list_->hide();
  connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item != nullptr && item->data(Qt::UserRole).toInt() > 0) text_->go_to_line(item->data(Qt::UserRole).toInt());
  });
  connect(list_, &QListWidget::itemActivated, text_, [this] { text_->setFocus(); });
  column->addWidget(text_, 1);
  column->addWidget(message_);
  column->addWidget(list_);
  return area;
}

}  // namespace convscope::ui
