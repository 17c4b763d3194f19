#pragma once
// Draws parallel coordinates of a sweep: axes with ticks, lines, brushes, the front on top.

#include <memory>
#include <optional>

#include "ui/views/machines/sweep_parallel/parallel_picture.h"
#include "ui/views/machines/sweep_plot/sweep_painter.h"

namespace convscope::ui {

inline constexpr QSizeF parallel_size(1200, 640);

class ParallelPainter : public SweepPainter<ParallelScene, ParallelPicture> {
 public:
  using SweepPainter::SweepPainter;

  /// The axis that the keyboard is at; -1: none.
  void set_focus(int axis) { focus_ = axis; }
  /// While an axis is dragged: which, and where it would be dropped.
  struct Moving {
    std::size_t axis = 0;
    double pixel = 0;
  };
  void set_moving(const std::optional<Moving>& moving) { moving_ = moving; }

  ParallelLayout layout(const QRectF& area) const;
  std::optional<std::size_t> row_at(QPointF pixel, const QRectF& area) const;

  QSizeF preferred_size() const override { return parallel_size; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  QString reading(QPointF point, const QRectF& area) const override;

 private:
  void paint_lines(QPainter& painter, const ParallelLayout& layout, const Theme& theme) const;
  void paint_axis(QPainter& painter, const ParallelLayout& layout, std::size_t axis, const Theme& theme) const;
  void paint_ticks(QPainter& painter, const ParallelLayout& layout, std::size_t axis, const Theme& theme) const;
  void paint_title(QPainter& painter, const ParallelLayout& layout, std::size_t axis, const Theme& theme) const;
  void paint_brush(QPainter& painter, const ParallelLayout& layout, std::size_t axis, const Theme& theme) const;
  void paint_rows(QPainter& painter, const ParallelLayout& layout, const Theme& theme) const;
  void paint_row(QPainter& painter, const ParallelLayout& layout, std::size_t row, const QPen& pen, bool cased,
                 const Theme& theme) const;
  void paint_heading(QPainter& painter, const QRectF& area, const Theme& theme) const;

  std::optional<Moving> moving_;
  int focus_ = -1;
};

/// A brush on an axis as the pixels that it covers.
QRectF brush_box(const ParallelLayout& layout, const ParallelAxis& axis, double x, const BrushRange& brush);

std::unique_ptr<ViewPainter> make_parallel_painter(const Snapshot& snapshot);

}  // namespace convscope::ui
