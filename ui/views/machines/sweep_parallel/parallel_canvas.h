#pragma once
// Parallel coordinates in the window: brushes, axes that are moved and turned over, lines under the pointer.

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ui/jobs/picture_job.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/machines/sweep_parallel/brush_edit.h"
#include "ui/views/machines/sweep_parallel/parallel_painter.h"

namespace convscope::ui {

class ParallelCanvas : public QWidget {
 public:
  explicit ParallelCanvas(QWidget* parent);

  void show_scene(std::shared_ptr<const ParallelScene> scene);
  void show_message(const QString& message);
  void set_theme(const Theme& theme);
  /// Null while a message is shown.
  ParallelPainter* painter() const { return painter_.get(); }
  QRectF area() const { return QRectF(rect()); }
  bool idle() const { return job_.idle(); }

  using EditLook = std::function<void(SweepLook& look)>;
  std::function<void(const EditLook& edit)> on_edit;
  std::function<void(std::uint64_t point)> on_open, on_choose;
  /// What is told about a point; the painter's reading if there is none.
  std::function<QString(std::uint64_t point)> describe;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

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
  PictureJob::Work next_picture();

  const Theme* theme_;
  std::unique_ptr<ParallelPainter> painter_;
  MessagePainter message_;
  PictureJob job_;
  Drag drag_;
  int focus_ = -1;
};

}  // namespace convscope::ui
