#include "ui/parts/rectangle_grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "core/base/integers.h"

namespace convscope::ui {
namespace {

constexpr int most_cells_each = 64;

bool meets(const QRectF& a, const QRectF& b) {
  return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() && b.top() <= a.bottom();
}

/// Different ones below `count`. Many of them are sorted by marking each in a row of all.
void sort_indices(std::vector<int>& indices, std::size_t count) {
  if (indices.size() < count / 16) return std::sort(indices.begin(), indices.end());
  std::vector<char> marked(count, 0);
  for (const int index : indices) marked[at(index)] = 1;
  indices.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (marked[i]) indices.push_back(static_cast<int>(i));
}

}  // namespace

RectangleGrid::RectangleGrid(std::vector<QRectF> boxes) : boxes_(std::move(boxes)) {
  if (boxes_.empty()) return;
  double left = boxes_[0].left(), top = boxes_[0].top(), right = boxes_[0].right(), bottom = boxes_[0].bottom();
  for (const QRectF& box : boxes_) {
    left = std::min(left, box.left());
    top = std::min(top, box.top());
    right = std::max(right, box.right());
    bottom = std::max(bottom, box.bottom());
  }
  extent_ = QRectF(QPointF(left, top), QPointF(std::max(right, left + 1), std::max(bottom, top + 1)));
  const double side = std::sqrt(extent_.width() * extent_.height() / static_cast<double>(boxes_.size()));
  const auto count = static_cast<double>(boxes_.size());
  columns_ = static_cast<int>(std::clamp(extent_.width() / side, 1.0, count));
  rows_ = static_cast<int>(std::clamp(extent_.height() / side, 1.0, count));
  cell_width_ = extent_.width() / columns_;
  cell_height_ = extent_.height() / rows_;

  starts_.assign(at(columns_) * at(rows_) + 1, 0);
  const auto visit = [&](const QRectF& box, const auto& each) {
    const Cells cells = cells_of(box);
    for (int y = cells.top; y <= cells.bottom; ++y)
      for (int x = cells.left; x <= cells.right; ++x) each(at(y) * at(columns_) + at(x));
  };
  std::vector<bool> spans(boxes_.size(), false);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Cells cells = cells_of(boxes_[i]);
    spans[i] = (cells.right - cells.left + 1) * (cells.bottom - cells.top + 1) > most_cells_each;
    if (spans[i]) {
      spanning_.push_back(static_cast<int>(i));
    } else {
      visit(boxes_[i], [&](std::size_t cell) { ++starts_[cell + 1]; });
    }
  }
  for (std::size_t cell = 1; cell < starts_.size(); ++cell) starts_[cell] += starts_[cell - 1];
  members_.resize(at(starts_.back()));
  std::vector<int> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (!spans[i]) visit(boxes_[i], [&](std::size_t cell) { members_[at(next[cell]++)] = static_cast<int>(i); });
  }
}

RectangleGrid::Cells RectangleGrid::cells_of(const QRectF& box) const {
  const auto cell = [](double place, double size, int count) {
    return static_cast<int>(std::clamp(std::floor(place / size), 0.0, static_cast<double>(count - 1)));
  };
  return {cell(box.left() - extent_.left(), cell_width_, columns_),
          cell(box.top() - extent_.top(), cell_height_, rows_),
          cell(box.right() - extent_.left(), cell_width_, columns_),
          cell(box.bottom() - extent_.top(), cell_height_, rows_)};
}

std::vector<int> RectangleGrid::in(const QRectF& area) const {
  std::vector<int> found;
  if (boxes_.empty() || !meets(area, extent_)) return found;
  if (area.contains(extent_)) {
    found.resize(boxes_.size());
    std::iota(found.begin(), found.end(), 0);
    return found;
  }
  const Cells cells = cells_of(area);
  for (int y = cells.top; y <= cells.bottom; ++y) {
    for (int x = cells.left; x <= cells.right; ++x) {
      const std::size_t cell = at(y) * at(columns_) + at(x);
      for (int i = starts_[cell]; i < starts_[cell + 1]; ++i) {
        const int member = members_[at(i)];
        if (!meets(boxes_[at(member)], area)) continue;
        // Of the cells that both cover, the first one reports the rectangle.
        const Cells own = cells_of(boxes_[at(member)]);
        if (std::max(own.left, cells.left) == x && std::max(own.top, cells.top) == y) found.push_back(member);
      }
    }
  }
  for (const int member : spanning_)
    if (meets(boxes_[at(member)], area)) found.push_back(member);
  sort_indices(found, boxes_.size());
  return found;
}

}  // namespace convscope::ui
