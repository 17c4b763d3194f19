#pragma once
// Draws parallel coordinates of a sweep: axes with ticks, lines, brushes, the front on top.

#include <memory>
#include <optional>

#include "ui/model/view.h"
#include "ui/views/machines/sweep_parallel/parallel_picture.h"

namespace convscope::ui {

inline constexpr QSizeF parallel_size(1200, 640);

class ParallelPainter : public ViewPainter {
 public:
  explicit ParallelPainter(std::shared_ptr<const ParallelScene> scene) : scene_(std::move(scene)) {}

  const ParallelScene& scene() const { return *scene_; }
  const std::shared_ptr<const ParallelScene>& scene_pointer() const { return scene_; }
  /// Lines that were drawn already; without, each painting draws them.
  void set_picture(std::shared_ptr<const ParallelPicture> picture) { picture_ = std::move(picture); }
  const std::shared_ptr<const ParallelPicture>& picture() const { return picture_; }
  /// A row that is marked because the pointer is at it.
  void set_cursor(const std::optional<std::size_t>& row) { cursor_ = row; }
  const std::optional<std::size_t>& cursor() const { return cursor_; }
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
  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override;

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

  std::shared_ptr<const ParallelScene> scene_;
  std::shared_ptr<const ParallelPicture> picture_;
  std::optional<std::size_t> cursor_;
  std::optional<Moving> moving_;
  int focus_ = -1;
};

/// A brush on an axis as the pixels that it covers.
QRectF brush_box(const ParallelLayout& layout, const ParallelAxis& axis, double x, const BrushRange& brush);

std::unique_ptr<ViewPainter> make_parallel_painter(const Snapshot& snapshot);

}  // namespace convscope::ui
