#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/canvas_search.h"
#include "ui/views/program/listing/program_painter.h"

namespace convscope::ui {

QWidget* make_program_widget(ViewHost& host, QWidget* parent) {
  auto* panel = new CanvasPanel(host, parent, make_program_canvas, ComparedArtifact::program);
  panel->add_tool(new CanvasSearch(*panel, QStringLiteral("program_search"), QStringLiteral("Search the program")));
  return panel;
}

}  // namespace convscope::ui
