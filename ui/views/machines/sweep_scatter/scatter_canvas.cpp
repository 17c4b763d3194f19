#include "ui/views/machines/sweep_scatter/scatter_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace convscope::ui {
namespace {

constexpr double zoom_step = 1.25;
constexpr double smallest_share = 1e-6;  ///< of the whole, that can be seen
constexpr double pan_share = 0.1;

/// A stretch moved as little as needed to overlap the whole by half of itself.
double kept_near(double from, double length, double whole_from, double whole_length) {
  return std::clamp(from, whole_from - length / 2, whole_from + whole_length - length / 2);
}

}  // namespace

void ScatterCanvas::show_scene(std::shared_ptr<const ScatterScene> scene) {
  auto next = std::make_unique<ScatterPainter>(std::move(scene));
  if (painter_) {
    const auto& picture = painter_->picture();
    const ScatterScene &before = painter_->scene(), &now = next->scene();
    const bool same_axes = before.x_column().key == now.x_column().key && before.x().kind() == now.x().kind() &&
                           before.y_column().key == now.y_column().key && before.y().kind() == now.y().kind();
    if (same_axes && painter_->window() != before.whole()) next->set_window(painter_->window());
    if (picture && picture->resembles(now, theme())) next->set_picture(picture);
    // Rows move as others come in; points keep their numbers.
    if (const auto number = point(); number && before.table().space == now.table().space) {
      if (const auto row = now.table().row(*number)) next->set_cursor(now.point_of_row(*row));
    }
  }
  painter_ = std::move(next);
  if (on_cursor) on_cursor();
  want_picture();
}

void ScatterCanvas::forget_chart() {
  painter_.reset();
  if (on_cursor) on_cursor();
}

PictureJob::Work ScatterCanvas::next_picture() {
  const PlotArea plot = painter_->plot(area());
  const double ratio = devicePixelRatioF();
  const auto& shown = painter_->picture();
  if (shown && shown->shows(&painter_->scene(), plot.window, plot.pixels.size(), ratio, theme())) {
    update();
    return {};
  }
  return [this, scene = painter_->scene_pointer(), plot, ratio, colours = &theme()](const Job& job) {
    auto picture = draw_points(scene, plot.window, plot.pixels.size(), ratio, *colours, job.stop());
    return [this, picture] {
      if (painter_ && picture->resembles(painter_->scene(), theme())) painter_->set_picture(picture);
      update();
    };
  };
}

void ScatterCanvas::paint_chart(QPainter& painter) {
  if (painter_->picture() && painter_->picture()->resembles(painter_->scene(), theme()))
    return painter_->paint(painter, area(), theme());
  // Never drawn on this thread: the points come with the first picture.
  auto none = std::make_shared<ScatterPicture>();
  none->scene = painter_->scene_pointer();
  none->theme = &theme();
  none->window = painter_->window();
  none->size = painter_->plot(area()).pixels.size();
  painter_->set_picture(none);
  painter_->paint(painter, area(), theme());
}

void ScatterCanvas::set_window(const std::optional<QRectF>& window) {
  if (!painter_) return;
  painter_->set_window(window);
  want_picture();
  update();
}

void ScatterCanvas::fit() {
  set_window(std::nullopt);
}

void ScatterCanvas::zoom(double factor) {
  if (painter_) zoom_at(factor, painter_->plot(area()).pixels.center(), Qt::Horizontal | Qt::Vertical);
}

void ScatterCanvas::zoom_at(double factor, QPointF anchor, Qt::Orientations directions) {
  if (!painter_) return;
  const PlotArea plot = painter_->plot(area());
  const QPointF held = plot.place(anchor);
  const QRectF whole = painter_->scene().whole();
  QRectF next = plot.window;
  if (directions & Qt::Horizontal) {
    const double width = std::clamp(plot.window.width() / factor, whole.width() * smallest_share, whole.width());
    const double share = (held.x() - plot.window.left()) / plot.window.width();
    next.moveLeft(kept_near(held.x() - share * width, width, whole.left(), whole.width()));
    next.setWidth(width);
  }
  if (directions & Qt::Vertical) {
    const double height = std::clamp(plot.window.height() / factor, whole.height() * smallest_share, whole.height());
    const double share = (held.y() - plot.window.top()) / plot.window.height();
    next.moveTop(kept_near(held.y() - share * height, height, whole.top(), whole.height()));
    next.setHeight(height);
  }
  set_window(next == whole ? std::nullopt : std::optional(next));
}

std::optional<std::uint64_t> ScatterCanvas::point() const {
  if (!painter_ || !painter_->cursor()) return std::nullopt;
  return painter_->scene().number(*painter_->cursor());
}

QString ScatterCanvas::text_of(std::size_t point) const {
  const QString described = describe ? describe(painter_->scene().number(point)) : QString();
  return described.isEmpty() ? painter_->scene().reading(point) : described + painter_->scene().company(point);
}

