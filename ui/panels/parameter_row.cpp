#include "ui/panels/parameter_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/panels/parameter_editor.h"

namespace convscope::ui {
namespace {

QString range_text(const arch::ParameterDescription& description) {
  if (description.kind == arch::ParameterKind::choice) return {};
  auto text = QObject::tr("%1 to %2").arg(description.minimum).arg(description.maximum);
  if (!description.unit.empty()) text += ' ' + QString::fromStdString(description.unit);
  if (description.powers_of_two) text += QObject::tr(", powers of two");
  return text;
}

QString tip(const arch::ParameterDescription& description) {
  QStringList lines{QString::fromStdString(description.help)};
  if (const auto range = range_text(description); !range.isEmpty()) lines << range;
  lines << "--set " + QString::fromStdString(description.name) + "=…";
  return lines.join('\n');
}

void set_text_colour(QLabel& label, const QColor& colour) {
  QPalette palette = label.palette();
  palette.setColor(QPalette::WindowText, colour);
  label.setPalette(palette);
}

}  // namespace

ParameterRow::ParameterRow(Workbench& workbench, int index, QWidget* parent)
    : QWidget(parent), workbench_(workbench), index_(index) {
  build();
}

void ParameterRow::build() {
  const auto& description = workbench_.machine().description().parameters[static_cast<std::size_t>(index_)];
  const auto name = QString::fromStdString(description.name);
  setObjectName("parameter-" + name);
  setToolTip(tip(description));
  label_ = new QLabel(this);
  label_->setObjectName("label-" + name);
  label_->setWordWrap(true);
  reset_ = new QToolButton(this);
  reset_->setObjectName("reset-" + name);
  reset_->setText(tr("Reset"));
  reset_->setAutoRaise(true);
  reset_->setAccessibleName(tr("Reset %1").arg(QString::fromStdString(description.label)));
  QSizePolicy keep = reset_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(keep);
  editor_ = new ParameterEditor(description, this);
  violation_ = new QLabel(this);
  violation_->setObjectName("violation-" + name);
  violation_->setWordWrap(true);

  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 4);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(0, 1);
  grid->addWidget(label_, 0, 0);
  grid->addWidget(reset_, 0, 1);
  grid->addWidget(editor_, 1, 0, 1, 2);
  grid->addWidget(violation_, 2, 0, 1, 2);
  connect(reset_, &QToolButton::clicked, this, [this] { workbench_.reset_parameter(index_); });
  connect(editor_, &ParameterEditor::drag_started, this, &ParameterRow::drag_started);
  connect(editor_, &ParameterEditor::edited, this, &ParameterRow::edited);
}

void ParameterRow::refresh(const QStringList& violations) {
  const auto position = static_cast<std::size_t>(index_);
  const auto& description = workbench_.machine().description().parameters[position];
  const auto& preset = workbench_.preset_machine();
  const bool changed = workbench_.machine().at(position) != preset.at(position);
  const auto label = QString::fromStdString(description.label);
  label_->setText(changed ? QStringLiteral("● ") + label : label);
  QFont font = label_->font();
  font.setBold(changed);
  label_->setFont(font);
  reset_->setVisible(changed);
  reset_->setToolTip(tr("Back to %1, as in the preset").arg(QString::fromStdString(preset.text(position))));
  editor_->show_value(workbench_.machine().at(position));
  show_violations(violations);
}

void ParameterRow::show_violations(const QStringList& violations) {
  violation_->setVisible(!violations.isEmpty());
  violation_->setText(violations.join('\n'));
  set_text_colour(*violation_, workbench_.theme().error);
}

}  // namespace convscope::ui
