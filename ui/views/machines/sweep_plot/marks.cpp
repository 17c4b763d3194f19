#include "ui/views/machines/sweep_plot/marks.h"

#include <QPainter>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace convscope::ui {
namespace {

constexpr double steps_per_pixel = 4;  // of radii

QPainterPath polygon(QPointF centre, std::initializer_list<QPointF> corners, double radius) {
  QPolygonF outline;
  for (const QPointF& corner : corners) outline << centre + corner * radius;
  QPainterPath path;
  path.addPolygon(outline);
  path.closeSubpath();
  return path;
}

/// `colour` times a share of 255, all four channels at once.
std::uint32_t part_of(std::uint32_t colour, std::uint32_t share) {
  std::uint32_t even = (colour & 0xff00ffU) * share;
  even = ((even + ((even >> 8) & 0xff00ffU) + 0x800080U) >> 8) & 0xff00ffU;
  std::uint32_t odd = ((colour >> 8) & 0xff00ffU) * share;
  odd = (odd + ((odd >> 8) & 0xff00ffU) + 0x800080U) & 0xff00ff00U;
  return even | odd;
}

}  // namespace

QPainterPath mark_path(MarkShape shape, QPointF centre, double radius) {
  QPainterPath path;
  const double r = radius;
  switch (shape) {
    case MarkShape::disc:
      path.addEllipse(centre, r, r);
      return path;
    case MarkShape::square:
      path.addRect(QRectF(centre.x() - 0.88 * r, centre.y() - 0.88 * r, 1.76 * r, 1.76 * r));
      return path;
    case MarkShape::triangle:
      return polygon(centre, {{0, -1.25}, {1.15, 0.8}, {-1.15, 0.8}}, r);
    case MarkShape::diamond:
      return polygon(centre, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}, r);
    case MarkShape::triangle_down:
      return polygon(centre, {{0, 1.25}, {1.15, -0.8}, {-1.15, -0.8}}, r);
    case MarkShape::cross: {
      constexpr double arm = 0.28;
      return polygon(centre,
                     {{-1, -1 + arm},
                      {-1 + arm, -1},
                      {0, -arm},
                      {1 - arm, -1},
                      {1, -1 + arm},
                      {arm, 0},
                      {1, 1 - arm},
                      {1 - arm, 1},
                      {0, arm},
                      {-1 + arm, 1},
                      {-1, 1 - arm},
                      {-arm, 0}},
                     r);
    }
  }
  return path;
}

MarkStamper::MarkStamper(QImage& image)
    : pixels_(reinterpret_cast<QRgb*>(image.bits())),
      width_(image.width()),
      height_(image.height()),
      stride_(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))) {
  assert(image.format() == QImage::Format_ARGB32_Premultiplied);
}

const MarkStamper::Mask& MarkStamper::mask(MarkShape shape, double radius) {
  const int size = std::max(1, static_cast<int>(std::lround(radius * steps_per_pixel)));
  Mask& mask = masks_[{shape, size}];
  if (mask.side > 0) return mask;
  const double exact = size / steps_per_pixel;
  mask.side = 2 * static_cast<int>(std::ceil(exact * 1.25)) + 1;
  QImage drawn(mask.side, mask.side, QImage::Format_ARGB32_Premultiplied);
  drawn.fill(Qt::transparent);
  QPainter painter(&drawn);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(mark_path(shape, QPointF(mask.side / 2.0, mask.side / 2.0), exact), QBrush(Qt::SolidPattern));
  painter.end();
  for (int y = 0; y < mask.side; ++y)
    for (int x = 0; x < mask.side; ++x) mask.coverage.push_back(static_cast<std::uint8_t>(qAlpha(drawn.pixel(x, y))));
  return mask;
}

void MarkStamper::stamp(QPointF centre, MarkShape shape, double radius, QRgb colour, int alpha) {
  const Mask& mask = this->mask(shape, radius);
  const int left = static_cast<int>(std::floor(centre.x())) - mask.side / 2;
  const int top = static_cast<int>(std::floor(centre.y())) - mask.side / 2;
  const std::uint32_t source = part_of(colour | 0xff000000U, static_cast<std::uint32_t>(alpha));
  const int from_x = std::max(0, -left), to_x = std::min(mask.side, width_ - left);
  const int from_y = std::max(0, -top), to_y = std::min(mask.side, height_ - top);
  for (int y = from_y; y < to_y; ++y) {
    const std::uint8_t* cover = mask.coverage.data() + static_cast<std::ptrdiff_t>(y) * mask.side;
    QRgb* line = pixels_ + (top + y) * stride_ + left;
    for (int x = from_x; x < to_x; ++x) {
      if (cover[x] == 0) continue;
      const std::uint32_t put = part_of(source, cover[x]);
      line[x] = put + part_of(line[x], 255U - (put >> 24));
    }
  }
}

}  // namespace convscope::ui
