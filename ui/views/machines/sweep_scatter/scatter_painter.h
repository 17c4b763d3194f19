#pragma once
// Draws a scatter chart of a sweep: axes, points, the front, what is chosen and open, how much was seen.

#include <QPen>
#include <memory>
#include <optional>

#include "ui/model/view.h"
#include "ui/views/machines/sweep_plot/plot_area.h"
#include "ui/views/machines/sweep_scatter/scatter_picture.h"

namespace convscope::ui {

inline constexpr QSizeF scatter_size(1000, 640);

class ScatterPainter : public ViewPainter {
 public:
  explicit ScatterPainter(std::shared_ptr<const ScatterScene> scene) : scene_(std::move(scene)) {}

  const ScatterScene& scene() const { return *scene_; }
  const std::shared_ptr<const ScatterScene>& scene_pointer() const { return scene_; }
  /// The part of the axes that is seen; nothing: all of it.
  void set_window(const std::optional<QRectF>& window) { window_ = window; }
  QRectF window() const { return window_.value_or(scene_->whole()); }
  /// Points that were drawn already; without, each painting draws them.
  void set_picture(std::shared_ptr<const ScatterPicture> picture) { picture_ = std::move(picture); }
  const std::shared_ptr<const ScatterPicture>& picture() const { return picture_; }
  /// A point that is marked because pointer or keyboard are at it.
  void set_cursor(const std::optional<std::size_t>& point) { cursor_ = point; }
  const std::optional<std::size_t>& cursor() const { return cursor_; }

  /// Where points are drawn.
  PlotArea plot(const QRectF& area) const;
  std::optional<std::size_t> point_at(QPointF pixel, const QRectF& area) const;

  QSizeF preferred_size() const override { return scatter_size; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override;

 private:
  void paint_points(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  void paint_vectors(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  QPen front_pen(const Theme& theme) const;
  void paint_front_line(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  void paint_marks(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  void paint_heading(QPainter& painter, const QRectF& area, const Theme& theme) const;
  double paint_rank_legend(QPainter& painter, const QRectF& box, double x, const Theme& theme) const;
  double paint_size_legend(QPainter& painter, const QRectF& box, double x, const Theme& theme) const;

  std::shared_ptr<const ScatterScene> scene_;
  std::optional<QRectF> window_;
  std::shared_ptr<const ScatterPicture> picture_;
  std::optional<std::size_t> cursor_;
};

std::unique_ptr<ViewPainter> make_scatter_painter(const Snapshot& snapshot);

}  // namespace convscope::ui
