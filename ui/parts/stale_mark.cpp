#include "ui/parts/stale_mark.h"

#include <QFontMetricsF>
#include <QPainter>

#include "ui/parts/drawing.h"

namespace convscope::ui {

bool is_from_run_before(const Snapshot& snapshot) {
  const auto shown = snapshot.layer();
  const auto& run = snapshot.compiled;
  if (!shown) return snapshot.programs() && (!run || run->linked != snapshot.programs());
  const auto layer = static_cast<std::size_t>(snapshot.selection.layer);
  return !run || layer >= run->layers.size() || run->layers[layer] != shown;
}

void paint_stale_mark(QPainter& painter, const QRectF& area, const Theme& theme, const QString& text) {
  painter.save();
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 44;
  const QRectF corner(area.right() - width, area.bottom() - 22, width, 22);
  painter.fillRect(corner, theme.raised);
  painter.fillRect(QRectF(corner.left(), corner.top(), 28, corner.height()), QBrush(theme.warning, Qt::BDiagPattern));
  painter.setPen(QPen(theme.warning, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(corner.adjusted(0, 0, -1, -1));
  painter.setPen(theme.text);
  draw_text(painter, corner.adjusted(34, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
  painter.restore();
}

}  // namespace convscope::ui
