#include "ui/window/preset_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "ui/model/settings.h"
#include "ui/parts/file_to_write.h"

namespace convscope::ui {
namespace {

constexpr int field_width = 320;
constexpr int most_letters = 200;  // letters: the file's name is as long

QLineEdit* add_field(QFormLayout& form, const QString& name, const QString& label, const QString& text) {
  auto* field = new QLineEdit(text);
  field->setObjectName(name);
  field->setAccessibleName(label);
  field->setMinimumWidth(field_width);
  form.addRow(label, field);
  return field;
}

}  // namespace

PresetDialog::PresetDialog(const target::Target& target, const QString& suggestion, QWidget* parent)
    : QDialog(parent), target_(target) {
  setObjectName("preset-dialog");
  setWindowTitle(tr("Save preset"));
  auto* column = new QVBoxLayout(this);
  auto* form = new QFormLayout;
  const bool taken = comes_with_target(target, suggestion);
  name_ = add_field(*form, "preset-name", tr("&Name"), taken ? tr("%1-own").arg(suggestion) : suggestion);
  name_->setMaxLength(most_letters);
  description_ = add_field(*form, "preset-description", tr("&Description"), {});
  place_ = new QLabel(this);
  place_->setObjectName("preset-place");
  place_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  save_ = buttons->button(QDialogButtonBox::Save);
  auto* elsewhere = buttons->addButton(tr("&Other place…"), QDialogButtonBox::ActionRole);
  elsewhere->setObjectName("preset-other-place");
  column->addLayout(form);
  column->addWidget(place_);
  column->addWidget(buttons);
  connect(name_, &QLineEdit::textChanged, this, &PresetDialog::refresh);
  connect(elsewhere, &QPushButton::clicked, this, &PresetDialog::choose_file);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  name_->selectAll();
  refresh();
}

QString PresetDialog::name() const {
  return name_->text().trimmed();
}

QString PresetDialog::description() const {
  return description_->text().trimmed();
}

QString PresetDialog::path() const {
  if (!chosen_.isEmpty()) return chosen_;
  // A name is written as it is; its file is named so that any file system and any shell takes it.
  static const QRegularExpression awkward("^\\.|[^\\w.-]+");  // files that begin with a point are hidden
  return user_preset_folder() + '/' + name().replace(awkward, "-") + ".xml";
}

void PresetDialog::choose_file() {
  const QString suggestion = QDir::home().filePath(QFileInfo(path()).fileName());
  const QString file = ask_for_file_to_write(this, tr("Save preset"), suggestion, tr("Presets (*.xml)"), "xml");
  if (file.isEmpty()) return;
  chosen_ = file;
  refresh();
}

void PresetDialog::refresh() {
  const bool taken = comes_with_target(target_, name());
  save_->setEnabled(!name().isEmpty() && !taken);
  if (taken) return place_->setText(tr("A preset that comes with the program has this name: choose another one."));
  const bool replaces = chosen_.isEmpty() && !name().isEmpty() && QFileInfo::exists(path());
  const QString place = QDir::toNativeSeparators(path());
  place_->setText(replaces ? tr("Replaces %1").arg(place) : tr("To %1").arg(place));
}

}  // namespace convscope::ui
