#pragma once
// Empty, loading and failed states: kind words instead of a picture.

#include "ui/parts/canvas/canvas.h"

namespace convscope::ui {

/// Draws a message in the middle of its area.
class MessagePainter : public CanvasPainter {
 public:
  explicit MessagePainter(QString message) : message_(std::move(message)) {}
  const QString& message() const { return message_; }
  bool has_content() const override { return false; }

  CanvasGeometry geometry(const QRectF& area) const override;
  QSizeF preferred_size() const override { return {640, 360}; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }
  QString reading(QPointF, const QRectF&) const override { return {}; }
  std::string csv() const override;

 private:
  QString message_;
};

/// Why there is nothing to show for a layer, and what to do; `artifact` names what is missing, e.g. "schedule".
QString missing_message(const Snapshot& snapshot, const QString& artifact);
/// The same for charts of the whole network.
QString missing_network_message(const Snapshot& snapshot);

}  // namespace convscope::ui
