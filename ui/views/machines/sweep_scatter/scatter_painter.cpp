#include "ui/views/machines/sweep_scatter/scatter_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/views/machines/sweep_plot/plot_axes.h"

namespace convscope::ui {
namespace {

constexpr double heading_height = 44, axis_strip = 44, right_margin = 14;
constexpr double title_strip = 36;  ///< left of the labels of the vertical axis
constexpr double reach = 10;        ///< pixels from which a point is found
constexpr std::size_t most_vector_marks = 3000;
constexpr double file_ratio = 3;  ///< pixels of an image inside a vector file for a logical pixel

/// A level or upright line, cut to a box.
void draw_cut(QPainter& painter, QPointF a, QPointF b, const QRectF& box) {
  if (std::max(a.x(), b.x()) < box.left() || std::min(a.x(), b.x()) > box.right()) return;
  if (std::max(a.y(), b.y()) < box.top() || std::min(a.y(), b.y()) > box.bottom()) return;
  const auto inside = [&](QPointF point) {
    return QPointF(std::clamp(point.x(), box.left(), box.right()), std::clamp(point.y(), box.top(), box.bottom()));
  };
  painter.drawLine(inside(a), inside(b));
}

void draw_ring(QPainter& painter, QPointF at, double radius, const QColor& colour, const Theme& theme) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.background, 4));
  painter.drawEllipse(at, radius, radius);
  painter.setPen(QPen(colour, 2));
  painter.drawEllipse(at, radius, radius);
}

/// A few letters on a ground of their own, above and to the right of a point, turned inwards near the edges.
void draw_badge(QPainter& painter, QPointF at, const QString& text, const QColor& ground, const Theme& theme,
                const QRectF& box) {
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 8;
  QRectF badge(at + QPointF(7, -23), QSizeF(width, 16));
  if (badge.right() > box.right()) badge.moveRight(at.x() - 7);
  if (badge.top() < box.top()) badge.moveTop(at.y() + 8);
  painter.setPen(QPen(theme.background, 1));
  painter.setBrush(ground);
  painter.drawRect(badge);
  painter.setPen(theme.text_on(ground));
  draw_text(painter, badge, Qt::AlignHCenter | Qt::AlignVCenter, text);
}

}  // namespace

PlotArea ScatterPainter::plot(const QRectF& area) const {
  const QRectF seen = window();
  const double labels = label_width(scene().y(), seen.top(), seen.bottom(), light_theme());
  const double left = std::ceil(title_strip + labels);
  const QRectF box = area.adjusted(left, heading_height, -right_margin, -axis_strip);
  return {QRectF(box.topLeft(), QSizeF(std::max(1.0, box.width()), std::max(1.0, box.height()))), seen};
}

std::optional<std::size_t> ScatterPainter::point_at(QPointF pixel, const QRectF& area) const {
  const PlotArea plot = this->plot(area);
  if (!plot.pixels.adjusted(-reach, -reach, reach, reach).contains(pixel)) return std::nullopt;
  return scene().nearest(plot.place(pixel), plot.pixels_per_unit(), reach);
}

QString ScatterPainter::reading(QPointF point, const QRectF& area) const {
  if (point.y() < area.top() + heading_height) return heading_reading(scene().table());
  const auto found = point_at(point, area);
  return found ? scene().reading(*found) : QString();
}

void ScatterPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  const PlotArea plot = this->plot(area);
  if (plot.pixels.width() < 40 || plot.pixels.height() < 40) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, is_vector(painter));
  painter.setRenderHint(QPainter::Antialiasing, false);
  paint_grid(painter, plot, scene().x(), scene().y(), theme);
  paint_horizontal_axis(painter, plot, scene().x(), axis_title(scene().x(), scene().x_column()), axis_strip, theme);
  paint_vertical_axis(painter, plot, scene().y(), axis_title(scene().y(), scene().y_column()),
                      plot.pixels.left() - area.left() - 4, theme);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_front_line(painter, plot, theme);
  paint_points(painter, plot, theme);
  paint_marks(painter, plot, theme);
  paint_heading(painter, area, theme);
  painter.restore();
}

void ScatterPainter::paint_points(QPainter& painter, const PlotArea& plot, const Theme& theme) const {
  if (is_vector(painter) && scene().points().size() <= most_vector_marks) return paint_vectors(painter, plot, theme);
  const double ratio = image_ratio(painter, file_ratio);
  auto drawn = picture() && picture()->resembles(scene(), theme) ? picture() : nullptr;
  if (!drawn) drawn = draw_points(scene_pointer(), plot.window, plot.pixels.size(), ratio, theme);
  if (drawn->window == plot.window && drawn->size == plot.pixels.size()) {
    painter.drawImage(plot.pixels, drawn->image);
    return;
  }
  // A picture of another stretch stands in until the right one is there: only in the window, where clipping works.
  painter.save();
  painter.setClipRect(plot.pixels);
  painter.drawImage(plot.pixel(drawn->window), drawn->image);
  painter.restore();
}

void ScatterPainter::paint_vectors(QPainter& painter, const PlotArea& plot, const Theme& theme) const {
  const auto palette = scene().colours().palette(theme);
  for (const ScatterPoint& point : scene().points()) {
    const QPointF at = plot.pixel(QPointF(point.x, point.y));
    if (!plot.pixels.contains(at)) continue;
    QColor colour(point_colour(point, palette, theme));
    colour.setAlpha(static_cast<int>(255 * point_opacity(scene().points().size(), point.rank)));
    painter.setBrush(colour);
    painter.setPen(point.rank == PointRank::front ? QPen(theme.text, front_edge) : QPen(Qt::NoPen));
    painter.drawPath(mark_path(point_shape(point), at, point_radius(scene(), point)));
  }
}

