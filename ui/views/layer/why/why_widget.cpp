#include <QKeyEvent>
#include <algorithm>

#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/layer/why/why_painter.h"

namespace convscope::ui {
namespace {

/// A cycle on or back; from none, the loop's first.
std::optional<artifact::Ref> moved(const WhyScene& scene, std::int64_t now, int by) {
  if (scene.cycles == 0) return std::nullopt;
  artifact::Ref ref = scene.subject;
  ref.cycle = now < 0 ? scene.first : std::clamp<std::int64_t>(now + by, 0, scene.cycles - 1);
  return ref;
}

std::optional<artifact::Ref> wanted(const QKeyEvent& event, const WhyPainter& painter, std::int64_t cycle) {
  const bool shift = event.modifiers() == Qt::ShiftModifier;
  if (!shift && event.modifiers() != Qt::NoModifier) return std::nullopt;
  switch (event.key()) {
    case Qt::Key_Period:
      return moved(painter.scene(), cycle, 1);
    case Qt::Key_Comma:
      return moved(painter.scene(), cycle, -1);
    case Qt::Key_Down:
      return shift ? painter.next_operation(1) : std::nullopt;
    case Qt::Key_Up:
      return shift ? painter.next_operation(-1) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

QWidget* make_why_widget(ViewHost& host, QWidget* parent) {
  const auto prepare = [shelf = std::make_shared<WhyShelf>()](const Snapshot& snapshot) {
    return make_why_canvas(snapshot, *shelf);
  };
  auto* panel = new CanvasPanel(host, parent, CanvasPanel::Prepare(prepare));
  on_change(host, panel, Change::sensitivity, [panel, prepare] { panel->set_prepare(CanvasPanel::Prepare(prepare)); });
  panel->canvas().on_key = [panel](const QKeyEvent& event) {
    const auto* painter = dynamic_cast<const WhyPainter*>(panel->canvas().painter());
    const std::int64_t cycle = panel->host().snapshot().selection.cycle;  // the picture may be of one before
    const auto ref = painter == nullptr ? std::nullopt : wanted(event, *painter, cycle);
    if (ref) panel->host().select(*ref);
    return ref.has_value();
  };
  return panel;
}

}  // namespace convscope::ui
