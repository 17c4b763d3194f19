#include "ui/panels/sweep_setup/axis_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>

#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using explore::DraftForm;

constexpr int label_width = 32, bound_width = 10, count_width = 13;  // characters

QString tip_of(const arch::ParameterDescription& description) {
  QStringList lines{QString::fromStdString(description.help)};
  if (description.kind == arch::ParameterKind::choice) {
    QStringList choices;
    for (const std::string& choice : description.choices) choices << QString::fromStdString(choice);
    lines << choices.join(QStringLiteral(", "));
  } else {
    lines << QObject::tr("%1 to %2%3")
                 .arg(description.minimum)
                 .arg(description.maximum)
                 .arg(description.powers_of_two ? QObject::tr(", powers of two") : QString());
  }
  return lines.join('\n');
}

}  // namespace

AxisRow::AxisRow(const ViewHost& host, const explore::DraftParameter& parameter,
                 const arch::ParameterDescription* description, QWidget* parent)
    : SetupRow(host, "axis-" + QString::fromStdString(parameter.name), QString::fromStdString(parameter.name), parent),
      name_(parameter.name) {
  auto* label = new QLabel(this);
  QString title = QString::fromStdString(description != nullptr ? description->label : name_);
  if (description != nullptr && !description->unit.empty()) {
    title += QStringLiteral(" [%1]").arg(QString::fromStdString(description->unit));
  }
  label->setText(title);
  label->setToolTip(description != nullptr ? tip_of(*description) : QString());
  label->setFixedWidth(fontMetrics().averageCharWidth() * label_width);
  fields().addWidget(label);
  build_forms(description);
  count_ = new QLabel(this);
  count_->setObjectName(objectName() + "-count");
  count_->setFixedWidth(fontMetrics().averageCharWidth() * count_width);
  count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  fields().addWidget(count_);
  add_remove_button();
  form_->setCurrentIndex(static_cast<int>(parameter.form));
  pages_->setCurrentIndex(form_->currentIndex());
  values_->setText(QString::fromStdString(parameter.values));
  from_->setText(QString::fromStdString(parameter.from));
  to_->setText(QString::fromStdString(parameter.to));
  step_->setText(QString::fromStdString(parameter.step));
  step_kind_->setCurrentIndex(parameter.factor ? 1 : 0);
  equals_->setText(QString::fromStdString(parameter.equals));
}

QLineEdit* AxisRow::add_to(QWidget& page, const QString& name, const QString& title, const QString& placeholder,
                           int width) {
  QLineEdit* field = add_field(name, title, placeholder, width);
  fields().removeWidget(field);
  page.layout()->addWidget(field);
  return field;
}

void AxisRow::build_forms(const arch::ParameterDescription* description) {
  const bool choice = description != nullptr && description->kind == arch::ParameterKind::choice;
  form_ = new QComboBox(this);
  form_->setObjectName(objectName() + "-form");
  form_->setAccessibleName(tr("How %1 varies").arg(QString::fromStdString(name_)));
  form_->addItems({tr("values"), tr("range"), tr("follows")});
  fields().addWidget(form_);
  pages_ = new QStackedWidget(this);
  pages_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  QWidget* page[3];
  for (QWidget*& each : page) {
    each = new QWidget(pages_);
    auto* row = new QHBoxLayout(each);
    row->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(each);
  }
  values_ = add_to(*page[0], "values", tr("Values, with blanks between them"), choice ? QString() : tr("1 2 4 8"), 0);
  const auto limit = [&](double value) { return description != nullptr ? QString::number(value) : QString(); };
  from_ = add_to(*page[1], "from", tr("First value"), limit(description != nullptr ? description->minimum : 0),
                 bound_width);
  page[1]->layout()->addWidget(new QLabel(tr("to"), page[1]));
  to_ = add_to(*page[1], "to", tr("Last value"), limit(description != nullptr ? description->maximum : 0), bound_width);
  step_kind_ = new QComboBox(page[1]);
  step_kind_->setObjectName(objectName() + "-step-kind");
  step_kind_->setAccessibleName(tr("Step or factor"));
  step_kind_->addItems({tr("step"), tr("factor")});
  page[1]->layout()->addWidget(step_kind_);
  step_ = add_to(*page[1], "step", tr("Step between values; empty: the parameter's own"), tr("its own"), bound_width);
  static_cast<QHBoxLayout*>(page[1]->layout())->addStretch(1);
  equals_ = add_to(*page[2], "equals", tr("An expression over other parameters"), tr("e.g. 64 / cores"), 0);
  fields().addWidget(pages_, 1);
  connect(form_, &QComboBox::activated, pages_, &QStackedWidget::setCurrentIndex);
  connect(form_, &QComboBox::activated, this, &AxisRow::edited);
  connect(step_kind_, &QComboBox::activated, this, &AxisRow::edited);
}

explore::DraftParameter AxisRow::value() const {
  explore::DraftParameter parameter;
  parameter.name = name_;
  parameter.form = static_cast<DraftForm>(form_->currentIndex());
  switch (parameter.form) {
    case DraftForm::list:
      parameter.values = values_->text().toStdString();
      break;
    case DraftForm::range:
      parameter.from = from_->text().toStdString();
      parameter.to = to_->text().toStdString();
      parameter.step = step_->text().toStdString();
      parameter.factor = step_kind_->currentIndex() == 1 && !parameter.step.empty();
      break;
    case DraftForm::link:
      parameter.equals = equals_->text().toStdString();
      break;
  }
  return parameter;
}

void AxisRow::show_count(std::optional<std::size_t> count) {
  if (!count) return count_->clear();
  count_->setText(*count == 1 ? tr("1 value") : tr("%1 values").arg(count_text(static_cast<std::int64_t>(*count))));
}

}  // namespace convscope::ui
