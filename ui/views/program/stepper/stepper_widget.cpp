#include "ui/views/program/stepper/stepper_painter.h"
#include "ui/views/program/stepper/stepper_tools.h"

namespace convscope::ui {

QWidget* make_stepper_widget(ViewHost& host, QWidget* parent) {
  const auto prepare = [](const Snapshot& snapshot) { return make_stepper_canvas(snapshot, {}, nullptr, {}); };
  auto* panel = new CanvasPanel(host, parent, prepare);
  new StepperTools(*panel);
  return panel;
}

}  // namespace convscope::ui
