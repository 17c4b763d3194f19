#include <QComboBox>

#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/canvas_search.h"
#include "ui/views/program/assembly/assembly_editor.h"
#include "ui/views/program/listing/program_painter.h"

namespace convscope::ui {

QWidget* make_program_widget(ViewHost& host, QWidget* parent) {
  auto* panel = new CanvasPanel(host, parent, make_program_canvas, ComparedArtifact::program);
  auto* mode = new QComboBox(panel);
  mode->setObjectName(QStringLiteral("program_mode"));
  mode->setAccessibleName(QStringLiteral("How the program is shown"));
  mode->addItem(QStringLiteral("Listing"));
  mode->addItem(QStringLiteral("Assembly text"));
  panel->add_tool(mode);
  auto* search = new CanvasSearch(*panel, QStringLiteral("program_search"), QStringLiteral("Search the program"));
  panel->add_tool(search);
  auto* editor = new AssemblyEditor(*panel);  // the panel's own
  QObject::connect(mode, &QComboBox::currentIndexChanged, editor, [editor, search](int index) {
    search->setVisible(index == 0);
    index == 0 ? editor->end() : editor->begin();
  });
  return panel;
}

}  // namespace convscope::ui
