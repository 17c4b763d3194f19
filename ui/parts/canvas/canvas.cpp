#include "ui/parts/canvas/canvas.h"

#include <algorithm>

namespace convscope::ui {
namespace {

double fit_axis(double pixels, double content, double unit) {
  return content * unit > 0 ? std::max(0.0, pixels) / (content * unit) : 1.0;
}

double keep_inside(double origin, double content, double seen) {
  return std::clamp(origin, 0.0, std::max(0.0, content - seen));
}

}  // namespace

double CanvasGeometry::fit_zoom() const {
  double zoom = 1;
  if (zooms_x) zoom = std::min(zoom, fit_axis(plot.width(), content.width(), unit.width()));
  if (zooms_y) zoom = std::min(zoom, fit_axis(plot.height(), content.height(), unit.height()));
  return std::max(zoom, 1e-12);
}

QPointF Placement::pixel(QPointF content) const {
  return {plot.left() + (content.x() - origin.x()) * scale.width(),
          plot.top() + (content.y() - origin.y()) * scale.height()};
}

QPointF Placement::content(QPointF pixel) const {
  return {origin.x() + (pixel.x() - plot.left()) / scale.width(),
          origin.y() + (pixel.y() - plot.top()) / scale.height()};
}

QRectF Placement::pixel(const QRectF& content) const {
  return {pixel(content.topLeft()), QSizeF(content.width() * scale.width(), content.height() * scale.height())};
}

QRectF Placement::seen() const {
  return {origin, QSizeF(plot.width() / scale.width(), plot.height() / scale.height())};
}

Placement place(const CanvasGeometry& geometry, const Viewport& viewport) {
  const double zoom = viewport.fit ? geometry.fit_zoom() : std::min(viewport.zoom, geometry.largest_zoom);
  Placement placement{geometry.plot,
                      QSizeF(geometry.unit.width() * (geometry.zooms_x ? zoom : 1),
                             geometry.unit.height() * (geometry.zooms_y ? zoom : 1)),
                      viewport.fit ? QPointF() : viewport.origin};
  const QRectF seen = placement.seen();
  placement.origin = {keep_inside(placement.origin.x(), geometry.content.width(), seen.width()),
                      keep_inside(placement.origin.y(), geometry.content.height(), seen.height())};
  return placement;
}

}  // namespace convscope::ui
