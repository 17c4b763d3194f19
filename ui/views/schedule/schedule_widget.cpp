#include <QComboBox>

#include "ui/views/canvas_panel.h"
#include "ui/views/schedule/schedule_painter.h"

namespace convscope::ui {

QWidget* make_schedule_widget(Workbench& workbench, QWidget* parent) {
  const auto prepare = [](ScheduleMode mode) {
    return [mode](const Snapshot& snapshot) { return make_schedule_canvas(snapshot, mode); };
  };
  auto* panel = new CanvasPanel(workbench, parent, prepare(ScheduleMode::unrolled));
  auto* mode = new QComboBox(panel);
  mode->setObjectName(QStringLiteral("schedule_mode"));
  mode->setAccessibleName(QStringLiteral("What is shown of the run"));
  mode->addItem(QStringLiteral("Whole run"));
  mode->addItem(QStringLiteral("Steady state"));
  QObject::connect(mode, &QComboBox::currentIndexChanged, panel, [panel, prepare](int index) {
    panel->set_prepare(prepare(index == 0 ? ScheduleMode::unrolled : ScheduleMode::steady_state));
  });
  panel->add_tool(mode);
  return panel;
}

}  // namespace convscope::ui
