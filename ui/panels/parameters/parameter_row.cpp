#include "ui/panels/parameters/parameter_row.h"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include "core/arch/advice.h"
#include "core/base/units.h"
#include "ui/panels/parameters/parameter_editor.h"

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
  if (const auto hint = units_hint(description.unit); !description.unit.empty()) lines << QString::fromStdString(hint);
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
  violation_->setTextFormat(Qt::RichText);
  violation_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  remark_ = new QLabel(this);
  remark_->setObjectName("remark-" + name);
  remark_->setWordWrap(true);
  remark_->setTextFormat(Qt::PlainText);
  remark_->hide();

  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 4);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(0, 1);
  grid->addWidget(label_, 0, 0);
  grid->addWidget(reset_, 0, 1);
  grid->addWidget(editor_, 1, 0, 1, 2);
  grid->addWidget(remark_, 2, 0, 1, 2);
  grid->addWidget(violation_, 3, 0, 1, 2);
  sweep_ = new QAction(tr("Sweep this parameter…"), this);
  sweep_->setObjectName("sweep-" + name);
  sweep_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F6));
  sweep_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(sweep_);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(sweep_, &QAction::triggered, this, &ParameterRow::sweep_wanted);
  connect(reset_, &QToolButton::clicked, this, [this] { workbench_.reset_parameter(index_); });
  connect(editor_, &ParameterEditor::drag_started, this, &ParameterRow::drag_started);
  connect(editor_, &ParameterEditor::edited, this, [this](double value, bool dragged) {
    if (dragged) show_remark({});
    emit edited(value, dragged);
  });
  connect(editor_, &ParameterEditor::explained, this, &ParameterRow::show_remark);
  connect(violation_, &QLabel::linkActivated, this,
          [this](const QString& value) { emit edited(value.toDouble(), false); });
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
  set_text_colour(*remark_, workbench_.theme().error);
}

QString ParameterRow::way_out() const {
  const auto position = static_cast<std::size_t>(index_);
  const auto value = arch::nearest_that_holds(workbench_.machine(), position);
  if (!value) return tr("no value of this parameter alone would do");
  arch::ParameterValues machine = workbench_.machine();
  machine.set_at(position, *value);
  auto text = QString::fromStdString(machine.text(position));
  const auto& unit = machine.description().parameters[position].unit;
  if (!unit.empty()) text += ' ' + QString::fromStdString(unit);
  return tr("%1 would do")
      .arg(QStringLiteral("<a href=\"%1\" style=\"color: %3\">%2</a>")
               .arg(QString::number(*value, 'g', 17), text.toHtmlEscaped(),
                    workbench_.theme().palette().color(QPalette::Link).name()));
}

void ParameterRow::show_violations(const QStringList& violations) {
  violation_->setVisible(!violations.isEmpty());
  if (violations.isEmpty()) return;
  QStringList lines;
  for (const QString& each : violations) lines << each.toHtmlEscaped();
  violation_->setText((lines << way_out()).join(QStringLiteral("<br>")));
  set_text_colour(*violation_, workbench_.theme().error);
}

void ParameterRow::show_remark(const QString& remark) {
  remark_->setVisible(!remark.isEmpty());
  remark_->setText(remark);
  set_text_colour(*remark_, workbench_.theme().error);
}

}  // namespace convscope::ui
