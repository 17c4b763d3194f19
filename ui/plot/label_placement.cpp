#include "ui/plot/label_placement.h"

#include <algorithm>
#include <array>

namespace convscope::ui {
namespace {

/// Right above first, where one looks for it; then around the point.
std::array<QRectF, 8> places_around(const LabelWish& wish) {
  const double gap = mark_radius + label_gap;
  const double right = wish.point.x() + gap, left = wish.point.x() - gap - wish.size.width();
  const double above = wish.point.y() - label_gap - wish.size.height(), below = wish.point.y() + label_gap;
  const double middle_x = wish.point.x() - wish.size.width() / 2, middle_y = wish.point.y() - wish.size.height() / 2;
  const auto box = [&](double x, double y) { return QRectF(QPointF(x, y), wish.size); };
  return {box(right, above),
          box(right, middle_y),
          box(right, below),
          box(left, above),
          box(left, middle_y),
          box(left, below),
          box(middle_x, wish.point.y() - gap - wish.size.height()),
          box(middle_x, wish.point.y() + gap)};
}

QRectF mark_box(QPointF mark) {
  return {mark - QPointF(mark_radius, mark_radius), QSizeF(2 * mark_radius, 2 * mark_radius)};
}

}  // namespace

std::vector<std::optional<QRectF>> place_labels(const std::vector<LabelWish>& wishes, const std::vector<QPointF>& marks,
                                                const QRectF& inside) {
  std::vector<std::optional<QRectF>> placed;
  std::vector<QRectF> taken;
  const auto free_of_labels = [&](const QRectF& box) {
    return inside.contains(box) &&
           std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
  };
  const auto free_of_marks = [&](const QRectF& box) {
    return std::none_of(marks.begin(), marks.end(), [&](QPointF mark) { return mark_box(mark).intersects(box); });
  };
  for (const LabelWish& wish : wishes) {
    const auto places = places_around(wish);
    auto chosen = std::find_if(places.begin(), places.end(),
                               [&](const QRectF& box) { return free_of_labels(box) && free_of_marks(box); });
    if (chosen == places.end() && wish.must) chosen = std::find_if(places.begin(), places.end(), free_of_labels);
    if (!inside.contains(wish.point)) chosen = places.end();
    placed.push_back(chosen == places.end() ? std::nullopt : std::optional(*chosen));
    if (placed.back()) taken.push_back(*placed.back());
  }
  return placed;
}

}  // namespace convscope::ui
