#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/base/integers.h"
#include "ui/parts/drawing.h"
#include "ui/theme/range_colour.h"
#include "ui/views/network/network_graph/network_graph_frame.h"
#include "ui/words/difference_text.h"

namespace convscope::ui {

using namespace network_graph_look;

namespace {

/// Names that are paths differ at their ends.
void draw_name(QPainter& painter, const QRectF& box, const QString& text) {
  draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font()).elidedText(text, Qt::ElideMiddle, box.width()));
}

}  // namespace

QColor network_graph_look::mixed(const QColor& ground, const QColor& colour, double share) {
  const auto part = [share](double a, double b) { return static_cast<float>(a + (b - a) * share); };
  return QColor::fromRgbF(part(ground.redF(), colour.redF()), part(ground.greenF(), colour.greenF()),
                          part(ground.blueF(), colour.blueF()));
}

QRectF network_graph_look::sign_box(const QRectF& place, double zoom) {
  const double size = sign_units * zoom;
  return {place.right() - size - 3 * zoom, place.top() + 3 * zoom, size, size};
}

QColor NetworkGraphPainter::fill_of(int box, const Theme& theme) const {
  if (scene_.drawing().content().boxes[at(box)].layers.empty()) return theme.border;
  if (scene_.colour() == BoxColour::kind) return operator_colour(scene_.drawing().kind(box), theme);
  const auto cost = scene_.cost(box);
  return cost && scene_.range() ? range_colour(scene_.range()->share(*cost)) : theme.grid;
}
void NetworkGraphPainter::paint_boxes_from_afar(const Frame& frame) const {
  const QRectF& plot = frame.area;
  const auto width = static_cast<std::size_t>(std::ceil(plot.width())) + 2;
  const bool crowded = NetworkDrawing::box_height * frame.zoom < 1.5;
  std::vector<bool> taken(crowded ? width * (static_cast<std::size_t>(std::ceil(plot.height())) + 2) : 0);
  for (const int box : frame.boxes) {
    const QRectF place = visible_box(frame.placement.pixel(scene_.drawing().place(box)));
    if (crowded) {
      const auto x = static_cast<std::size_t>(std::clamp(place.left() - plot.left(), 0.0, plot.width()));
      const auto y = static_cast<std::size_t>(std::clamp(place.top() - plot.top(), 0.0, plot.height()));
      if (taken[y * width + x]) continue;
      taken[y * width + x] = true;
    }
    const QColor colour = fill_of(box, frame.theme);
    if (scene_.state(box) == BoxState::unmapped && place.height() >= 3) {
      frame.painter.fillRect(place, frame.theme.background);
      frame.painter.fillRect(place, QBrush(colour, Qt::BDiagPattern));
    } else {
      frame.painter.fillRect(place, colour);
    }
  }
}
void NetworkGraphPainter::paint_box(const Frame& frame, int box) const {
  QPainter& painter = frame.painter;
  const Theme& theme = frame.theme;
  const NetworkBox& content = scene_.drawing().content().boxes[at(box)];
  const QRectF place = frame.placement.pixel(scene_.drawing().place(box));
  const bool terminal = content.layers.empty(), by_kind = scene_.colour() == BoxColour::kind;
  const QColor kind = terminal ? theme.border : operator_colour(scene_.drawing().kind(box), theme);
  const bool hatched = scene_.state(box) == BoxState::unmapped;
  const QColor fill = hatched || (!by_kind && !scene_.cost(box)) ? theme.background
                      : by_kind || terminal                      ? mixed(theme.background, kind, 0.28)
                                                                 : fill_of(box, theme);
  const QColor outline = by_kind || terminal ? kind : mixed(theme.background, theme.text, 0.5);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(outline, 1));
  if (content.folded > 0) painter.drawRect(place.translated(4 * frame.zoom, 4 * frame.zoom));
  painter.fillRect(place, fill);
  const double band = std::max(1.0, stripe * frame.zoom);
  if (hatched) painter.fillRect(place, QBrush(mixed(theme.background, kind, 0.45), Qt::BDiagPattern));
  if (scene_.state(box) == BoxState::partly)
    painter.fillRect(QRectF(place.right() - 2 * band, place.top(), 2 * band, place.height()),
                     QBrush(kind, Qt::BDiagPattern));
  painter.fillRect(QRectF(place.left(), place.top(), band, place.height()), kind);
  painter.setPen(QPen(outline, 1, hatched ? Qt::DashLine : Qt::SolidLine));
  painter.drawRect(place);
  paint_utilization(frame, box, place);
  if (frame.has_texts()) {
    painter.setPen(hatched ? theme.text : theme.text_on(fill));
    paint_text(frame, box, place.adjusted(band + 5 * frame.zoom, 0, -4 * frame.zoom, 0));
  }
  paint_branch_sign(frame, box, place);
}
void NetworkGraphPainter::paint_utilization(const Frame& frame, int box, const QRectF& place) const {
  const BoxCosts& costs = scene_.costs(box);
  const double height = bar_units * frame.zoom;
  if (!costs.utilization || costs.macs == 0 || height < 2) return;
  const QRectF track(place.left() + stripe * frame.zoom + 1, place.bottom() - height,
                     place.width() - stripe * frame.zoom - 1, height);
  frame.painter.fillRect(track, frame.theme.background);
  frame.painter.fillRect(
      QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(*costs.utilization, 0.0, 1.0), height)),
      costs.stale ? QBrush(frame.theme.text, Qt::Dense4Pattern) : QBrush(frame.theme.text));
  frame.painter.setPen(QPen(frame.theme.border, 1));
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.drawRect(track);
}
void NetworkGraphPainter::paint_branch_sign(const Frame& frame, int box, const QRectF& place) const {
  const NetworkBox& content = scene_.drawing().content().boxes[at(box)];
  if (content.branch < 0 || sign_units * frame.zoom < 7) return;
  const QRectF sign = sign_box(place, frame.zoom);
  frame.painter.fillRect(sign, frame.theme.background);
  frame.painter.setPen(QPen(frame.theme.text, 1));
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.drawRect(sign);
  const QPointF middle = sign.center();
  const double half = sign.width() / 4;
  frame.painter.setPen(QPen(frame.theme.text, std::max(1.0, 1.6 * frame.zoom)));
  frame.painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0));
  if (content.folded > 0) frame.painter.drawLine(middle - QPointF(0, half), middle + QPointF(0, half));
}
void NetworkGraphPainter::paint_marks(const Frame& frame, int box) const {
  const bool found = found_.count(box) > 0;
  if (box != chosen_ && !found) return;
  const double least = frame.from_afar() ? 7 : 1;
  QRectF place = frame.placement.pixel(scene_.drawing().place(box));
  const double x = std::max(0.0, least - place.width()) / 2, y = std::max(0.0, least - place.height()) / 2;
  place.adjust(-x, -y, x, y);
  frame.painter.setBrush(Qt::NoBrush);
  if (found) {
    frame.painter.setPen(QPen(frame.theme.warning, frame.from_afar() ? 1 : 3, Qt::DashLine));
    frame.painter.drawRect(place.adjusted(-5, -5, 5, 5));
  }
  if (box != chosen_) return;
  frame.painter.setPen(QPen(frame.theme.selection, frame.from_afar() ? 2 : 3));
  frame.painter.drawRect(place.adjusted(-3, -3, 3, 3));
}
QRectF NetworkGraphPainter::without_difference(const Frame& frame, int box, const QRectF& line) const {
  const auto& difference = scene_.difference(box);
  if (!difference) return line;
  QPainter& painter = frame.painter;
  const QPen pen = painter.pen();
  const QFontMetricsF metrics(painter.font());
  QString text = difference_text(*difference);
  if (metrics.horizontalAdvance(text) > 0.6 * line.width()) text = difference_mark(*difference);
  const double width = metrics.horizontalAdvance(text) + 6;
  const QRectF plate(line.right() - width, line.top() + 0.5, width, line.height() - 1);
  painter.fillRect(plate, frame.theme.background);  // the box's own colour may be close to the verdict's
  painter.setPen(verdict_colour(frame.theme, difference->verdict));
  painter.drawText(plate, Qt::AlignCenter, text);
  painter.setPen(pen);
  return line.adjusted(0, 0, -width - 2, 0);
}
void NetworkGraphPainter::paint_text(const Frame& frame, int box, const QRectF& place) const {
  QPainter& painter = frame.painter;
  const NetworkBox& content = scene_.drawing().content().boxes[at(box)];
  const bool terminal = content.layers.empty();
  const bool all = text_pixels * frame.zoom >= all_lines_pixels;
  const int lines = terminal ? 2 : all ? 4 : 2;
  const double bar = terminal ? 0 : bar_units * frame.zoom;
  const double height = all ? line_pixels * frame.zoom : (place.height() - bar) / 2.2;
  const double pixels = all ? text_pixels * frame.zoom : std::min(text_pixels * 0.9, height * 0.8);
  if (pixels < two_lines_pixels) return;
  double top = place.center().y() - bar / 2 - height * lines / 2;
  const double sign = content.branch < 0 ? 0 : (sign_units + 4) * frame.zoom;
  const auto next = [&](double spare = 0) {
    const QRectF line(place.left(), top, place.width() - spare, height);
    top += height;
    return line;
  };
  const Qt::Alignment left = Qt::AlignLeft | Qt::AlignVCenter;
  QFont bold = with_pixel_size(frame.theme.label_font(), pixels);
  bold.setBold(true);
  painter.setFont(bold);
  draw_text(painter, next(sign), left, terminal ? scene_.title(box) : scene_.operators(box));
  painter.setFont(with_pixel_size(frame.theme.label_font(), pixels));
  if (terminal) return draw_text(painter, next(), left, scene_.shape(box));
  const QRectF name = next(sign);
  draw_name(painter, all ? name : without_difference(frame, box, name), scene_.title(box));
  if (!all) return;
  painter.setFont(with_pixel_size(frame.theme.data_font(), pixels));
  const QRectF shape = next();
  draw_text(painter, without_difference(frame, box, shape), left, scene_.shape(box));
  painter.setFont(with_pixel_size(frame.theme.label_font(), pixels));
  draw_text(painter, next(), left, scene_.figures(box));
}

}  // namespace convscope::ui
