#pragma once
// Which of many rectangles meet a stretch of content: a uniform grid with about as many cells as rectangles.

#include <QRectF>
#include <vector>

namespace convscope::ui {

class RectangleGrid {
 public:
  RectangleGrid() = default;
  explicit RectangleGrid(std::vector<QRectF> boxes);

  /// Indices of the rectangles that meet the area, ascending, each once; edges count, so that lines are found. Cost:
  /// cells that the area covers, rectangles in them, and the few rectangles that span many cells.
  std::vector<int> in(const QRectF& area) const;

 private:
  struct Cells {
    int left = 0, top = 0, right = 0, bottom = 0;
  };
  Cells cells_of(const QRectF& box) const;

  std::vector<QRectF> boxes_;
  QRectF extent_;
  double cell_width_ = 1, cell_height_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<int> starts_, members_;  ///< members of cell i: from starts_[i] to starts_[i + 1]
  std::vector<int> spanning_;          ///< kept aside, since they would stand in very many cells
};

}  // namespace convscope::ui
