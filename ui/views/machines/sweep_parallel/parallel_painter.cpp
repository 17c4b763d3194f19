#include "ui/views/machines/sweep_parallel/parallel_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr double brush_width = 14, tick_every = 34, reach_pixels = 7;
constexpr double file_ratio = 2;  ///< pixels of an image inside a vector file for a logical pixel

QString order_sign(const ParallelAxis& axis) {
  return axis.flipped ? QStringLiteral(" ↓") : QStringLiteral(" ↑");
}

/// The title in two lines: what, and in brackets unit and origin.
std::pair<QString, QString> title_lines(const ParallelAxis& axis) {
  const QString title = axis.scale.title();
  const qsizetype bracket = title.lastIndexOf(QStringLiteral(" ("));
  if (bracket < 0 || !title.endsWith(QChar(')'))) return {title, {}};
  return {title.left(bracket), title.mid(bracket + 2, title.size() - bracket - 3)};
}

}  // namespace

QRectF brush_box(const ParallelLayout& layout, const ParallelAxis& axis, double x, const BrushRange& brush) {
  // Ends beyond the axis, or without a place on it, are those of the axis.
  const auto height = [&](double value, double otherwise) {
    const auto share = axis.share_of(value);
    return layout.y(std::clamp(share.value_or(otherwise), -0.02, 1.02));
  };
  double a = height(brush.from, axis.flipped ? 1 : 0), b = height(brush.to, axis.flipped ? 0 : 1);
  if (axis.scale.kind() == PlotScale::Kind::named) {
    // Around the names, else a brush over one of them could not be seen.
    const double around = std::min(9.0, 0.35 * layout.box.height() / (axis.scale.last() - axis.scale.first()));
    (a < b ? a : b) -= around;
    (a < b ? b : a) += around;
  }
  return {x - brush_width / 2, std::min(a, b), brush_width, std::max(1.0, std::abs(a - b))};
}

ParallelLayout ParallelPainter::layout(const QRectF& area) const {
  return parallel_layout(area, scene().axes().size(), scene().axes_pointer()->has_gaps);
}

std::optional<std::size_t> ParallelPainter::row_at(QPointF pixel, const QRectF& area) const {
  const ParallelLayout layout = this->layout(area);
  if (!layout.lines.contains(pixel)) return std::nullopt;
  double part = 0;
  const std::size_t axis = layout.gap_at(pixel.x(), part);
  return scene().nearest(axis, part, layout.share(pixel.y()), reach_pixels / layout.box.height());
}

QString ParallelPainter::reading(QPointF point, const QRectF& area) const {
  if (point.y() < area.top() + parallel_heading) return heading_reading(scene().table());
  const ParallelLayout layout = this->layout(area);
  for (std::size_t i = 0; i < scene().axes().size(); ++i) {
    if (!layout.title(i).contains(point)) continue;
    return QStringLiteral("%1\nDrag sideways to move the axis, click to turn it over; drag on the axis to brush.")
        .arg(scene().axes()[i].scale.title());
  }
  const auto row = row_at(point, area);
  return row ? row_reading(scene().table(), *row) : QString();
}

void ParallelPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  const ParallelLayout layout = this->layout(area);
  if (area.width() < 120 || area.height() < parallel_heading + parallel_titles + 60 || layout.x.empty()) return;
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  paint_lines(painter, layout, theme);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_rows(painter, layout, theme);
  for (std::size_t i = 0; i < scene().axes().size(); ++i) paint_axis(painter, layout, i, theme);
  if (moving_) {
    painter.setPen(QPen(theme.selection, 2, Qt::DashLine));
    painter.drawLine(QPointF(moving_->pixel, layout.box.top() - parallel_titles),
                     QPointF(moving_->pixel, layout.box.bottom()));
  }
  paint_heading(painter, area, theme);
  painter.restore();
}

