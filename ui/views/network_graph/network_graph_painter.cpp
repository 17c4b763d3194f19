#include "ui/views/network_graph/network_graph_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/views/drawing.h"
#include "ui/views/message_painter.h"

namespace convscope::ui {
namespace {

constexpr double heading = 26, stripe = 6, text_pixels = 11, line_pixels = 15;
constexpr double all_lines_pixels = 7, two_lines_pixels = 6;  ///< smallest text that is still read
constexpr std::size_t most_flows = 4000;  ///< drawn at once; more would be a grey area that costs a frame

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

QColor mixed(const QColor& ground, const QColor& colour, double share) {
  const auto part = [share](double a, double b) { return static_cast<float>(a + (b - a) * share); };
  return QColor::fromRgbF(part(ground.redF(), colour.redF()), part(ground.greenF(), colour.greenF()),
                          part(ground.blueF(), colour.blueF()));
}

/// Through all points, upright at each of them.
QPainterPath smooth_path(const std::vector<QPointF>& points, const Placement& placement) {
  QPainterPath path(placement.pixel(points.front()));
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QPointF from = path.currentPosition(), to = placement.pixel(points[i]);
    const double pull = (to.y() - from.y()) * 0.55;
    if (std::abs(from.x() - to.x()) < 0.5) {
      path.lineTo(to);
    } else {
      path.cubicTo(from + QPointF(0, pull), to - QPointF(0, pull), to);
    }
  }
  return path;
}

/// Names that are paths differ at their ends.
void draw_name(QPainter& painter, const QRectF& box, const QString& text) {
  draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font()).elidedText(text, Qt::ElideMiddle, box.width()));
}

std::shared_ptr<const network::Network> network_of(const Snapshot& snapshot) {
  if (snapshot.network) return snapshot.network;
  const auto& run = snapshot.compiled ? snapshot.compiled : snapshot.previous;
  return run ? run->network : nullptr;
}

}  // namespace

struct NetworkGraphPainter::Frame {
  QPainter& painter;
  const Theme& theme;
  QRectF area;
  Placement placement;
  double zoom = 1;
  bool from_afar() const { return NetworkDrawing::box_height * zoom < 12; }
};

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
  artifact::Ref drawing;
  drawing.layer = 0;
  drawing.operation = reinterpret_cast<std::uintptr_t>(&scene_.drawing());
  return drawing;
}

double NetworkGraphPainter::initial_zoom(const QRectF& area) const {
  return std::clamp(area.width() / scene_.drawing().layout().size.width(), 0.65, 1.0);
}

QSizeF NetworkGraphPainter::preferred_size() const {
  constexpr double longest = 16000;
  const QSizeF size = scene_.drawing().layout().size;
  const double scale = std::min(1.0, longest / std::max(size.width(), size.height()));
  return {std::max(480.0, size.width() * scale), heading + size.height() * scale};
}

void NetworkGraphPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{painter, theme, area, placement(area)};
  if (frame.placement.plot.width() < 1 || frame.placement.plot.height() < 1) return;
  frame.zoom = frame.placement.scale.height();
  painter.save();
  painter.setClipRect(frame.placement.plot);
  paint_flows(frame);
  for (const int box : scene_.drawing().boxes_in(frame.placement.seen())) paint_box(frame, box);
  painter.restore();
  paint_legend(frame);
}

