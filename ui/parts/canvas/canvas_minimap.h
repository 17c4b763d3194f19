#pragma once
// The whole picture in a corner of a large one, with a frame around what is seen; a click or drag moves there.

#include <QPixmap>
#include <QWidget>

namespace convscope::ui {

class CanvasWidget;
struct Theme;

class CanvasMinimap : public QWidget {
 public:
  explicit CanvasMinimap(CanvasWidget& canvas);

  /// Another picture, theme or size: paints anew.
  void refresh();
  /// Another viewport: shows itself only where most of the content is out of sight.
  void follow();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override { (void)event; }

 private:
  QSize wanted_size() const;
  QRectF map() const { return QRectF(rect()).adjusted(3, 3, -3, -3); }
  void move_to(QPointF point);

  CanvasWidget& canvas_;
  QPixmap picture_;
};

}  // namespace convscope::ui
