#pragma once
// Which of many points is nearest to a place: a uniform grid with about as many cells as points.

#include <QPointF>
#include <QSizeF>
#include <vector>

namespace convscope::ui {

class PointGrid {
 public:
  PointGrid() = default;
  /// No coordinate may be NaN.
  explicit PointGrid(std::vector<QPointF> points);

  /// Index of the nearest point within reach, in pixels; of equally near ones the last. -1: none. Cost: the cells
  /// within reach and their points.
  int nearest(QPointF place, QSizeF pixels_per_unit, double reach) const;
  /// How many points lie exactly where one of them does, itself included.
  int together_with(int point) const;

 private:
  int column(double x) const;
  int row(double y) const;

  std::vector<QPointF> points_;
  double left_ = 0, top_ = 0, cell_width_ = 1, cell_height_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<int> starts_, members_;  ///< members of cell i: from starts_[i] to starts_[i + 1], ascending
};

}  // namespace convscope::ui