void NetworkGraphPainter::paint_flows(const Frame& frame) const {
  const QRectF seen = frame.placement.seen();
  const auto& flows = scene_.drawing().content().flows;
  std::vector<int> visible, chosen;
  for (int flow = 0; flow < static_cast<int>(flows.size()); ++flow) {
    const QRectF& reach = scene_.drawing().reach(flow);
    if (reach.top() > seen.bottom() || reach.bottom() < seen.top() || reach.left() > seen.right() ||
        reach.right() < seen.left())
      continue;
    const bool touches = chosen_ >= 0 && (flows[at(flow)].from == chosen_ || flows[at(flow)].to == chosen_);
    (touches ? chosen : visible).push_back(flow);
  }
  frame.painter.setBrush(Qt::NoBrush);
  const std::size_t stride = std::max<std::size_t>(1, (visible.size() + most_flows - 1) / most_flows);
  frame.painter.setRenderHint(QPainter::Antialiasing, !frame.from_afar());
  for (std::size_t i = 0; i < visible.size(); i += stride) paint_flow(frame, visible[i], false);
  frame.painter.setRenderHint(QPainter::Antialiasing, true);
  for (const int flow : chosen) paint_flow(frame, flow, true);
  frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

void NetworkGraphPainter::paint_flow(const Frame& frame, int flow, bool chosen) const {
  const auto& route = scene_.drawing().layout().routes[at(flow)];
  const QColor colour = chosen ? frame.theme.selection : mixed(frame.theme.background, frame.theme.muted_text, 0.7);
  frame.painter.setPen(QPen(colour, chosen ? 2.2 : frame.from_afar() ? 1 : 1.2));
  if (frame.from_afar() && !chosen) {
    std::vector<QPointF> pixels;
    for (const QPointF& point : route) pixels.push_back(frame.placement.pixel(point));
    frame.painter.drawPolyline(pixels.data(), static_cast<int>(pixels.size()));
    return;
  }
  frame.painter.drawPath(smooth_path(route, frame.placement));
  const QPointF to = frame.placement.pixel(route.back());
  const double size = std::clamp(6 * frame.zoom, 3.0, 8.0);
  frame.painter.drawLine(to, to + QPointF(-size / 2, -size));
  frame.painter.drawLine(to, to + QPointF(size / 2, -size));
}

void NetworkGraphPainter::paint_box(const Frame& frame, int box) const {
  QPainter& painter = frame.painter;
  const Theme& theme = frame.theme;
  const QRectF place = visible_box(frame.placement.pixel(scene_.drawing().place(box)));
  const bool terminal = scene_.drawing().content().boxes[at(box)].layers.empty();
  const QColor colour = terminal ? theme.border : operator_colour(scene_.drawing().kind(box), theme);
  const BoxState state = scene_.state(box);
  const bool hatched = state == BoxState::unmapped;
  const QColor tint = mixed(theme.background, colour, frame.from_afar() ? 1 : hatched ? 0 : 0.28);
  painter.fillRect(place, hatched ? theme.background : tint);
  const double band = std::max(1.0, stripe * frame.zoom);
  if (hatched) painter.fillRect(place, QBrush(mixed(theme.background, colour, 0.45), Qt::BDiagPattern));
  if (state == BoxState::partly)
    painter.fillRect(QRectF(place.right() - 2 * band, place.top(), 2 * band, place.height()),
                     QBrush(colour, Qt::BDiagPattern));
  painter.fillRect(QRectF(place.left(), place.top(), band, place.height()), colour);
  painter.setBrush(Qt::NoBrush);
  if (place.height() >= 4) {  // smaller ones would be all outline
    painter.setPen(QPen(colour, 1, hatched && !frame.from_afar() ? Qt::DashLine : Qt::SolidLine));
    painter.drawRect(place);
  }
  if (box == chosen_) {
    painter.setPen(QPen(theme.selection, 3));
    painter.drawRect(place.adjusted(-3, -3, 3, 3));
  }
  painter.setPen(hatched ? theme.text : theme.text_on(tint));
  paint_text(frame, box, place.adjusted(band + 5 * frame.zoom, 0, -4 * frame.zoom, 0));
}

void NetworkGraphPainter::paint_text(const Frame& frame, int box, const QRectF& place) const {
  QPainter& painter = frame.painter;
  const bool terminal = scene_.drawing().content().boxes[at(box)].layers.empty();
  const bool all = text_pixels * frame.zoom >= all_lines_pixels;
  const int lines = terminal ? 2 : all ? 4 : 2;
  const double height = all ? line_pixels * frame.zoom : place.height() / 2.2;
  const double pixels = all ? text_pixels * frame.zoom : std::min(text_pixels * 0.9, height * 0.8);
  if (pixels < two_lines_pixels) return;
  double top = place.center().y() - height * lines / 2;
  const auto next = [&] {
    const QRectF line(place.left(), top, place.width(), height);
    top += height;
    return line;
  };
  const Qt::Alignment left = Qt::AlignLeft | Qt::AlignVCenter;
  QFont bold = with_pixel_size(frame.theme.label_font(), pixels);
  bold.setBold(true);
  painter.setFont(bold);
  draw_text(painter, next(), left, terminal ? scene_.title(box) : scene_.operators(box));
  painter.setFont(with_pixel_size(frame.theme.label_font(), pixels));
  if (terminal) return draw_text(painter, next(), left, scene_.shape(box));
  draw_name(painter, next(), scene_.title(box));
  if (!all) return;
  painter.setFont(with_pixel_size(frame.theme.data_font(), pixels));
  draw_text(painter, next(), left, scene_.shape(box));
  painter.setFont(with_pixel_size(frame.theme.label_font(), pixels));
  draw_text(painter, next(), left, scene_.figures(box));
}

void NetworkGraphPainter::paint_legend(const Frame& frame) const {
  QPainter& painter = frame.painter;
  const Theme& theme = frame.theme;
  const QRectF strip(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  painter.fillRect(strip, theme.surface);
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = strip.left() + 8;
  const auto entry = [&](const QBrush& fill, const QColor& edge, const QString& name) {
    const double width = 15 + metrics.horizontalAdvance(name) + 14;
    if (x + width > strip.right()) return;
    const QRectF sample(x, strip.center().y() - 5, 10, 10);
    painter.fillRect(sample, theme.background);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(fill);
    painter.drawRect(sample);
    painter.setPen(theme.muted_text);
    painter.drawText(QRectF(x + 15, strip.top(), width, heading), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += width;
  };
  std::set<OperatorKind> present;
  bool any_unmapped = false;
  const auto& boxes = scene_.drawing().content().boxes;
  for (int box = 0; box < static_cast<int>(boxes.size()); ++box) {
    if (boxes[at(box)].layers.empty()) continue;
    present.insert(scene_.drawing().kind(box));
    any_unmapped = any_unmapped || scene_.state(box) == BoxState::unmapped || scene_.state(box) == BoxState::partly;
  }
  for (const OperatorKind kind : operator_kinds) {
    const QColor colour = operator_colour(kind, theme);
    if (present.count(kind) > 0) entry(colour, colour, operator_kind_name(kind));
  }
  if (any_unmapped) entry(QBrush(theme.muted_text, Qt::BDiagPattern), theme.muted_text, QStringLiteral("not mapped"));
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(strip.bottomLeft(), strip.bottomRight());
}

int NetworkGraphPainter::box_near(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  return placed.plot.contains(point) ? scene_.drawing().box_at(placed.content(point)) : -1;
}

std::optional<artifact::Ref> NetworkGraphPainter::hit(QPointF point, const QRectF& area) const {
  const int box = box_near(point, area);
  if (box < 0 || scene_.drawing().content().boxes[at(box)].main < 0) return std::nullopt;
  artifact::Ref ref;
  ref.layer = scene_.drawing().content().boxes[at(box)].main;
  return ref;
}

QString NetworkGraphPainter::reading(QPointF point, const QRectF& area) const {
  const int box = box_near(point, area);
  return box < 0 ? QString() : scene_.reading(box);
}

std::unique_ptr<CanvasPainter> make_network_graph_canvas(const Snapshot& snapshot, NetworkDetail detail,
                                                         NetworkDrawingCache* cache) {
  auto network = network_of(snapshot);
  if (!network || network->layers.empty())
    return std::make_unique<MessagePainter>(network ? QStringLiteral("This network has no layers.")
                                                    : missing_network_message(snapshot));
  auto drawing = cache ? cache->get(std::move(network), detail)
                       : std::make_shared<const NetworkDrawing>(std::move(network), detail);
  auto painter = std::make_unique<NetworkGraphPainter>(NetworkGraphScene(std::move(drawing), snapshot));
  painter->select(snapshot.selection);
  return painter;
}

std::unique_ptr<ViewPainter> make_network_graph_painter(const Snapshot& snapshot) {
  return make_network_graph_canvas(snapshot, NetworkDetail::blocks, nullptr);
}

}  // namespace convscope::ui
