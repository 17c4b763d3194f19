#pragma once
// The scatter chart in the window: moves, zooms, finds points under the pointer and along the front.

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "ui/jobs/picture_job.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/machines/sweep_scatter/scatter_painter.h"

namespace convscope::ui {

class ScatterCanvas : public QWidget {
 public:
  explicit ScatterCanvas(QWidget* parent);

  /// Shows another scene, made by the next picture job; the window is kept as long as the axes stay the same.
  void show_scene(std::shared_ptr<const ScatterScene> scene);
  void show_message(const QString& message);
  void set_theme(const Theme& theme);
  /// Null while a message is shown.
  ScatterPainter* painter() const { return painter_.get(); }
  QRectF area() const { return QRectF(rect()); }

  void fit();
  void zoom(double factor);
  /// The next point of the front to the right or left; reads it out.
  void walk(int step);
  /// Number in the space of the point that pointer or keyboard are at.
  std::optional<std::uint64_t> point() const;
  bool idle() const { return job_.idle(); }

  std::function<void(std::uint64_t point)> on_open, on_choose;
  std::function<void()> on_cursor;
  std::function<bool(const QKeyEvent& event)> on_key;
  /// What is told about a point; the painter's reading if there is none.
  std::function<QString(std::uint64_t point)> describe;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void zoom_at(double factor, QPointF anchor, Qt::Orientations directions);
  void set_window(const std::optional<QRectF>& window);
  void set_cursor(const std::optional<std::size_t>& point, QPoint where);
  PictureJob::Work next_picture();
  QString text_of(std::size_t point) const;

  const Theme* theme_;
  std::unique_ptr<ScatterPainter> painter_;
  MessagePainter message_;
  PictureJob job_;
  QPointF pressed_;
  QRectF pressed_window_;
  bool dragging_ = false, pressed_here_ = false;
};

}  // namespace convscope::ui
