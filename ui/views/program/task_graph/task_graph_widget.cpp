#include <QComboBox>

#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/canvas_search.h"
#include "ui/views/program/task_graph/task_graph_painter.h"

namespace convscope::ui {

QWidget* make_task_graph_widget(ViewHost& host, QWidget* parent) {
  const auto prepare = [](TaskColour colour) {
    return [colour](const Snapshot& snapshot) { return make_task_graph_canvas(snapshot, colour); };
  };
  auto* panel = new CanvasPanel(host, parent, prepare(TaskColour::kind), ComparedArtifact::task_graph);
  auto* colour = new QComboBox(panel);
  colour->setObjectName(QStringLiteral("task_colour"));
  colour->setAccessibleName(QStringLiteral("Colour"));
  colour->setToolTip(QStringLiteral("What colours the operations: their kind, when they are, how far they could move"));
  for (const char* name : {"Colour: Kind", "Colour: Cycle", "Colour: Criticality"})
    colour->addItem(QLatin1String(name));
  QObject::connect(colour, &QComboBox::currentIndexChanged, panel, [panel, prepare](int index) {
    constexpr TaskColour colours[] = {TaskColour::kind, TaskColour::cycle, TaskColour::criticality};
    panel->set_prepare(prepare(colours[index]));
  });
  panel->add_tool(colour);
  panel->add_tool(new CanvasSearch(*panel, QStringLiteral("task_search"), QStringLiteral("Search the operations")));
  return panel;
}

}  // namespace convscope::ui
