#include "ui/parts/canvas/message_painter.h"

#include <QPainter>
#include <algorithm>

#include "ui/parts/drawing.h"

namespace convscope::ui {

CanvasGeometry MessagePainter::geometry(const QRectF& area) const {
  return {area, area.size(), QSizeF(1, 1), false, false, 1};
}

void MessagePainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  painter.setPen(theme.muted_text);
  painter.setFont(with_pixel_size(theme.label_font(), 14));
  const double margin = std::min(area.width(), area.height()) / 8;
  painter.drawText(area.adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap, message_);
}

std::string MessagePainter::csv() const {
  return "message\n" + csv_field(message_.toStdString()) + "\n";
}

QString missing_network_message(const Snapshot& snapshot) {
  if (!snapshot.message.isEmpty()) return snapshot.message;
  if (snapshot.busy) return QStringLiteral("Compiling… the first results appear here in a moment.");
  if (!snapshot.compiled) return QStringLiteral("Open a network (Ctrl+O), or drop its file on the window.");
  return QStringLiteral(
      "There are no figures: no layer was compiled. Change a parameter or the level to compile again.");
}

QString missing_message(const Snapshot& snapshot, const QString& artifact) {
  const auto layer = snapshot.layer();
  if (!layer) {
    if (snapshot.message.isEmpty() && !snapshot.busy && snapshot.compiled)
      return QStringLiteral("Select a layer to see its %1.").arg(artifact);
    return missing_network_message(snapshot);
  }
  if (!layer->mapped()) {
    return QStringLiteral("This layer isn't mapped: %1\nAnother machine, level or layer may help.")
        .arg(to_text(layer->reason()));
  }
  return QStringLiteral("This target makes no %1 for this layer.").arg(artifact);
}

}  // namespace convscope::ui
