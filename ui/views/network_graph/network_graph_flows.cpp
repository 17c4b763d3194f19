#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/views/drawing.h"
#include "ui/views/network_graph/network_graph_frame.h"

namespace convscope::ui {

using namespace network_graph_look;

namespace {

void add_to(QPainterPath& path, const FlowStretch& stretch, const Placement& placement) {
  const QPointF from = placement.pixel(stretch.from);
  if (path.currentPosition() != from || path.elementCount() == 0) path.moveTo(from);
  if (stretch.straight) {
    path.lineTo(placement.pixel(stretch.to));
  } else {
    path.cubicTo(placement.pixel(stretch.bend_from), placement.pixel(stretch.bend_to), placement.pixel(stretch.to));
  }
}

void add_arrow(QPainterPath& path, QPointF to, double zoom) {
  const double size = std::clamp(6 * zoom, 3.0, 8.0);
  path.moveTo(to + QPointF(-size / 2, -size));
  path.lineTo(to);
  path.lineTo(to + QPointF(size / 2, -size));
}

}  // namespace

void NetworkGraphPainter::paint_flows(const Frame& frame) const {
  const std::vector<int> stretches = scene_.drawing().stretches_in(frame.placement.seen());
  const QColor colour = mixed(frame.theme.background, frame.theme.muted_text, 0.7);
  frame.painter.setBrush(Qt::NoBrush);
  if (stretches.size() <= scaled_limit(most_curves, frame.area) && !frame.from_afar()) {
    QPainterPath path;
    for (const int index : stretches) {
      const FlowStretch& stretch = scene_.drawing().stretch(index);
      add_to(path, stretch, frame.placement);
      if (stretch.last) add_arrow(path, frame.placement.pixel(stretch.to), frame.zoom);
    }
    frame.painter.setRenderHint(QPainter::Antialiasing, true);
    frame.painter.setPen(QPen(colour, 1.2));
    frame.painter.drawPath(path);
    frame.painter.setRenderHint(QPainter::Antialiasing, false);
    return;
  }
  std::vector<QLineF> lines;
  lines.reserve(stretches.size());
  for (const int index : stretches) {
    const FlowStretch& stretch = scene_.drawing().stretch(index);
    const QLineF line(frame.placement.pixel(stretch.from), frame.placement.pixel(stretch.to));
    // Shorter ones lie between marks that touch.
    if (std::abs(line.dx()) + std::abs(line.dy()) >= 1) lines.push_back(line);
  }
  frame.painter.setPen(QPen(colour, 0));
  frame.painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}
void NetworkGraphPainter::paint_chosen_flows(const Frame& frame) const {
  if (chosen_ < 0) return;
  const QRectF seen = frame.placement.seen();
  QPainterPath path;
  std::size_t drawn = 0;
  for (const int index : scene_.drawing().stretches_of(chosen_)) {
    const FlowStretch& stretch = scene_.drawing().stretch(index);
    const double top = std::min(stretch.from.y(), stretch.to.y()), bottom = std::max(stretch.from.y(), stretch.to.y());
    if (bottom < seen.top() || top > seen.bottom() || ++drawn > most_curves) continue;
    add_to(path, stretch, frame.placement);
    if (stretch.last && !frame.from_afar()) add_arrow(path, frame.placement.pixel(stretch.to), frame.zoom);
  }
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setRenderHint(QPainter::Antialiasing, true);
  frame.painter.setPen(QPen(frame.theme.selection, frame.from_afar() ? 1.4 : 2.2));
  frame.painter.drawPath(path);
  frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace convscope::ui
