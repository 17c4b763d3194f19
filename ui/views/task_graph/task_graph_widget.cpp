#include "ui/views/canvas_panel.h"
#include "ui/views/task_graph/task_graph_painter.h"

namespace convscope::ui {

QWidget* make_task_graph_widget(Workbench& workbench, QWidget* parent) {
  return new CanvasPanel(workbench, parent, make_task_graph_canvas);
}

}  // namespace convscope::ui
