#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ui/parts/drawing.h"
#include "ui/views/network/network_graph/network_graph_frame.h"

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

/// Bends lie between the ends in height, and no further out than the ends in width.
QRectF reach_of(const FlowStretch& stretch, const Placement& placement) {
  return QRectF(placement.pixel(stretch.from), placement.pixel(stretch.to)).normalized().adjusted(0, 0, 1, 1);
}

/// Lines whose ends fall on the same two pairs of pixels, told apart no more: the first is enough.
class DrawnLines {
 public:
  explicit DrawnLines(std::size_t most) {
    std::size_t size = 16;
    while (size < 2 * most) size *= 2;
    keys_.assign(size, 0);
  }

  bool add(QPointF from, QPointF to) {
    const std::uint64_t key = (half(from.x()) << 48) | (half(from.y()) << 32) | (half(to.x()) << 16) | half(to.y()) | 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15U >> 20) & (keys_.size() - 1);
    while (keys_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & (keys_.size() - 1);
    if (keys_[slot] == key) return false;
    keys_[slot] = key;
    return true;
  }

 private:
  /// In steps of two pixels, which 16 bits hold wherever something is seen.
  static std::uint64_t half(double pixel) {
    return static_cast<std::uint64_t>(std::clamp(pixel / 2 + 20000, 0.0, 65535.0));
  }

  std::vector<std::uint64_t> keys_;  ///< 0: free; a key is odd
};

/// A curve as a few lines; what is shorter than a pixel lies between marks that touch.
void add_lines(std::vector<QLineF>& lines, const FlowStretch& stretch, const Placement& placement) {
  const QPointF from = placement.pixel(stretch.from), to = placement.pixel(stretch.to);
  const double length = (to - from).manhattanLength();
  if (length < 1) return;
  const int parts = stretch.straight ? 1 : static_cast<int>(std::clamp(length / 24, 1.0, 12.0));
  const QPointF bend_from = placement.pixel(stretch.bend_from), bend_to = placement.pixel(stretch.bend_to);
  QPointF last = from;
  for (int i = 1; i <= parts; ++i) {
    const double t = static_cast<double>(i) / parts, u = 1 - t;
    const QPointF next = u * u * u * from + 3 * u * u * t * bend_from + 3 * u * t * t * bend_to + t * t * t * to;
    lines.emplace_back(last, next);
    last = next;
  }
}

}  // namespace

void NetworkGraphPainter::paint_flows(const Frame& frame) const {
  const std::vector<int> stretches = scene_.drawing().stretches_in(frame.placement.seen());
  const QColor colour = mixed(frame.theme.background, frame.theme.muted_text, 0.7);
  if (!frame.from_afar() && affordable_as_curves(frame, stretches)) {
    paint_curves(frame, stretches, QPen(colour, 1.2));
  } else {
    paint_lines(frame, stretches, QPen(colour, 0));
  }
}

void NetworkGraphPainter::paint_chosen_flows(const Frame& frame) const {
  if (chosen_ < 0) return;
  const QRectF seen = frame.placement.seen();
  std::vector<int> stretches;
  for (const int index : scene_.drawing().stretches_of(chosen_)) {
    const FlowStretch& stretch = scene_.drawing().stretch(index);
    const double top = std::min(stretch.from.y(), stretch.to.y()), bottom = std::max(stretch.from.y(), stretch.to.y());
    if (bottom >= seen.top() && top <= seen.bottom()) stretches.push_back(index);
  }
  const QPen pen(frame.theme.selection, frame.from_afar() ? 1.4 : 2.2);
  affordable_as_curves(frame, stretches) ? paint_curves(frame, stretches, pen) : paint_lines(frame, stretches, pen);
}

/// What smooth curves cost grows with their number and with the pixels that they pass.
bool NetworkGraphPainter::affordable_as_curves(const Frame& frame, const std::vector<int>& stretches) const {
  if (stretches.size() > scaled_limit(most_curves, frame.area)) return false;
  std::size_t pixels = 0;
  for (const int index : stretches) {
    const QRectF reach = reach_of(scene_.drawing().stretch(index), frame.placement);
    if (reach.width() > longest_curve || reach.height() > longest_curve) return false;
    const QRectF seen = reach.intersected(frame.area);
    pixels += static_cast<std::size_t>(seen.width() + seen.height());
  }
  return pixels <= scaled_limit(most_curve_pixels, frame.area);
}

void NetworkGraphPainter::paint_curves(const Frame& frame, const std::vector<int>& stretches, const QPen& pen) const {
  QPainterPath path;
  for (const int index : stretches) {
    const FlowStretch& stretch = scene_.drawing().stretch(index);
    add_to(path, stretch, frame.placement);
    if (stretch.last && !frame.from_afar()) add_arrow(path, frame.placement.pixel(stretch.to), frame.zoom);
  }
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setPen(pen);
  frame.painter.setRenderHint(QPainter::Antialiasing, true);
  frame.painter.drawPath(path);
  frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

void NetworkGraphPainter::paint_lines(const Frame& frame, const std::vector<int>& stretches, const QPen& pen) const {
  std::vector<QLineF> lines;
  lines.reserve(stretches.size());
  if (stretches.size() <= scaled_limit(most_single_lines, frame.area)) {
    for (const int index : stretches) add_lines(lines, scene_.drawing().stretch(index), frame.placement);
  } else {
    DrawnLines drawn(stretches.size());
    for (const int index : stretches) {
      const FlowStretch& stretch = scene_.drawing().stretch(index);
      const QPointF from = frame.placement.pixel(stretch.from), to = frame.placement.pixel(stretch.to);
      if ((to - from).manhattanLength() >= 1 && drawn.add(from, to)) lines.emplace_back(from, to);
    }
  }
  // A grey area beyond that, which costs a frame and tells nothing more with every line.
  const std::size_t stride = lines.size() / scaled_limit(most_drawn_lines, frame.area) + 1;
  for (std::size_t i = 0; stride > 1 && i * stride < lines.size(); ++i) lines[i] = lines[i * stride];
  lines.resize((lines.size() + stride - 1) / stride);
  frame.painter.setPen(pen);
  frame.painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

}  // namespace convscope::ui
