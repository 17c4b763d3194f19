#pragma once
// What a program is run on to be looked at: the target's trace options as fields.

#include <QDialog>
#include <functional>
#include <vector>

#include "ui/views/program/stepper/stepper_trace.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace convscope::ui {

class StepperRunDialog : public QDialog {
 public:
  /// Goes when it is closed.
  StepperRunDialog(const std::vector<target::OptionDescription>& options, const TraceSettings& now, QWidget* parent);

  std::function<void(const TraceSettings&)> on_run;

 private:
  TraceSettings settings() const;
  void check();
  void run();

  std::vector<target::OptionDescription> options_;
  std::vector<QLineEdit*> fields_;
  QLabel* mistake_;
  QPushButton* run_ = nullptr;
};

}  // namespace convscope::ui
