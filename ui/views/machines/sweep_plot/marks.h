#pragma once
// Marks of points: as paths for vector files, and pixel by pixel for pictures of very many.

#include <QImage>
#include <QPainterPath>
#include <QPointF>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace convscope::ui {

enum class MarkShape : std::uint8_t { disc, square, triangle, diamond, triangle_down, cross };
/// Shapes that choices are told apart by: those before the cross.
inline constexpr int choice_shapes = 5;

/// About the same area for every shape.
QPainterPath mark_path(MarkShape shape, QPointF centre, double radius);

/// Puts marks into an image of premultiplied colours; what lies outside of it is left out.
class MarkStamper {
 public:
  /// The image must outlive this.
  explicit MarkStamper(QImage& image);
  /// In pixels of the image; `alpha` 0..255.
  void stamp(QPointF centre, MarkShape shape, double radius, QRgb colour, int alpha);

 private:
  struct Mask {
    int side = 0;  ///< odd: the centre is the middle pixel
    std::vector<std::uint8_t> coverage;
  };
  const Mask& mask(MarkShape shape, double radius);

  QRgb* pixels_;
  int width_, height_;
  qsizetype stride_;  ///< in pixels
  std::map<std::pair<MarkShape, int>, Mask> masks_;
};

}  // namespace convscope::ui
