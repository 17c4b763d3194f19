#include "ui/parts/canvas/canvas_minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/parts/canvas/canvas_widget.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr int widest = 170, tallest = 230, narrowest = 40, distance = 10;
constexpr double mostly_seen = 0.6;  ///< of the content: nobody gets lost then

}  // namespace

CanvasMinimap::CanvasMinimap(CanvasWidget& canvas) : QWidget(canvas.viewport()), canvas_(canvas) {
  setObjectName(QStringLiteral("minimap"));
  setAccessibleName(QStringLiteral("Overview of the whole picture"));
  setToolTip(QStringLiteral("Overview: click or drag to move"));
  setCursor(Qt::PointingHandCursor);
  hide();
}

/// The content's proportions, as far as both sides stay usable.
QSize CanvasMinimap::wanted_size() const {
  const QSizeF content = canvas_.painter()->geometry(canvas_.area()).content;
  const QSizeF room = canvas_.area().size();
  const double right = std::min<double>(widest, room.width() * 0.3),
               bottom = std::min<double>(tallest, room.height() * 0.45);
  const double scale = std::min(right / content.width(), bottom / content.height());
  const auto side = [&](double length, double limit) {
    return static_cast<int>(std::clamp(length * scale, std::min<double>(narrowest, limit), limit));
  };
  return {side(content.width(), right), side(content.height(), bottom)};
}

void CanvasMinimap::refresh() {
  picture_ = QPixmap();
  follow();
}

void CanvasMinimap::follow() {
  const CanvasPainter* painter = canvas_.painter();
  if (!painter || !painter->has_overview() || canvas_.area().width() < 240 || canvas_.area().height() < 180)
    return hide();
  const CanvasGeometry geometry = painter->geometry(canvas_.area());
  const QRectF seen = place(geometry, painter->viewport()).seen().intersected(QRectF(QPointF(), geometry.content));
  const double share = seen.width() * seen.height() / (geometry.content.width() * geometry.content.height());
  if (share > mostly_seen) return hide();
  const QSize size = wanted_size();
  setGeometry(
      QRect(canvas_.area().bottomRight().toPoint() - QPoint(size.width() + distance, size.height() + distance), size));
  show();
  update();
}

void CanvasMinimap::paintEvent(QPaintEvent* /*event*/) {
  const CanvasPainter* painter = canvas_.painter();
  if (!painter) return;
  const Theme& theme = canvas_.theme();
  const double ratio = devicePixelRatioF();
  if (picture_.isNull() || picture_.size() != size() * ratio) {
    picture_ = QPixmap(size() * ratio);
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(theme.surface);
    QPainter overview(&picture_);
    painter->paint_overview(overview, map(), theme);
  }
  QPainter onto(this);
  onto.drawPixmap(0, 0, picture_);
  onto.setPen(QPen(theme.border, 1));
  onto.drawRect(rect().adjusted(0, 0, -1, -1));
  const CanvasGeometry geometry = painter->geometry(canvas_.area());
  const QRectF seen = place(geometry, painter->viewport()).seen();
  const double x = map().width() / geometry.content.width(), y = map().height() / geometry.content.height();
  const QRectF frame(map().left() + seen.left() * x, map().top() + seen.top() * y, seen.width() * x, seen.height() * y);
  onto.setPen(QPen(theme.selection, 1.5));
  onto.drawRect(visible_box(frame).intersected(QRectF(rect()).adjusted(1, 1, -2, -2)));
}

void CanvasMinimap::move_to(QPointF point) {
  if (!canvas_.painter()) return;
  const QSizeF content = canvas_.painter()->geometry(canvas_.area()).content;
  canvas_.centre_on({(point.x() - map().left()) / map().width() * content.width(),
                     (point.y() - map().top()) / map().height() * content.height()});
}

void CanvasMinimap::mousePressEvent(QMouseEvent* event) {
  move_to(event->position());
}

void CanvasMinimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) move_to(event->position());
}

}  // namespace convscope::ui