void ParallelPainter::paint_lines(QPainter& painter, const ParallelLayout& layout, const Theme& theme) const {
  auto drawn = picture() && picture()->theme == &theme ? picture() : nullptr;
  if (!drawn) drawn = draw_lines(scene_pointer(), layout, image_ratio(painter, file_ratio), theme);
  // One of another size or order stands in until the right one is there.
  if (!drawn->all.isNull()) painter.drawImage(layout.lines, drawn->all);
  if (!drawn->within.isNull()) painter.drawImage(layout.lines, drawn->within);
}

void ParallelPainter::paint_rows(QPainter& painter, const ParallelLayout& layout, const Theme& theme) const {
  struct Marked {
    std::size_t row;
    QString badge;
    QPen pen;
  };
  std::vector<Marked> marked;
  if (scene().open())
    marked.push_back({*scene().open(), QStringLiteral("open"), QPen(theme.selection, 2.2, Qt::DashLine)});
  for (std::size_t i = 0; i < scene().chosen().size(); ++i)
    if (const auto row = scene().chosen()[i]) marked.push_back({*row, QString::number(i + 1), QPen(theme.text, 2.2)});
  for (const Marked& each : marked) paint_row(painter, layout, each.row, each.pen, true, theme);
  if (cursor() && *cursor() < scene().table().rows())
    paint_row(painter, layout, *cursor(), QPen(theme.text, 2.2), false, theme);
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const Marked& each : marked) {
    const double end = static_cast<double>(scene().axes().back().shares[each.row]);
    QRectF box(layout.x.back() + 8, layout.y(end) - 8, metrics.horizontalAdvance(each.badge) + 8, 16);
    for (const QRectF& other : taken)
      if (box.intersects(other)) box.moveBottom(other.top() - 2);
    taken.push_back(box);
    painter.setPen(QPen(theme.background, 1));
    painter.setBrush(each.pen.color());
    painter.drawRect(box);
    painter.setPen(theme.text_on(each.pen.color()));
    draw_text(painter, box, Qt::AlignHCenter | Qt::AlignVCenter, each.badge);
  }
}

void ParallelPainter::paint_row(QPainter& painter, const ParallelLayout& layout, std::size_t row, const QPen& pen,
                                bool cased, const Theme& theme) const {
  QPolygonF line;
  for (std::size_t i = 0; i < scene().axes().size(); ++i)
    line << QPointF(layout.x[i], layout.y(static_cast<double>(scene().axes()[i].shares[row])));
  painter.setBrush(Qt::NoBrush);
  if (cased) {
    painter.setPen(QPen(theme.background, 5));
    painter.drawPolyline(line);
  }
  painter.setPen(pen);
  painter.drawPolyline(line);
  painter.setBrush(theme.background);
  painter.setPen(QPen(pen.color(), 1.6));
  for (const QPointF& corner : line) painter.drawEllipse(corner, 3.5, 3.5);
}

void ParallelPainter::paint_axis(QPainter& painter, const ParallelLayout& layout, std::size_t axis,
                                 const Theme& theme) const {
  const bool focused = focus_ == static_cast<int>(axis);
  painter.setPen(QPen(focused ? theme.selection : theme.text, focused ? 2.5 : 1.2));
  painter.drawLine(QPointF(layout.x[axis], layout.box.top()), QPointF(layout.x[axis], layout.box.bottom()));
  paint_brush(painter, layout, axis, theme);
  paint_ticks(painter, layout, axis, theme);
  paint_title(painter, layout, axis, theme);
}

