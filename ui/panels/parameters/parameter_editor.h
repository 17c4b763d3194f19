#pragma once
// The widgets that edit one parameter: a slider with a spin box, or a combo box for choices.

#include <QDoubleSpinBox>
#include <QWidget>
#include <memory>

#include "core/arch/parameters.h"
#include "ui/panels/parameters/slider_scale.h"

class QComboBox;
class QSlider;

namespace convscope::ui {

/// A spin box over a parameter's range; powers of two step by doubling. Takes values with any unit of the same sort.
class ParameterSpinBox : public QDoubleSpinBox {
  Q_OBJECT
 public:
  ParameterSpinBox(const arch::ParameterDescription& description, QWidget* parent);
  void stepBy(int steps) override;
  QValidator::State validate(QString& text, int& position) const override;
  /// Changes nothing: "1,5" is no number, and not to be taken for 15.
  void fixup(QString& text) const override;
  double valueFromText(const QString& text) const override;
  QString textFromValue(double value) const override;

 signals:
  /// What was typed is not taken as it is, or is again (empty).
  void explained(const QString& problem);

 protected:
  /// The wheel scrolls the panel unless the box has the focus.
  void wheelEvent(QWheelEvent* event) override;

 private:
  void explain();

  arch::ParameterDescription description_;
  QString typed_;  // since the last value was taken
};

class ParameterEditor : public QWidget {
  Q_OBJECT
 public:
  ParameterEditor(const arch::ParameterDescription& description, QWidget* parent);

  /// Shows a value without telling anyone.
  void show_value(double value);

 signals:
  void drag_started();
  /// An allowed value; `dragged` while the slider is held down.
  void edited(double value, bool dragged);
  /// Why a typed text is not taken as it is, or empty.
  void explained(const QString& problem);

 private:
  void build_choices();
  void build_slider();

  arch::ParameterDescription description_;
  std::unique_ptr<SliderScale> scale_;
  QSlider* slider_ = nullptr;
  ParameterSpinBox* spin_ = nullptr;
  QComboBox* combo_ = nullptr;
};

}  // namespace convscope::ui
