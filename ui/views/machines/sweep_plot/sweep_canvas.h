#pragma once
// What a chart of a sweep is drawn on: a picture made away from the window's thread, or words why there is none.

#include <QWidget>
#include <cstdint>
#include <functional>

#include "ui/jobs/picture_job.h"
#include "ui/parts/canvas/message_painter.h"

namespace convscope::ui {

class SweepCanvas : public QWidget {
 public:
  explicit SweepCanvas(QWidget* parent);

  void show_message(const QString& message);
  void set_theme(const Theme& theme);
  QRectF area() const { return QRectF(rect()); }
  bool idle() const { return pictures_.idle(); }

  std::function<void(std::uint64_t point)> on_open, on_choose;
  /// What is told about a point; the painter's reading if there is none.
  std::function<QString(std::uint64_t point)> describe;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void leaveEvent(QEvent* event) override;

  const Theme& theme() const { return *theme_; }
  void want_picture() { pictures_.want(); }
  /// Opens the point, or chooses it if Ctrl is held.
  void act_on(std::uint64_t point, Qt::KeyboardModifiers held);

  /// False while a message is shown.
  virtual bool has_chart() const = 0;
  virtual void forget_chart() = 0;
  /// Of a chart, never while there is none; may have to do with what an older picture shows.
  virtual void paint_chart(QPainter& painter) = 0;
  /// Draws the chart as it is to be seen now; asked for only while there is one.
  virtual PictureJob::Work next_picture() = 0;

 private:
  const Theme* theme_;
  MessagePainter message_;
  PictureJob pictures_;
};

}  // namespace convscope::ui
