#include "ui/views/network/network_graph/network_graph_painter.h"

#include <QPainter>
#include <algorithm>

#include "core/base/integers.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/views/network/network_graph/network_graph_frame.h"

namespace convscope::ui {

using namespace network_graph_look;

std::shared_ptr<const network::Network> network_of(const Snapshot& snapshot) {
  if (snapshot.network) return snapshot.network;
  const auto& run = snapshot.compiled ? snapshot.compiled : snapshot.previous;
  return run ? run->network : nullptr;
}

CanvasGeometry NetworkGraphPainter::geometry(const QRectF& area) const {
  CanvasGeometry geometry{area.adjusted(0, heading, 0, 0), scene_.drawing().layout().size, QSizeF(1, 1), true, true, 3};
  // What is narrower than its area stands in the middle of it.
  const double zoom = viewport().fit ? geometry.fit_zoom() : viewport().zoom;
  const double spare = geometry.plot.width() - zoom * geometry.content.width();
  if (spare > 0) geometry.plot.setLeft(geometry.plot.left() + spare / 2);
  return geometry;
}

void NetworkGraphPainter::select(const artifact::Ref& selection) {
  CanvasPainter::select(selection);
  chosen_ = scene_.drawing().box_of(selection.layer);
}

std::optional<QRectF> NetworkGraphPainter::place_of(const artifact::Ref& ref) const {
  const int box = scene_.drawing().box_of(ref.layer);
  if (box < 0) return std::nullopt;
  return scene_.drawing().place(box).adjusted(-12, -12, 12, 12);
}

artifact::Ref NetworkGraphPainter::subject() const {
  artifact::Ref network;
  network.layer = 0;
  network.operation = reinterpret_cast<std::uintptr_t>(&scene_.drawing().network());
  return network;
}

double NetworkGraphPainter::initial_zoom(const QRectF& area) const {
  return std::clamp(area.width() / scene_.drawing().layout().size.width(), 0.65, 1.0);
}

Viewport NetworkGraphPainter::viewport_after(const CanvasPainter& before, const QRectF& area) const {
  const auto* other = dynamic_cast<const NetworkGraphPainter*>(&before);
  if (!other || &other->scene().drawing() == &scene_.drawing() || before.viewport().fit) return before.viewport();
  const NetworkDrawing& old = other->scene().drawing();
  const Placement placed = place(other->geometry(area), other->viewport());
  int held = other->chosen();
  if (held < 0 || !placed.seen().intersects(old.place(held))) held = old.box_near(placed.seen().center());
  const int layer = held < 0 ? -1 : old.content().boxes[at(held)].main;
  const int now = scene_.drawing().box_of(layer);
  if (now < 0) return before.viewport();
  const QPointF pixel = placed.pixel(old.place(held).center());
  NetworkGraphPainter probe(*this);
  probe.set_viewport({false, before.viewport().zoom, {}});
  const Placement after = place(probe.geometry(area), probe.viewport());
  const QPointF origin =
      scene_.drawing().place(now).center() - QPointF((pixel.x() - after.plot.left()) / after.scale.width(),
                                                     (pixel.y() - after.plot.top()) / after.scale.height());
  probe.set_viewport({false, before.viewport().zoom, origin});
  return {false, before.viewport().zoom, place(probe.geometry(area), probe.viewport()).origin};
}

std::vector<CanvasMatch> NetworkGraphPainter::search(const QString& text) {
  const std::vector<int> boxes = scene_.search(text);
  found_ = {boxes.begin(), boxes.end()};
  std::vector<CanvasMatch> matches;
  for (const int box : boxes) {
    artifact::Ref ref;
    ref.layer = scene_.drawing().content().boxes[at(box)].main;
    if (ref.layer >= 0) matches.push_back({scene_.drawing().place(box).adjusted(-12, -12, 12, 12), ref});
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const CanvasMatch& a, const CanvasMatch& b) { return a.place.top() < b.place.top(); });
  return matches;
}

QSizeF NetworkGraphPainter::preferred_size() const {
  constexpr double longest = 16000;
  const QSizeF size = scene_.drawing().layout().size;
  const double scale = std::min(1.0, longest / std::max(size.width(), size.height()));
  return {std::max(480.0, size.width() * scale), heading + size.height() * scale};
}

void NetworkGraphPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{{painter, theme, area, placement(area)}};
  if (frame.empty()) return;
  QRectF seen = frame.placement.seen();
  // Marks of a pixel reach out of their boxes.
  seen.adjust(-1 / frame.zoom, -1 / frame.zoom, 1 / frame.zoom, 1 / frame.zoom);
  frame.boxes = scene_.drawing().boxes_in(seen);
  painter.save();
  painter.setClipRect(area.adjusted(0, heading, 0, 0));
  paint_flows(frame);
  if (frame.from_afar()) {
    paint_boxes_from_afar(frame);
  } else {
    for (const int box : frame.boxes) paint_box(frame, box);
  }
  paint_chosen_flows(frame);
  for (const int box : frame.boxes) paint_marks(frame, box);
  painter.restore();
  paint_legend(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

void NetworkGraphPainter::paint_overview(QPainter& painter, const QRectF& box, const Theme& theme) const {
  const QSizeF content = scene_.drawing().layout().size;
  const double x = box.width() / content.width(), y = box.height() / content.height();
  for (int i = 0; i < static_cast<int>(scene_.drawing().content().boxes.size()); ++i) {
    const QRectF place = scene_.drawing().place(i);
    painter.fillRect(visible_box({box.left() + place.left() * x, box.top() + place.top() * y, place.width() * x,
                                  place.height() * y}),
                     fill_of(i, theme));
  }
}

int NetworkGraphPainter::box_near(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  return placed.plot.contains(point) ? scene_.drawing().box_at(placed.content(point)) : -1;
}

int NetworkGraphPainter::branch_at(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  const int box = box_near(point, area);
  if (box < 0 || sign_units * placed.scale.height() < 7) return -1;
  const QRectF sign = sign_box(placed.pixel(scene_.drawing().place(box)), placed.scale.height());
  return sign.contains(point) ? scene_.drawing().content().boxes[at(box)].branch : -1;
}

std::optional<artifact::Ref> NetworkGraphPainter::hit(QPointF point, const QRectF& area) const {
  const int box = box_near(point, area);
  if (box < 0 || scene_.drawing().content().boxes[at(box)].main < 0) return std::nullopt;
  artifact::Ref ref;
  ref.layer = scene_.drawing().content().boxes[at(box)].main;
  return ref;
}

QString NetworkGraphPainter::reading(QPointF point, const QRectF& area) const {
  if (const int branch = branch_at(point, area); branch >= 0) {
    const bool folded = scene_.drawing().content().boxes[at(box_near(point, area))].folded > 0;
    return folded ? QStringLiteral("Unfold this branch (Space)")
                  : QStringLiteral("Fold the branch that ends here (Space)");
  }
  const int box = box_near(point, area);
  return box < 0 ? QString() : scene_.reading(box);
}

std::unique_ptr<CanvasPainter> make_network_graph_canvas(const Snapshot& snapshot,
                                                         std::shared_ptr<const NetworkDrawing> drawing,
                                                         BoxColour colour) {
  if (!drawing || drawing->network().layers.empty())
    return std::make_unique<MessagePainter>(drawing ? QStringLiteral("This network has no layers.")
                                                    : missing_network_message(snapshot));
  auto painter = std::make_unique<NetworkGraphPainter>(NetworkGraphScene(std::move(drawing), snapshot, colour));
  painter->select(snapshot.selection);
  painter->set_stale(painter->scene().any_stale());
  return painter;
}

std::unique_ptr<CanvasPainter> make_network_graph_canvas(const Snapshot& snapshot, NetworkDetail detail) {
  auto network = network_of(snapshot);
  return make_network_graph_canvas(
      snapshot, network ? std::make_shared<const NetworkDrawing>(std::move(network), detail) : nullptr);
}

std::unique_ptr<ViewPainter> make_network_graph_painter(const Snapshot& snapshot) {
  return make_network_graph_canvas(snapshot, NetworkDetail::blocks);
}

}  // namespace convscope::ui
