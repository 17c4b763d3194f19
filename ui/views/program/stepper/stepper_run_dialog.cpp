#include "ui/views/program/stepper/stepper_run_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/words/text.h"

namespace convscope::ui {

StepperRunDialog::StepperRunDialog(const std::vector<target::OptionDescription>& options, const TraceSettings& now,
                                   QWidget* parent)
    : QDialog(parent), options_(options), mistake_(new QLabel(this)) {
  setWindowTitle(QStringLiteral("What the program is run on"));
  setObjectName(QStringLiteral("stepper_run_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* form = new QFormLayout(this);
  for (const target::OptionDescription& option : options_) {
    const auto set = now.find(option.name);
    auto* field = new QLineEdit(to_text(set == now.end() ? option.initial : set->second), this);
    field->setObjectName(to_text("run-" + option.name));
    field->setAccessibleName(to_text(option.label));
    field->setToolTip(to_text(option.help));
    field->setMinimumWidth(320);
    connect(field, &QLineEdit::textChanged, this, &StepperRunDialog::check);
    form->addRow(to_text(option.label), field);
    fields_.push_back(field);
  }
  mistake_->setObjectName(QStringLiteral("run-mistake"));
  mistake_->setWordWrap(true);
  form->addRow(mistake_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  run_ = buttons->button(QDialogButtonBox::Ok);
  run_->setText(QStringLiteral("&Run"));
  connect(buttons, &QDialogButtonBox::accepted, this, &StepperRunDialog::run);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  form->addRow(buttons);
}

TraceSettings StepperRunDialog::settings() const {
  TraceSettings settings;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const std::string text = fields_[i]->text().trimmed().toStdString();
    if (text != options_[i].initial) settings[options_[i].name] = text;
  }
  return settings;
}

void StepperRunDialog::check() {
  QString mistake;
  for (std::size_t i = 0; i < options_.size() && mistake.isEmpty(); ++i) {
    const std::string wrong = options_[i].mistake(fields_[i]->text().trimmed().toStdString());
    if (!wrong.empty()) mistake = QStringLiteral("%1: %2").arg(to_text(options_[i].label), to_text(wrong));
  }
  mistake_->setText(mistake);
  run_->setEnabled(mistake.isEmpty());
}

void StepperRunDialog::run() {
  if (!run_->isEnabled()) return;
  if (on_run) on_run(settings());
  close();
}

}  // namespace convscope::ui
