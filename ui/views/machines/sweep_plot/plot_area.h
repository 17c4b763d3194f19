#pragma once
// A stretch of both axes drawn in a box: the map between places and pixels. Places grow upwards.

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace convscope::ui {

struct PlotArea {
  QRectF pixels;
  QRectF window;  ///< in places: top() is the least of the vertical axis

  QSizeF pixels_per_unit() const { return {pixels.width() / window.width(), pixels.height() / window.height()}; }
  QPointF pixel(QPointF place) const {
    return {pixels.left() + (place.x() - window.left()) * pixels.width() / window.width(),
            pixels.bottom() - (place.y() - window.top()) * pixels.height() / window.height()};
  }
  QPointF place(QPointF pixel) const {
    return {window.left() + (pixel.x() - pixels.left()) * window.width() / pixels.width(),
            window.top() + (pixels.bottom() - pixel.y()) * window.height() / pixels.height()};
  }
  /// Where another window's picture lies.
  QRectF pixel(const QRectF& places) const {
    return QRectF(pixel(QPointF(places.left(), places.bottom())), pixel(QPointF(places.right(), places.top())));
  }
};

}  // namespace convscope::ui
