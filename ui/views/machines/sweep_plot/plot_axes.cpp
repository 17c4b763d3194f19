#include "ui/views/machines/sweep_plot/plot_axes.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr double tick_length = 5;
constexpr double label_every = 92, row_every = 42;  ///< pixels that a labelled tick wants
constexpr double widest_label = 150;

int labels_across(const PlotArea& plot) {
  return std::max(1, static_cast<int>(plot.pixels.width() / label_every));
}

int labels_down(const PlotArea& plot) {
  return std::max(1, static_cast<int>(plot.pixels.height() / row_every));
}

QFont tick_font(const Theme& theme) {
  return with_pixel_size(theme.data_font(), 11);
}

}  // namespace

QString axis_title(const PlotScale& scale, const explore::SweepColumn& column) {
  if (column.kind != explore::ColumnKind::objective) return scale.title();
  return scale.title() + (column.maximize ? QStringLiteral(", more is better") : QStringLiteral(", less is better"));
}

double label_width(const PlotScale& scale, double from, double to, const Theme& theme) {
  const QFontMetricsF metrics(tick_font(theme));
  double widest = 0;
  for (const PlotTick& tick : scale.ticks(from, to, 12))
    widest = std::max(widest, metrics.horizontalAdvance(tick.label));
  return std::min(widest, widest_label);
}

void paint_grid(QPainter& painter, const PlotArea& plot, const PlotScale& x, const PlotScale& y, const Theme& theme) {
  painter.setPen(QPen(theme.grid, 1));
  const QRectF& box = plot.pixels;
  for (const PlotTick& tick : x.ticks(plot.window.left(), plot.window.right(), labels_across(plot))) {
    if (tick.label.isEmpty()) continue;
    const double at = plot.pixel(QPointF(tick.place, 0)).x();
    painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()));
  }
  for (const PlotTick& tick : y.ticks(plot.window.top(), plot.window.bottom(), labels_down(plot))) {
    if (tick.label.isEmpty()) continue;
    const double at = plot.pixel(QPointF(0, tick.place)).y();
    painter.drawLine(QPointF(box.left(), at), QPointF(box.right(), at));
  }
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box);
}

void paint_horizontal_axis(QPainter& painter, const PlotArea& plot, const PlotScale& scale, const QString& title,
                           double strip, const Theme& theme) {
  const QRectF& box = plot.pixels;
  painter.setFont(tick_font(theme));
  const QFontMetricsF metrics(painter.font());
  for (const PlotTick& tick : scale.ticks(plot.window.left(), plot.window.right(), labels_across(plot))) {
    const double at = plot.pixel(QPointF(tick.place, 0)).x();
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(at, box.bottom()), QPointF(at, box.bottom() + (tick.label.isEmpty() ? 3 : tick_length)));
    if (tick.label.isEmpty()) continue;
    const double width = std::min(metrics.horizontalAdvance(tick.label) + 2, label_every * 1.4);
    painter.setPen(theme.text);
    draw_text(painter, QRectF(at - width / 2, box.bottom() + tick_length + 1, width, 15),
              Qt::AlignHCenter | Qt::AlignTop, tick.label);
  }
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(theme.text);
  draw_text(painter, QRectF(box.left(), box.bottom() + strip - 19, box.width(), 16),
            Qt::AlignHCenter | Qt::AlignVCenter, title);
}

void paint_vertical_axis(QPainter& painter, const PlotArea& plot, const PlotScale& scale, const QString& title,
                         double strip, const Theme& theme) {
  const QRectF& box = plot.pixels;
  painter.setFont(tick_font(theme));
  for (const PlotTick& tick : scale.ticks(plot.window.top(), plot.window.bottom(), labels_down(plot))) {
    const double at = plot.pixel(QPointF(0, tick.place)).y();
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(box.left() - (tick.label.isEmpty() ? 3 : tick_length), at), QPointF(box.left(), at));
    if (tick.label.isEmpty()) continue;
    painter.setPen(theme.text);
    draw_text(painter, QRectF(box.left() - strip + 20, at - 8, strip - 20 - tick_length - 3, 16),
              Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.save();
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(theme.text);
  painter.translate(box.left() - strip + 10, box.center().y());
  painter.rotate(-90);
  draw_text(painter, QRectF(-box.height() / 2, -8, box.height(), 16), Qt::AlignHCenter | Qt::AlignVCenter, title);
  painter.restore();
}

}  // namespace convscope::ui
