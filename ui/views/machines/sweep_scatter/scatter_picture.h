#pragma once
// The points of a scatter chart as an image: made on any thread, shown until there is a newer one.

#include <QImage>
#include <QRectF>
#include <memory>
#include <stop_token>

#include "ui/theme/theme.h"
#include "ui/views/machines/sweep_scatter/scatter_scene.h"

namespace convscope::ui {

struct ScatterPicture {
  std::shared_ptr<const ScatterScene> scene;
  const Theme* theme = nullptr;
  QRectF window;     ///< of the axes, in places
  QSizeF size;       ///< logical pixels
  double ratio = 1;  ///< pixels of the image for a logical pixel
  QImage image;      ///< premultiplied, see-through where there is no point

  bool shows(const ScatterScene* other, const QRectF& seen, QSizeF wanted, double scale, const Theme& colours) const;
  /// Whether it may stand in, moved and stretched, for another scene: both have the same axes.
  bool resembles(const ScatterScene& other, const Theme& colours) const;
};

/// Radius in logical pixels: the more points, the smaller.
double point_radius(const ScatterScene& scene, const ScatterPoint& point);
/// 0..1: the more points, the less, so that dense places show.
double point_opacity(std::size_t points, PointRank rank);
/// The colour and shape that a point is drawn with.
QRgb point_colour(const ScatterPoint& point, const std::array<QRgb, 256>& palette, const Theme& theme);
MarkShape point_shape(const ScatterPoint& point);
/// Width of the line around points on the front, logical pixels.
inline constexpr double front_edge = 1.4;

/// Throws Cancelled.
std::shared_ptr<const ScatterPicture> draw_points(std::shared_ptr<const ScatterScene> scene, const QRectF& window,
                                                  QSizeF size, double ratio, const Theme& theme,
                                                  const std::stop_token& stop = {});

}  // namespace convscope::ui