QPen ScatterPainter::front_pen(const Theme& theme) const {
  const Origin origin = weaker(scene().x_column().origin, scene().y_column().origin);
  return {theme.text, 1.4, theme.line_style(origin)};
}

void ScatterPainter::paint_front_line(QPainter& painter, const PlotArea& plot, const Theme& theme) const {
  painter.setPen(front_pen(theme));
  const auto& corners = scene().front_line();
  for (std::size_t i = 1; i < corners.size(); ++i)
    draw_cut(painter, plot.pixel(corners[i - 1]), plot.pixel(corners[i]), plot.pixels);
}

void ScatterPainter::paint_marks(QPainter& painter, const PlotArea& plot, const Theme& theme) const {
  const auto place = [&](std::size_t point) -> std::optional<QPointF> {
    const QPointF at = plot.pixel(QPointF(scene().points()[point].x, scene().points()[point].y));
    if (!plot.pixels.contains(at)) return std::nullopt;
    return at;
  };
  if (scene().open()) {
    if (const auto at = place(*scene().open())) {
      draw_ring(painter, *at, 8, theme.selection, theme);
      draw_badge(painter, *at, QStringLiteral("open"), theme.selection, theme, plot.pixels);
    }
  }
  for (std::size_t i = 0; i < scene().chosen().size(); ++i) {
    const auto at = scene().chosen()[i] ? place(*scene().chosen()[i]) : std::nullopt;
    if (!at) continue;
    draw_ring(painter, *at, 10, theme.text, theme);
    draw_badge(painter, *at + QPointF(0, i == 0 ? 0 : 2), QString::number(i + 1), theme.text, theme, plot.pixels);
  }
  if (cursor() && *cursor() < scene().points().size()) {
    if (const auto at = place(*cursor())) draw_ring(painter, *at, 6, theme.text, theme);
  }
}

double ScatterPainter::paint_rank_legend(QPainter& painter, const QRectF& box, double x, const Theme& theme) const {
  const auto entry = [&](const ScatterPoint& like, const QString& name) {
    const double width = 16 + QFontMetricsF(painter.font()).horizontalAdvance(name);
    if (x + width > box.right()) return;
    const bool plain = scene().colours().kind() == ColourCoding::Kind::none;
    ScatterPoint drawn = like;
    drawn.colour = plain ? scene().colours().index(0, like.rank == PointRank::front) : std::uint8_t{0};
    QColor colour(point_colour(drawn, scene().colours().palette(theme), theme));
    colour.setAlpha(static_cast<int>(255 * point_opacity(0, like.rank)));
    painter.setBrush(colour);
    painter.setPen(like.rank == PointRank::front ? QPen(theme.text, front_edge) : QPen(Qt::NoPen));
    painter.drawPath(mark_path(point_shape(like), QPointF(x + 5, box.center().y()), 4));
    x = draw_label(painter, box, x + 14, theme.muted_text, name);
  };
  ScatterPoint like;
  like.rank = PointRank::front;
  if (scene().count(like.rank) > 0) entry(like, QStringLiteral("on the front"));
  const bool of_two = scene().table().objectives.size() == 2;
  const QString line = of_two ? QStringLiteral("front") : QStringLiteral("front of these two figures");
  if (!scene().front_line().empty() && x + 27 + QFontMetricsF(painter.font()).horizontalAdvance(line) < box.right()) {
    painter.setPen(front_pen(theme));
    painter.drawLine(QPointF(x, box.center().y()), QPointF(x + 20, box.center().y()));
    x = draw_label(painter, box, x + 25, theme.muted_text, line);
  }
  like.rank = PointRank::dominated;
  if (scene().count(like.rank) > 0) entry(like, QStringLiteral("dominated"));
  like.rank = PointRank::outside;
  if (scene().count(like.rank) > 0) entry(like, QStringLiteral("outside of brushes"));
  like.rank = PointRank::incomparable;
  if (scene().count(like.rank) > 0) entry(like, QStringLiteral("maps too little"));
  return x;
}

double ScatterPainter::paint_size_legend(QPainter& painter, const QRectF& box, double x, const Theme& theme) const {
  const explore::SweepColumn* column = scene().size_column();
  if (column == nullptr || column->least > column->most) return x;
  x = draw_label(painter, box, x, theme.text, to_text(column->label));
  for (const double value : {column->least, column->most}) {
    if (x + 60 > box.right()) return x;
    ScatterPoint like;
    like.size = value == column->least ? 0 : static_cast<std::uint8_t>(largest_point_size);
    const double radius = std::min(8.0, point_radius(scene(), like));
    painter.setPen(QPen(theme.muted_text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(x + radius, box.center().y()), radius, radius);
    x = draw_label(painter, box, x + 2 * radius + 5, theme.muted_text, column_value(*column, value));
  }
  return x + 8;
}

void ScatterPainter::paint_heading(QPainter& painter, const QRectF& area, const Theme& theme) const {
  QString said;
  if (scene().placeless() > 0)
    said = QStringLiteral("%1 without a value on these axes").arg(points_text(scene().placeless()));
  const LegendLine line = draw_heading(painter, area, scene().table(), said, scene().colours(), theme);
  const double next = paint_size_legend(painter, line.box, line.x, theme);
  paint_rank_legend(painter, line.box, next, theme);
}

std::unique_ptr<ViewPainter> make_scatter_painter(const Snapshot& snapshot) {
  return make_sweep_painter<ScatterPainter>(snapshot, scatter_size);
}

}  // namespace convscope::ui
