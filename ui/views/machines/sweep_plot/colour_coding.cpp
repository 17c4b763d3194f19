#include "ui/views/machines/sweep_plot/colour_coding.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/theme/range_colour.h"
#include "ui/views/machines/sweep_plot/plot_scale.h"

namespace convscope::ui {
namespace {

constexpr int hues = 8;
constexpr double range_steps = 254;
constexpr int legend_steps = 48;
constexpr double legend_step = 2.5;

std::size_t choice(double value) {
  return static_cast<std::size_t>(std::max(0.0, std::round(value)));
}

}  // namespace

ColourCoding::ColourCoding(const explore::SweepColumn* column) : column_(column) {
  if (column != nullptr) kind_ = column->names.empty() ? Kind::range : Kind::named;
}

std::uint8_t ColourCoding::index(double value, bool on_front) const {
  if (kind_ == Kind::none) return on_front ? 2 : 1;
  if (!std::isfinite(value)) return 0;
  if (kind_ == Kind::named) return static_cast<std::uint8_t>(1 + choice(value) % hues);
  const double width = column_->most - column_->least;
  const double share = width > 0 ? (value - column_->least) / width : 0.5;
  return static_cast<std::uint8_t>(1 + std::lround(std::clamp(share, 0.0, 1.0) * range_steps));
}

MarkShape ColourCoding::shape(double value) const {
  if (kind_ != Kind::named || !std::isfinite(value)) return MarkShape::disc;
  return static_cast<MarkShape>(choice(value) % choice_shapes);
}

std::array<QRgb, 256> ColourCoding::palette(const Theme& theme) const {
  std::array<QRgb, 256> colours{};
  colours.fill(theme.baseline.rgb());
  if (kind_ == Kind::none) {
    // Dominated points are see-through: on a dark ground only the paler of the two blues is seen then.
    colours[1] = (theme.dark ? theme.read : theme.series[0]).rgb();
    colours[2] = theme.series[1].rgb();
  }
  for (std::size_t i = 1; kind_ == Kind::named && i <= hues; ++i) colours[i] = theme.series[i - 1].rgb();
  for (std::size_t i = 1; kind_ == Kind::range && i < colours.size(); ++i)
    colours[i] = mark_colour(static_cast<double>(i - 1) / range_steps, theme).rgb();
  return colours;
}

double draw_label(QPainter& painter, const QRectF& box, double x, const QColor& colour, const QString& text) {
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 1;
  if (x + width > box.right()) return x;
  painter.setPen(colour);
  draw_text(painter, QRectF(x, box.top(), width, box.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
  return x + width + 7;
}

double ColourCoding::draw_range(QPainter& painter, const QRectF& box, const Theme& theme) const {
  double x = draw_label(painter, box, box.left(), theme.text, to_text(column_->label));
  x = draw_label(painter, box, x, theme.muted_text, column_value(*column_, column_->least));
  if (x + legend_steps * legend_step > box.right()) return x;
  for (int i = 0; i < legend_steps; ++i) {
    painter.fillRect(QRectF(x + legend_step * i, box.center().y() - 5, legend_step + 0.1, 10),
                     mark_colour(static_cast<double>(i) / (legend_steps - 1), theme));
  }
  return draw_label(painter, box, x + legend_steps * legend_step + 7, theme.muted_text,
                    column_value(*column_, column_->most));
}

double ColourCoding::draw_names(QPainter& painter, const QRectF& box, const Theme& theme) const {
  double x = draw_label(painter, box, box.left(), theme.text, to_text(column_->label));
  const auto colours = palette(theme);
  for (std::size_t i = 0; i < column_->names.size(); ++i) {
    if (x + 40 > box.right()) return draw_label(painter, box, x, theme.muted_text, QStringLiteral("…"));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(colours[index(static_cast<double>(i))]));
    painter.drawPath(mark_path(shape(static_cast<double>(i)), QPointF(x + 5, box.center().y()), 5));
    x = draw_label(painter, box, x + 14, theme.muted_text, to_text(column_->names[i]));
  }
  return x;
}

double ColourCoding::draw_legend(QPainter& painter, const QRectF& box, const Theme& theme) const {
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  if (kind_ == Kind::none) return box.left();
  if (kind_ == Kind::named) return draw_names(painter, box, theme) + 8;
  if (column_->least > column_->most)
    return draw_label(painter, box, box.left(), theme.muted_text,
                      QStringLiteral("%1: no values").arg(to_text(column_->label))) +
           8;
  return draw_range(painter, box, theme) + 8;
}

}  // namespace convscope::ui
