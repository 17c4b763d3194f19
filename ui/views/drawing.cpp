#include "ui/views/drawing.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace convscope::ui {

QString to_text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString grouped(std::int64_t value) {
  QString digits = QString::number(value);
  const qsizetype first = value < 0 ? 1 : 0;
  for (qsizetype at = digits.size() - 3; at > first; at -= 3) digits.insert(at, QChar(0x202f));
  return digits;
}

QString kind_name(artifact::OperationClass kind) {
  return to_text(artifact::operation_class_name(kind));
}

QFont with_pixel_size(QFont font, double pixels) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
  return font;
}

void draw_text(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const QString shown =
      metrics.horizontalAdvance(text) <= box.width() ? text : metrics.elidedText(text, Qt::ElideRight, box.width());
  if (shown.isEmpty() || shown == QChar(0x2026)) return;
  painter.drawText(box, static_cast<int>(alignment) | Qt::TextSingleLine, shown);
}

QBrush idle_brush(const Theme& theme) {
  return QBrush(theme.idle, Qt::BDiagPattern);
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

void draw_kind_legend(QPainter& painter, const QRectF& box, const Theme& theme) {
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = box.left();
  const auto entry = [&](const QBrush& fill, const QString& name) {
    const double width = 16 + metrics.horizontalAdvance(name) + 14;
    if (x + width > box.right()) return;
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(fill);
    painter.drawRect(QRectF(x, box.center().y() - 5, 10, 10));
    painter.setPen(theme.muted_text);
    painter.drawText(QRectF(x + 15, box.top(), width, box.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += width;
  };
  for (artifact::OperationClass kind : artifact::operation_classes) {
    if (kind != artifact::OperationClass::other) entry(theme.colour(kind), kind_name(kind));
  }
  entry(idle_brush(theme), QStringLiteral("idle"));
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
