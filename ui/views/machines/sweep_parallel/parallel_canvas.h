#pragma once
// Parallel coordinates in the window: brushes, axes that are moved and turned over, lines under the pointer.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ui/views/machines/sweep_parallel/brush_edit.h"
#include "ui/views/machines/sweep_parallel/parallel_painter.h"
#include "ui/views/machines/sweep_plot/sweep_canvas.h"

namespace convscope::ui {

class ParallelCanvas : public SweepCanvas {
 public:
  using SweepCanvas::SweepCanvas;

  void show_scene(std::shared_ptr<const ParallelScene> scene);
  /// Null while a message is shown.
  ParallelPainter* painter() const { return painter_.get(); }

  using EditLook = std::function<void(SweepLook& look)>;
  std::function<void(const EditLook& edit)> on_edit;

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool has_chart() const override { return painter_ != nullptr; }
  void forget_chart() override { painter_.reset(); }
  void paint_chart(QPainter& painter) override;
  PictureJob::Work next_picture() override;

 private:
  enum class Grip { none, line, title, fresh, brush };
  struct Drag {
    Grip grip = Grip::none;
    std::string axis;  ///< column
    QPointF from;
    BrushRange brush;  ///< as it was
    BrushPart part = BrushPart::whole;
    bool moved = false;
  };

  Drag grip_at(QPointF point) const;
  void drag_to(QPointF point);
  void hover(QPointF point, QPoint where);
  std::optional<std::size_t> axis_of(const std::string& column) const;
  void set_brush(const std::string& column, const std::optional<BrushRange>& brush);
  void move_axis(const std::string& column, std::size_t place);
  void turn_over(const std::string& column);
  void set_logarithmic(const std::string& column, bool on);
  void hide_axis(const std::string& column);
  void focus_axis(int axis);
  bool axis_key(const QKeyEvent& event);
  void nudge(const ParallelAxis& axis, const QKeyEvent& event);
  void tell_axis();

  std::unique_ptr<ParallelPainter> painter_;
  Drag drag_;
  int focus_ = -1;
};

}  // namespace convscope::ui
