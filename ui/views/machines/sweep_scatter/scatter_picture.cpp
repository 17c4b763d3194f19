#include "ui/views/machines/sweep_scatter/scatter_picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/cancellation.h"
#include "ui/views/machines/sweep_plot/plot_area.h"

namespace convscope::ui {
namespace {

constexpr int opaque = 255;
constexpr double quiet = 0.28;               ///< of points outside of brushes, however many lie on each other
constexpr std::size_t between_looks = 4096;  // points drawn between two looks at the stop token

int alpha_of(double opacity) {
  return static_cast<int>(std::lround(opacity * opaque));
}

/// Makes all that was drawn so far see-through.
void fade(QImage& image, double opacity) {
  QPainter painter(&image);
  QColor mask(Qt::transparent);
  mask.setAlphaF(static_cast<float>(opacity));
  painter.setCompositionMode(QPainter::CompositionMode_DestinationIn);
  painter.fillRect(image.rect(), mask);
}

}  // namespace

bool ScatterPicture::shows(const ScatterScene* other, const QRectF& seen, QSizeF wanted, double scale,
                           const Theme& colours) const {
  return scene.get() == other && window == seen && size == wanted && ratio == scale && theme == &colours;
}

bool ScatterPicture::resembles(const ScatterScene& other, const Theme& colours) const {
  return theme == &colours && scene->x_column().key == other.x_column().key &&
         scene->y_column().key == other.y_column().key && scene->x().kind() == other.x().kind() &&
         scene->y().kind() == other.y().kind();
}

double point_radius(const ScatterScene& scene, const ScatterPoint& point) {
  const std::size_t all = scene.points().size();
  double radius = all < 400 ? 4.5 : all < 4000 ? 3.5 : all < 25000 ? 2.5 : 1.75;
  if (scene.size_column() != nullptr) {
    // The area grows with the value.
    const double share = static_cast<double>(point.size) / largest_point_size;
    radius *= 0.6 + 1.9 * std::sqrt(share);
  }
  if (point.rank == PointRank::front) radius = std::max(radius + 0.75, 3.0);
  if (point.rank == PointRank::incomparable) radius = std::max(radius, 2.5);
  return radius;
}

double point_opacity(std::size_t points, PointRank rank) {
  switch (rank) {
    case PointRank::outside:
      return quiet;
    case PointRank::incomparable:
      return 0.6;
    case PointRank::dominated:
      return points < 4000 ? 0.55 : points < 25000 ? 0.4 : 0.27;
    case PointRank::front:
      return 1;
  }
  return 1;
}

QRgb point_colour(const ScatterPoint& point, const std::array<QRgb, 256>& palette, const Theme& theme) {
  const bool grey = point.rank == PointRank::outside || point.rank == PointRank::incomparable;
  return grey ? theme.baseline.rgb() : palette[point.colour];
}

MarkShape point_shape(const ScatterPoint& point) {
  return point.rank == PointRank::incomparable ? MarkShape::cross : point.shape;
}

std::shared_ptr<const ScatterPicture> draw_points(std::shared_ptr<const ScatterScene> scene, const QRectF& window,
                                                  QSizeF size, double ratio, const Theme& theme,
                                                  const std::stop_token& stop) {
  auto picture = std::make_shared<ScatterPicture>();
  const QSize pixels(std::max(1, qRound(size.width() * ratio)), std::max(1, qRound(size.height() * ratio)));
  picture->image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
  picture->image.fill(Qt::transparent);
  const PlotArea area{QRectF(QPointF(), QSizeF(pixels)), window};
  const QRectF near = area.pixels.adjusted(-40, -40, 40, 40);
  const auto palette = scene->colours().palette(theme);
  MarkStamper stamper(picture->image);
  std::size_t looked_at = 0;
  const std::size_t all = scene->points().size(), outside = scene->count(PointRank::outside);
  for (const ScatterPoint& point : scene->points()) {
    if (looked_at == outside && outside > 0) fade(picture->image, quiet);
    if (++looked_at % between_looks == 0) throw_if_stopped(stop);
    const QPointF at = area.pixel(QPointF(point.x, point.y));
    if (!near.contains(at)) continue;
    const double radius = point_radius(*scene, point) * ratio;
    const QRgb colour = point_colour(point, palette, theme);
    if (point.rank == PointRank::front)
      stamper.stamp(at, point_shape(point), radius + front_edge * ratio, theme.text.rgb(), opaque);
    const double opacity = point.rank == PointRank::outside ? 1 : point_opacity(all, point.rank);
    stamper.stamp(at, point_shape(point), radius, colour, alpha_of(opacity));
  }
  if (outside == all) fade(picture->image, quiet);
  picture->scene = std::move(scene);
  picture->theme = &theme;
  picture->window = window;
  picture->size = size;
  picture->ratio = ratio;
  return picture;
}

}  // namespace convscope::ui
