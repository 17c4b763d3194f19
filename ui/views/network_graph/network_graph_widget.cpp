#include <QComboBox>

#include "ui/views/canvas_panel.h"
#include "ui/views/network_graph/network_graph_painter.h"

namespace convscope::ui {

QWidget* make_network_graph_widget(Workbench& workbench, QWidget* parent) {
  const auto prepare = [cache = std::make_shared<NetworkDrawingCache>()](NetworkDetail detail) {
    return
        [cache, detail](const Snapshot& snapshot) { return make_network_graph_canvas(snapshot, detail, cache.get()); };
  };
  auto* panel = new CanvasPanel(workbench, parent, prepare(NetworkDetail::blocks), CanvasPanel::Shows::network);
  auto* detail = new QComboBox(panel);
  detail->setObjectName(QStringLiteral("network_detail"));
  detail->setAccessibleName(QStringLiteral("Detail"));
  detail->setToolTip(QStringLiteral("Blocks put a convolution and what follows it into one box"));
  detail->addItem(QStringLiteral("Blocks"));
  detail->addItem(QStringLiteral("All operators"));
  QObject::connect(detail, &QComboBox::currentIndexChanged, panel, [panel, prepare](int index) {
    panel->set_prepare(prepare(index == 0 ? NetworkDetail::blocks : NetworkDetail::operators));
  });
  panel->add_tool(detail);
  return panel;
}

}  // namespace convscope::ui