void ParallelPainter::paint_ticks(QPainter& painter, const ParallelLayout& layout, std::size_t axis,
                                  const Theme& theme) const {
  const ParallelAxis& each = scene().axes()[axis];
  painter.setFont(with_pixel_size(theme.data_font(), 10));
  const QFontMetricsF metrics(painter.font());
  QColor ground = theme.background;
  ground.setAlphaF(0.72F);
  const auto label = [&](double y, const QString& text) {
    const double width = std::min(metrics.horizontalAdvance(text) + 4, std::max(8.0, layout.gap - 16));
    const QRectF box(layout.x[axis] - width - 7, y - 7, width, 14);
    painter.fillRect(box, ground);
    painter.setPen(theme.text);
    draw_text(painter, box.adjusted(2, 0, -2, 0), Qt::AlignRight | Qt::AlignVCenter, text);
  };
  const int most = std::max(1, static_cast<int>(layout.box.height() / tick_every));
  for (const PlotTick& tick : each.scale.ticks(each.scale.first(), each.scale.last(), most)) {
    const double y = layout.y(each.share(tick.place));
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(QPointF(layout.x[axis] - (tick.label.isEmpty() ? 2.5 : 4), y), QPointF(layout.x[axis], y));
    if (!tick.label.isEmpty()) label(y, tick.label);
  }
  if (each.has_gaps) label(layout.y(static_cast<double>(share_of_nothing)), QStringLiteral("none"));
}

void ParallelPainter::paint_title(QPainter& painter, const ParallelLayout& layout, std::size_t axis,
                                  const Theme& theme) const {
  const ParallelAxis& each = scene().axes()[axis];
  const QRectF box = layout.title(axis);
  const bool focused = focus_ == static_cast<int>(axis);
  const auto [name, unit] = title_lines(each);
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(focused ? theme.selection : theme.text);
  draw_text(painter, QRectF(box.topLeft(), QSizeF(box.width(), 16)), Qt::AlignHCenter | Qt::AlignVCenter,
            name + order_sign(each));
  painter.setFont(with_pixel_size(theme.label_font(), 10));
  painter.setPen(theme.muted_text);
  draw_text(painter, QRectF(box.left(), box.top() + 16, box.width(), 14), Qt::AlignHCenter | Qt::AlignVCenter, unit);
}

void ParallelPainter::paint_brush(QPainter& painter, const ParallelLayout& layout, std::size_t axis,
                                  const Theme& theme) const {
  const BrushRange* brush = scene().brush(axis);
  if (brush == nullptr) return;
  const QRectF box = brush_box(layout, scene().axes()[axis], layout.x[axis], *brush);
  QColor fill = theme.selection;
  fill.setAlphaF(0.3F);
  painter.setBrush(fill);
  painter.setPen(QPen(theme.selection, 1.4));
  painter.drawRect(box);
  for (const double y : {box.top(), box.bottom()})
    painter.fillRect(QRectF(box.left() - 2, y - 1.5, box.width() + 4, 3), theme.selection);
}

void ParallelPainter::paint_heading(QPainter& painter, const QRectF& area, const Theme& theme) const {
  QString said;
  if (scene().brushed()) said = QStringLiteral("%1 within brushes").arg(points_text(scene().within().size()));
  LegendLine line = draw_heading(painter, area, scene().table(), said, scene().colours(), theme);
  const auto entry = [&](const QPen& pen, const QString& name) {
    if (line.x + 24 + QFontMetricsF(painter.font()).horizontalAdvance(name) > line.box.right()) return;
    const double y = line.box.center().y();
    painter.setPen(pen);
    painter.drawLine(QPointF(line.x, y), QPointF(line.x + 18, y));
    line.x = draw_label(painter, line.box, line.x + 23, theme.muted_text, name);
  };
  const auto palette = scene().colours().palette(theme);
  const bool plain = scene().colours().kind() == ColourCoding::Kind::none;
  const auto colour = [&](bool front) { return QColor(palette[plain ? scene().colours().index(0, front) : 0]); };
  if (!scene().front().empty()) entry(QPen(colour(true), 3), QStringLiteral("on the front"));
  entry(QPen(colour(false), 1), QStringLiteral("dominated"));
  if (scene().brushed()) {
    QColor faint = theme.baseline;
    faint.setAlphaF(0.5F);
    entry(QPen(faint, 1), QStringLiteral("outside of brushes"));
  }
}

std::unique_ptr<ViewPainter> make_parallel_painter(const Snapshot& snapshot) {
  return make_sweep_painter<ParallelPainter>(snapshot, parallel_size);
}

}  // namespace convscope::ui
