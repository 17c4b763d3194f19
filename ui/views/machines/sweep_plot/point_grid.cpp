#include "ui/views/machines/sweep_plot/point_grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/integers.h"

namespace convscope::ui {
namespace {

int cell(double place, double size, int count) {
  return static_cast<int>(std::clamp(std::floor(place / size), 0.0, static_cast<double>(count - 1)));
}

}  // namespace

PointGrid::PointGrid(std::vector<QPointF> points) : points_(std::move(points)) {
  if (points_.empty()) return;
  const auto [left, right] =
      std::minmax_element(points_.begin(), points_.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); });
  const auto [top, bottom] =
      std::minmax_element(points_.begin(), points_.end(), [](QPointF a, QPointF b) { return a.y() < b.y(); });
  left_ = left->x();
  top_ = top->y();
  const double width = right->x() - left_, height = bottom->y() - top_;
  // Axes have units of their own: only how many cells there are matters, not that they are square.
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(points_.size()))));
  columns_ = width > 0 ? side : 1;
  rows_ = height > 0 ? side : 1;
  if (width > 0) cell_width_ = width / columns_;
  if (height > 0) cell_height_ = height / rows_;

  starts_.assign(at(columns_) * at(rows_) + 1, 0);
  const auto cell_of = [&](QPointF point) { return at(row(point.y())) * at(columns_) + at(column(point.x())); };
  for (const QPointF& point : points_) ++starts_[cell_of(point) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  members_.resize(points_.size());
  std::vector<int> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < points_.size(); ++i) members_[at(next[cell_of(points_[i])]++)] = static_cast<int>(i);
}

int PointGrid::column(double x) const {
  return cell(x - left_, cell_width_, columns_);
}

int PointGrid::row(double y) const {
  return cell(y - top_, cell_height_, rows_);
}

int PointGrid::together_with(int point) const {
  const QPointF place = points_[at(point)];
  const std::size_t cell = at(row(place.y())) * at(columns_) + at(column(place.x()));
  const auto same = [&](int member) {
    return points_[at(member)].x() == place.x() && points_[at(member)].y() == place.y();
  };
  return static_cast<int>(std::count_if(members_.begin() + starts_[cell], members_.begin() + starts_[cell + 1], same));
}

int PointGrid::nearest(QPointF place, QSizeF pixels_per_unit, double reach) const {
  if (points_.empty()) return -1;
  const double across = reach / pixels_per_unit.width(), down = reach / pixels_per_unit.height();
  int found = -1;
  double least = reach * reach;
  for (int y = row(place.y() - down); y <= row(place.y() + down); ++y) {
    for (int x = column(place.x() - across); x <= column(place.x() + across); ++x) {
      const std::size_t cell = at(y) * at(columns_) + at(x);
      for (int i = starts_[cell]; i < starts_[cell + 1]; ++i) {
        const int member = members_[at(i)];
        const double dx = (points_[at(member)].x() - place.x()) * pixels_per_unit.width();
        const double dy = (points_[at(member)].y() - place.y()) * pixels_per_unit.height();
        const double distance = dx * dx + dy * dy;
        if (distance < least || (distance == least && member > found)) {
          least = distance;
          found = member;
        }
      }
    }
  }
  return found;
}

}  // namespace convscope::ui