void ScatterCanvas::set_cursor(const std::optional<std::size_t>& point, QPoint where) {
  if (!point) {
    QToolTip::hideText();
    return;
  }
  const bool moved = painter_->cursor() != point;
  painter_->set_cursor(point);
  const QString text = text_of(*point);
  if (moved) setAccessibleDescription(text);
  QToolTip::showText(where, text, this);
  if (moved && on_cursor) on_cursor();
  if (moved) update();
}

void ScatterCanvas::walk(int step) {
  if (!painter_ || painter_->scene().front().empty()) return;
  const auto& front = painter_->scene().front();
  const auto last = static_cast<std::ptrdiff_t>(front.size()) - 1;
  std::ptrdiff_t at = step > 0 ? 0 : last;
  if (painter_->cursor()) {
    const auto found = std::find(front.begin(), front.end(), *painter_->cursor());
    if (found != front.end()) at = std::clamp<std::ptrdiff_t>(found - front.begin() + step, 0, last);
  }
  const std::size_t point = front[static_cast<std::size_t>(at)];
  const PlotArea plot = painter_->plot(area());
  const QPointF pixel = plot.pixel(QPointF(painter_->scene().points()[point].x, painter_->scene().points()[point].y));
  if (!plot.pixels.contains(pixel)) {
    QRectF window = plot.window;
    window.moveCenter(plot.place(pixel));
    set_window(window);
  }
  const PlotArea seen = painter_->plot(area());
  const ScatterPoint& shown = painter_->scene().points()[point];
  set_cursor(point, mapToGlobal(seen.pixel(QPointF(shown.x, shown.y)).toPoint()));
}

void ScatterCanvas::wheelEvent(QWheelEvent* event) {
  if (!painter_) return;
  const PlotArea plot = painter_->plot(area());
  // Over an axis the wheel zooms that axis alone.
  Qt::Orientations directions = Qt::Horizontal | Qt::Vertical;
  if (event->position().x() < plot.pixels.left()) directions = Qt::Vertical;
  if (event->position().y() > plot.pixels.bottom()) directions = Qt::Horizontal;
  zoom_at(std::pow(zoom_step, event->angleDelta().y() / 120.0), event->position(), directions);
  event->accept();
}

void ScatterCanvas::mousePressEvent(QMouseEvent* event) {
  if (!painter_ || event->button() == Qt::RightButton) return;
  pressed_ = event->position();
  pressed_window_ = painter_->window();
  pressed_here_ = true;
  dragging_ = false;
}

void ScatterCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!painter_) return;
  if (pressed_here_ && (event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
    const QPointF moved = event->position() - pressed_;
    dragging_ = dragging_ || moved.manhattanLength() >= QApplication::startDragDistance();
    if (!dragging_) return;
    const QSizeF scale = painter_->plot(area()).pixels_per_unit();
    const QRectF whole = painter_->scene().whole();
    QRectF next = pressed_window_;
    next.moveLeft(kept_near(next.left() - moved.x() / scale.width(), next.width(), whole.left(), whole.width()));
    next.moveTop(kept_near(next.top() + moved.y() / scale.height(), next.height(), whole.top(), whole.height()));
    return set_window(next);
  }
  const auto found = painter_->point_at(event->position(), area());
  setCursor(found ? Qt::PointingHandCursor : Qt::ArrowCursor);
  const bool heading = event->position().y() < painter_->plot(area()).pixels.top();
  if (heading)
    QToolTip::showText(event->globalPosition().toPoint(), painter_->reading(event->position(), area()), this);
  else
    set_cursor(found, event->globalPosition().toPoint());
}

void ScatterCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = pressed_here_ && !dragging_ && event->button() == Qt::LeftButton;
  pressed_here_ = false;
  if (!painter_ || !click) return;
  const auto found = painter_->point_at(event->position(), area());
  if (!found) return;
  set_cursor(found, event->globalPosition().toPoint());
  act_on(painter_->scene().number(*found), event->modifiers());
}

void ScatterCanvas::keyPressEvent(QKeyEvent* event) {
  if (on_key && on_key(*event)) return;
  const auto pan = [this](double right, double up) {
    if (!painter_) return;
    const QRectF seen = painter_->window(), whole = painter_->scene().whole();
    QRectF next = seen;
    next.moveLeft(kept_near(seen.left() + right * seen.width(), seen.width(), whole.left(), whole.width()));
    next.moveTop(kept_near(seen.top() + up * seen.height(), seen.height(), whole.top(), whole.height()));
    set_window(next);
  };
  const bool shifted = event->modifiers().testFlag(Qt::ShiftModifier);
  switch (event->key()) {
    case Qt::Key_Left:
      return shifted ? pan(-pan_share, 0) : walk(-1);
    case Qt::Key_Right:
      return shifted ? pan(pan_share, 0) : walk(1);
    case Qt::Key_Up:
      return pan(0, pan_share);
    case Qt::Key_Down:
      return pan(0, -pan_share);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(zoom_step);
    case Qt::Key_Minus:
      return zoom(1 / zoom_step);
    case Qt::Key_0:
    case Qt::Key_F:
      return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto at = point(); at && on_open) on_open(*at);
      return;
    case Qt::Key_Space:
      if (const auto at = point(); at && on_choose) on_choose(*at);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace convscope::ui
