#include "ui/panels/parameters/parameter_editor.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/arch/advice.h"

namespace convscope::ui {
namespace {

// All boxes of a panel are as wide as this text, so that the sliders line up.
constexpr char widest_value[] = "1000.0 cycles";
constexpr int spin_buttons = 34;

int decimals_of(const arch::ParameterDescription& description) {
  if (description.kind == arch::ParameterKind::integer) return 0;
  int digits = 0;
  for (double step = description.step; digits < 6 && step > 0 && std::abs(step - std::round(step)) > 1e-9; step *= 10) {
    ++digits;
  }
  return digits;
}

/// A slider that leaves the wheel to the panel unless it has the focus.
class PatientSlider : public QSlider {
 public:
  using QSlider::QSlider;

 protected:
  void wheelEvent(QWheelEvent* event) override { hasFocus() ? QSlider::wheelEvent(event) : event->ignore(); }
};

class PatientComboBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void wheelEvent(QWheelEvent* event) override { hasFocus() ? QComboBox::wheelEvent(event) : event->ignore(); }
};

}  // namespace

ParameterSpinBox::ParameterSpinBox(const arch::ParameterDescription& description, QWidget* parent)
    : QDoubleSpinBox(parent), description_(description) {
  setDecimals(decimals_of(description));
  setRange(description.minimum, description.maximum);
  setSingleStep(description.step > 0 ? description.step : 1);
  setKeyboardTracking(false);
  setFocusPolicy(Qt::StrongFocus);
  setAlignment(Qt::AlignRight);
  setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
  connect(lineEdit(), &QLineEdit::textEdited, this, [this](const QString& text) { typed_ = text; });
  connect(this, &QDoubleSpinBox::editingFinished, this, &ParameterSpinBox::explain);
}

void ParameterSpinBox::explain() {
  if (typed_.isEmpty()) return;
  emit explained(QString::fromStdString(arch::typed_text_problem(description_, typed_.toStdString())));
  typed_.clear();
}

QValidator::State ParameterSpinBox::validate(QString& text, int& /*position*/) const {
  // Out of range is fine here: the nearest allowed value is taken, and the row says so.
  return arch::parse_value(description_, text.toStdString()) ? QValidator::Acceptable : QValidator::Intermediate;
}

void ParameterSpinBox::fixup(QString& /*text*/) const {}

double ParameterSpinBox::valueFromText(const QString& text) const {
  const auto value = arch::parse_value(description_, text.toStdString());
  return value ? arch::nearest_allowed(description_, *value) : this->value();
}

QString ParameterSpinBox::textFromValue(double value) const {
  // As presets and the command line write it: with a point in every country.
  const QString number = QString::number(value, 'f', decimals());
  return description_.unit.empty() ? number : number + ' ' + QString::fromStdString(description_.unit);
}

void ParameterSpinBox::stepBy(int steps) {
  if (!description_.powers_of_two) return QDoubleSpinBox::stepBy(steps);
  setValue(value() > 0 ? value() * std::exp2(steps) : 1);
  selectAll();
}

void ParameterSpinBox::wheelEvent(QWheelEvent* event) {
  hasFocus() ? QDoubleSpinBox::wheelEvent(event) : event->ignore();
}

ParameterEditor::ParameterEditor(const arch::ParameterDescription& description, QWidget* parent)
    : QWidget(parent), description_(description) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  description.kind == arch::ParameterKind::choice ? build_choices() : build_slider();
}

void ParameterEditor::build_choices() {
  combo_ = new PatientComboBox(this);
  combo_->setFocusPolicy(Qt::StrongFocus);
  combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo_->setObjectName("combo-" + QString::fromStdString(description_.name));
  combo_->setAccessibleName(QString::fromStdString(description_.label));
  for (const std::string& choice : description_.choices) combo_->addItem(QString::fromStdString(choice));
  layout()->addWidget(combo_);
  connect(combo_, &QComboBox::activated, this, [this](int choice) { emit edited(choice, false); });
}

void ParameterEditor::build_slider() {
  scale_ = std::make_unique<SliderScale>(description_);
  slider_ = new PatientSlider(Qt::Horizontal, this);
  slider_->setFocusPolicy(Qt::StrongFocus);
  slider_->setRange(0, scale_->last());
  slider_->setPageStep(std::max(1, scale_->last() / 10));
  slider_->setObjectName("slider-" + QString::fromStdString(description_.name));
  slider_->setAccessibleName(QString::fromStdString(description_.label));
  spin_ = new ParameterSpinBox(description_, this);
  spin_->setFixedWidth(spin_->fontMetrics().horizontalAdvance(QString::fromLatin1(widest_value)) + spin_buttons);
  spin_->setObjectName("spin-" + QString::fromStdString(description_.name));
  spin_->setAccessibleName(QString::fromStdString(description_.label));
  spin_->setAccessibleDescription(tr("Takes units, too"));
  auto* row = static_cast<QHBoxLayout*>(layout());
  row->addWidget(slider_, 1);
  row->addWidget(spin_);
  connect(slider_, &QSlider::sliderPressed, this, &ParameterEditor::drag_started);
  connect(slider_, &QSlider::valueChanged, this,
          [this](int position) { emit edited(scale_->value(position), slider_->isSliderDown()); });
  connect(spin_, &QDoubleSpinBox::valueChanged, this,
          [this](double value) { emit edited(arch::nearest_allowed(description_, value), false); });
  connect(spin_, &ParameterSpinBox::explained, this, &ParameterEditor::explained);
}

void ParameterEditor::show_value(double value) {
  if (combo_ != nullptr) return combo_->setCurrentIndex(static_cast<int>(value));
  const QSignalBlocker slider_blocker(slider_), spin_blocker(spin_);
  // A slider under the hand stays where the hand is.
  if (!slider_->isSliderDown()) slider_->setValue(scale_->position(value));
  spin_->setValue(value);
}

}  // namespace convscope::ui
