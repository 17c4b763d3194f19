#pragma once
// Shows a CanvasPainter: zoom (Ctrl+wheel, +, -), pan (drag, wheel, arrows), reading under the pointer, click selects.

#include <QAbstractScrollArea>
#include <functional>
#include <memory>

#include "ui/model/view_position.h"
#include "ui/parts/canvas/canvas.h"

namespace convscope::ui {

class CanvasMinimap;

class CanvasWidget : public QAbstractScrollArea, public ViewPosition {
 public:
  explicit CanvasWidget(QWidget* parent);

  /// Replaces the picture; the viewport is kept if it shows the same layer and program.
  void set_painter(std::shared_ptr<CanvasPainter> painter, const Theme& theme);
  CanvasPainter* painter() const { return painter_.get(); }
  const Theme& theme() const { return *theme_; }
  /// What the painter paints on.
  QRectF area() const;
  void set_theme(const Theme& theme);
  /// Marks a selection, and scrolls to it unless it was made here.
  void select(const artifact::Ref& selection);
  void fit();
  void zoom(double factor);
  /// Scrolls as little as needed; content units.
  void reveal(const QRectF& content);

  /// Puts a point into the top left corner, as far as the content reaches; out of a fit, at a legible zoom.
  void scroll_to(QPointF content);
  /// Centres the view on a point; content units.
  void centre_on(QPointF content);

  QString position() const override;
  void restore_position(const QString& position) override;

  std::function<void(const artifact::Ref&)> on_select;
  /// Asked before a click selects, before a double click and a key do anything; true: it was meant for the view.
  std::function<bool(QPointF point)> on_click, on_double_click;
  std::function<bool(const QKeyEvent& event)> on_key;

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  void zoom_at(double factor, QPointF anchor);
  void set_viewport(const Viewport& viewport);
  void update_scroll_bars();
  void open_picture();
  bool take_position();

  std::shared_ptr<CanvasPainter> painter_;
  CanvasMinimap* minimap_;
  const Theme* theme_;
  QPointF pressed_;
  QPointF pressed_origin_;
  bool dragging_ = false, moving_bars_ = false, opened_ = false;
  artifact::Ref own_selection_;
  QString wanted_position_;  ///< of a session, until its picture is there
};

}  // namespace convscope::ui
