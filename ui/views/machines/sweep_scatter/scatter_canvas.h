#pragma once
// The scatter chart in the window: moves, zooms, finds points under the pointer and along the front.

#include <functional>
#include <memory>
#include <optional>

#include "ui/views/machines/sweep_plot/sweep_canvas.h"
#include "ui/views/machines/sweep_scatter/scatter_painter.h"

namespace convscope::ui {

class ScatterCanvas : public SweepCanvas {
 public:
  using SweepCanvas::SweepCanvas;

  /// Shows another scene, made by the next picture job; the window is kept as long as the axes stay the same.
  void show_scene(std::shared_ptr<const ScatterScene> scene);
  /// Null while a message is shown.
  ScatterPainter* painter() const { return painter_.get(); }

  void fit();
  void zoom(double factor);
  /// The next point of the front to the right or left; reads it out.
  void walk(int step);
  /// Number in the space of the point that pointer or keyboard are at.
  std::optional<std::uint64_t> point() const;

  std::function<void()> on_cursor;
  std::function<bool(const QKeyEvent& event)> on_key;

 protected:
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool has_chart() const override { return painter_ != nullptr; }
  void forget_chart() override;
  void paint_chart(QPainter& painter) override;
  PictureJob::Work next_picture() override;

 private:
  void zoom_at(double factor, QPointF anchor, Qt::Orientations directions);
  void set_window(const std::optional<QRectF>& window);
  void set_cursor(const std::optional<std::size_t>& point, QPoint where);
  QString text_of(std::size_t point) const;

  std::unique_ptr<ScatterPainter> painter_;
  QPointF pressed_;
  QRectF pressed_window_;
  bool dragging_ = false, pressed_here_ = false;
};

}  // namespace convscope::ui
