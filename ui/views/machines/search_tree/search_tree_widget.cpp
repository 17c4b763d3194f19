#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/canvas_search.h"
#include "ui/views/machines/search_tree/search_tree_painter.h"

namespace convscope::ui {

QWidget* make_search_tree_widget(ViewHost& host, QWidget* parent) {
  auto* panel = new CanvasPanel(host, parent, make_search_tree_canvas, CanvasPanel::Shows::program);
  panel->add_tool(new CanvasSearch(*panel, QStringLiteral("search_tree_search"), QStringLiteral("Search the values")));
  return panel;
}

}  // namespace convscope::ui
