#pragma once
// Draws a scatter chart of a sweep: axes, points, the front, what is chosen and open, how much was seen.

#include <QPen>
#include <memory>
#include <optional>

#include "ui/views/machines/sweep_plot/plot_area.h"
#include "ui/views/machines/sweep_plot/sweep_painter.h"
#include "ui/views/machines/sweep_scatter/scatter_picture.h"

namespace convscope::ui {

inline constexpr QSizeF scatter_size(1000, 640);

class ScatterPainter : public SweepPainter<ScatterScene, ScatterPicture> {
 public:
  using SweepPainter::SweepPainter;

  /// The part of the axes that is seen; nothing: all of it.
  void set_window(const std::optional<QRectF>& window) { window_ = window; }
  QRectF window() const { return window_.value_or(scene().whole()); }

  /// Where points are drawn.
  PlotArea plot(const QRectF& area) const;
  std::optional<std::size_t> point_at(QPointF pixel, const QRectF& area) const;

  QSizeF preferred_size() const override { return scatter_size; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  QString reading(QPointF point, const QRectF& area) const override;

 private:
  void paint_points(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  void paint_vectors(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  QPen front_pen(const Theme& theme) const;
  void paint_front_line(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  void paint_marks(QPainter& painter, const PlotArea& plot, const Theme& theme) const;
  void paint_heading(QPainter& painter, const QRectF& area, const Theme& theme) const;
  double paint_rank_legend(QPainter& painter, const QRectF& box, double x, const Theme& theme) const;
  double paint_size_legend(QPainter& painter, const QRectF& box, double x, const Theme& theme) const;

  std::optional<QRectF> window_;
};

std::unique_ptr<ViewPainter> make_scatter_painter(const Snapshot& snapshot);

}  // namespace convscope::ui
