#include "ui/views/network/quantization/magnitude_panel.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::QuantizedTensor;

constexpr double panel_title = 34, panel_foot = 18, least_tick = 30;

/// Exponents from the left, and where they lie.
struct ExponentAxis {
  QRectF plot;
  int first = 0, count = 1;

  double left_of(int exponent) const { return plot.left() + plot.width() * (exponent - first) / count; }
  double width() const { return plot.width() / count; }
};

/// All values, and the whole word with a bit to either side.
ExponentAxis axis_of(const QRectF& box, const QuantizedTensor& tensor) {
  const int bins = static_cast<int>(tensor.values.positive.size());
  int first = -tensor.fraction - 2, last = tensor.top() + 1;
  if (bins > 0) {
    first = std::min(first, tensor.values.first);
    last = std::max(last, tensor.values.first + bins);
  }
  return {box.adjusted(6, panel_title, -6, -panel_foot), first, last - first};
}

double share_of_height(std::int64_t count, const QuantizedTensor& tensor) {
  std::int64_t most = 1;
  for (const auto* side : {&tensor.values.positive, &tensor.values.negative})
    for (const std::int64_t each : *side) most = std::max(most, each);
  return std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
}

/// The bits of the word: from its last one to below the magnitude that saturates.
void paint_word(QPainter& painter, const ExponentAxis& axis, const QuantizedTensor& tensor, const Theme& theme) {
  const double left = axis.left_of(-tensor.fraction), right = axis.left_of(tensor.top());
  const QRectF word(left, axis.plot.top(), right - left, axis.plot.height());
  painter.fillRect(word, theme.raised);
  painter.setPen(QPen(theme.text, 1.4));
  painter.drawLine(word.topLeft(), word.bottomLeft());
  painter.drawLine(word.topRight(), word.bottomRight());
}

void paint_bars(QPainter& painter, const ExponentAxis& axis, const QuantizedTensor& tensor, const Theme& theme) {
  const double middle = axis.plot.center().y(), half = axis.plot.height() / 2 - 2;
  painter.setPen(Qt::NoPen);
  for (std::size_t i = 0; i < tensor.values.positive.size(); ++i) {
    const int exponent = tensor.values.first + static_cast<int>(i);
    const bool saturates = exponent >= tensor.top(), vanishes = exponent < -tensor.fraction - 1;
    const auto bar = [&](std::int64_t count, const QColor& colour, bool up) {
      if (count == 0) return;
      const double height = std::max(1.0, half * share_of_height(count, tensor));
      const QRectF place(axis.left_of(exponent) + 1, up ? middle - height : middle, std::max(1.0, axis.width() - 2),
                         height);
      painter.fillRect(place, saturates ? theme.error : vanishes ? theme.muted_text : colour);
    };
    bar(tensor.values.positive[i], theme.series[0], true);
    bar(tensor.values.negative[i], theme.series[1], false);
  }
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(QPointF(axis.plot.left(), middle), QPointF(axis.plot.right(), middle));
}

void paint_exponents(QPainter& painter, const ExponentAxis& axis, const Theme& theme) {
  painter.setFont(with_pixel_size(theme.data_font(), 10));
  painter.setPen(theme.muted_text);
  const int step = static_cast<int>(tick_step(least_tick / axis.width()));
  for (int exponent = axis.first; exponent < axis.first + axis.count; ++exponent) {
    if (exponent % step != 0) continue;
    const double at = axis.left_of(exponent);
    painter.drawLine(QPointF(at, axis.plot.bottom()), QPointF(at, axis.plot.bottom() + 3));
    draw_text(painter, QRectF(at - 20, axis.plot.bottom() + 3, 40, panel_foot - 4), Qt::AlignHCenter | Qt::AlignTop,
              QStringLiteral("2^%1").arg(exponent));
  }
}

}  // namespace

void paint_magnitudes(QPainter& painter, const QRectF& box, const QuantizedTensor& tensor, const QString& title,
                      const Theme& theme) {
  if (box.width() < 60 || box.height() < panel_title + panel_foot + 20) return;
  const ExponentAxis axis = axis_of(box, tensor);
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(theme.text);
  draw_text(painter, QRectF(box.left() + 6, box.top(), box.width() - 12, 16), Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.setFont(with_pixel_size(theme.data_font(), 11));
  painter.setPen(theme.muted_text);
  const double saturated = tensor.values.share_from(tensor.top());
  QString words = QStringLiteral("%1 · %2 … %3")
                      .arg(to_text(tensor.format))
                      .arg(tensor.least, 0, 'g', 3)
                      .arg(tensor.most, 0, 'g', 3);
  if (tensor.points > 1) words += QStringLiteral(" · least of %1 points").arg(tensor.points);
  if (tensor.own) words += QStringLiteral(" · point from the file");
  if (saturated > 0) words += QStringLiteral(" · %1 saturate").arg(percent_text(saturated));
  draw_text(painter, QRectF(box.left() + 6, box.top() + 16, box.width() - 12, 16), Qt::AlignLeft | Qt::AlignVCenter,
            words);
  paint_word(painter, axis, tensor, theme);
  paint_bars(painter, axis, tensor, theme);
  paint_exponents(painter, axis, theme);
}

QString magnitude_reading(QPointF point, const QRectF& box, const QuantizedTensor& tensor) {
  const ExponentAxis axis = axis_of(box, tensor);
  if (!axis.plot.contains(point)) return {};
  const int exponent = axis.first + static_cast<int>(std::floor((point.x() - axis.plot.left()) / axis.width()));
  const int bin = exponent - tensor.values.first;
  const bool inside = bin >= 0 && bin < static_cast<int>(tensor.values.positive.size());
  const auto count = [&](const std::vector<std::int64_t>& side) {
    return count_text(inside ? side[static_cast<std::size_t>(bin)] : 0);
  };
  QString fate = QStringLiteral("within the word");
  if (exponent >= tensor.top()) fate = QStringLiteral("saturate");
  if (exponent < -tensor.fraction) fate = QStringLiteral("less than the last bit");
  if (exponent < -tensor.fraction - 1) fate = QStringLiteral("become 0");
  return QStringLiteral("2^%1 ≤ |x| < 2^%2: %3 positive, %4 negative\n%5")
      .arg(exponent)
      .arg(exponent + 1)
      .arg(count(tensor.values.positive), count(tensor.values.negative), fate);
}

}  // namespace convscope::ui
