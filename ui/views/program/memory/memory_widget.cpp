#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/program/memory/memory_painter.h"

namespace convscope::ui {

QWidget* make_memory_widget(ViewHost& host, QWidget* parent) {
  return new CanvasPanel(host, parent, make_memory_canvas, ComparedArtifact::memory);
}

}  // namespace convscope::ui
