#include <QComboBox>

#include "ui/views/canvas_panel.h"
#include "ui/views/schedule/schedule_painter.h"

namespace convscope::ui {

QWidget* make_schedule_widget(Workbench& workbench, QWidget* parent) {
  const auto prepare = [](ScheduleMode mode) {
    return [mode](const Snapshot& snapshot) { return make_schedule_canvas(snapshot, mode); };
  };
  auto* panel = new CanvasPanel(workbench, parent, prepare(ScheduleMode::steady_state));
  auto* mode = new QComboBox(panel);
  mode->setObjectName(QStringLiteral("schedule_mode"));
  mode->setAccessibleName(QStringLiteral("What is shown of the run"));
  // What repeats is what one wants to see first; the run's start is a long list of initial writes.
  mode->addItem(QStringLiteral("Steady state"));
  mode->addItem(QStringLiteral("Whole run"));
  QObject::connect(mode, &QComboBox::currentIndexChanged, panel, [panel, prepare](int index) {
    panel->set_prepare(prepare(index == 0 ? ScheduleMode::steady_state : ScheduleMode::unrolled));
  });
  panel->add_tool(mode);
  return panel;
}

}  // namespace convscope::ui
