#include "ui/parts/drawing.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/theme/range_colour.h"

namespace convscope::ui {

QString kind_name(artifact::OperationClass kind) {
  return to_text(artifact::operation_class_name(kind));
}

QFont with_pixel_size(QFont font, double pixels) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
  return font;
}

void draw_text(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  double width = metrics.horizontalAdvance(text);
  const bool fits = width <= box.width();
  const QString shown = fits ? text : metrics.elidedText(text, Qt::ElideRight, box.width());
  if (shown.isEmpty() || shown == QChar(0x2026)) return;
  if (!fits) width = metrics.horizontalAdvance(shown);
  // Placed by hand: QPainter's own layout of a text in a box costs several times as much.
  double left = box.left(), top = box.top();
  if (alignment & Qt::AlignRight) left = box.right() - width;
  if (alignment & Qt::AlignHCenter) left = box.center().x() - width / 2;
  if (alignment & Qt::AlignBottom) top = box.bottom() - metrics.height();
  if (alignment & Qt::AlignVCenter) top = box.center().y() - metrics.height() / 2;
  painter.drawText(QPointF(left, std::round(top + metrics.ascent())), shown);
}

QBrush idle_brush(const Theme& theme) {
  return QBrush(theme.idle, Qt::BDiagPattern);
}

std::size_t scaled_limit(std::size_t limit, const QRectF& area) {
  const double frames = area.width() * area.height() / (1920.0 * 1080.0);
  return static_cast<std::size_t>(static_cast<double>(limit) * std::max(1.0, frames));
}

QRectF visible_box(QRectF box) {
  box.setWidth(std::max(1.0, box.width()));
  box.setHeight(std::max(1.0, box.height()));
  return box;
}

std::int64_t tick_step(double minimum) {
  double step = 1;
  for (;;) {
    for (double factor : {1.0, 2.0, 5.0}) {
      if (step * factor >= minimum || step > 1e17) return static_cast<std::int64_t>(step * factor);
    }
    step *= 10;
  }
}

double draw_legend(QPainter& painter, const QRectF& box, const Theme& theme, const std::vector<LegendEntry>& entries) {
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = box.left();
  for (const LegendEntry& entry : entries) {
    const double width = 15 + metrics.horizontalAdvance(entry.name) + 15;
    if (x + width > box.right()) break;
    painter.setPen(QPen(entry.edge.isValid() ? entry.edge : theme.border, entry.edge.isValid() ? 2 : 1));
    painter.setBrush(entry.fill);
    painter.drawRect(QRectF(x, box.center().y() - 5, 10, 10));
    painter.setPen(theme.muted_text);
    draw_text(painter, QRectF(x + 15, box.top(), width, box.height()), Qt::AlignLeft | Qt::AlignVCenter, entry.name);
    x += width;
  }
  return x;
}

void draw_kind_legend(QPainter& painter, const QRectF& box, const Theme& theme,
                      const std::set<artifact::OperationClass>& occurring, IdleEntry idle) {
  std::vector<LegendEntry> entries;
  for (artifact::OperationClass kind : artifact::operation_classes) {
    const bool named = kind != artifact::OperationClass::other && (is_usual(kind) || occurring.contains(kind));
    if (named) entries.push_back({theme.colour(kind), kind_name(kind)});
  }
  if (idle == IdleEntry::shown) entries.push_back({idle_brush(theme), QStringLiteral("idle")});
  draw_legend(painter, box, theme, entries);
}

double draw_range_legend(QPainter& painter, const QRectF& box, const Theme& theme, const QString& name,
                         const QString& least, const QString& largest) {
  constexpr int steps = 48;
  constexpr double step_width = 2.5;
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = box.left();
  const auto write = [&](const QString& text, const QColor& colour) {
    const double width = metrics.horizontalAdvance(text) + 1;
    painter.setPen(colour);
    draw_text(painter, QRectF(x, box.top(), width, box.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += width + 7;
  };
  write(name, theme.text);
  write(least, theme.muted_text);
  for (int i = 0; i < steps; ++i) {
    painter.fillRect(QRectF(x + step_width * i, box.center().y() - 5, step_width + 0.1, 10),
                     range_colour(static_cast<double>(i) / (steps - 1)));
  }
  x += step_width * steps + 7;
  write(largest, theme.muted_text);
  return x + 8;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace convscope::ui
