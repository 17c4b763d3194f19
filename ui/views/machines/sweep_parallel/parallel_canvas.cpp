#include "ui/views/machines/sweep_parallel/parallel_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr double axis_reach = 9, end_reach = 5, beyond = 10;  ///< pixels

}  // namespace

void ParallelCanvas::show_scene(std::shared_ptr<const ParallelScene> scene) {
  auto next = std::make_unique<ParallelPainter>(std::move(scene));
  if (painter_) {
    next->set_picture(painter_->picture());
    const explore::SweepTable &before = painter_->scene().table(), &now = next->scene().table();
    // Rows move as others come in; points keep their numbers.
    if (painter_->cursor() && before.space == now.space) next->set_cursor(now.row(before.points[*painter_->cursor()]));
  }
  focus_ = std::min(focus_, static_cast<int>(next->scene().axes().size()) - 1);
  next->set_focus(focus_);
  painter_ = std::move(next);
  tell_axis();
  want_picture();
  update();
}

PictureJob::Work ParallelCanvas::next_picture() {
  const ParallelLayout layout = painter_->layout(area());
  const double ratio = devicePixelRatioF();
  const auto before = painter_->picture();
  if (before && before->shows(&painter_->scene(), layout.lines.size(), ratio, theme())) {
    update();
    return {};
  }
  return [this, scene = painter_->scene_pointer(), layout, ratio, before, colours = &theme()](const Job& job) {
    auto picture = draw_lines(scene, layout, ratio, *colours, before.get(), job.stop());
    return [this, picture] {
      if (painter_) painter_->set_picture(picture);
      update();
    };
  };
}

void ParallelCanvas::paint_chart(QPainter& painter) {
  if (!painter_->picture() || painter_->picture()->theme != &theme()) {
    // Never drawn on this thread: the lines come with the first picture.
    auto none = std::make_shared<ParallelPicture>();
    none->theme = &theme();
    painter_->set_picture(none);
  }
  painter_->paint(painter, area(), theme());
}

std::optional<std::size_t> ParallelCanvas::axis_of(const std::string& column) const {
  if (!painter_) return std::nullopt;
  const auto& axes = painter_->scene().axes();
  const auto found =
      std::find_if(axes.begin(), axes.end(), [&](const auto& axis) { return axis.column->key == column; });
  if (found == axes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - axes.begin());
}

ParallelCanvas::Drag ParallelCanvas::grip_at(QPointF point) const {
  Drag drag;
  drag.from = point;
  const ParallelLayout layout = painter_->layout(area());
  const auto& axes = painter_->scene().axes();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!layout.title(i).contains(point)) continue;
    drag.grip = Grip::title;
    drag.axis = axes[i].column->key;
    return drag;
  }
  const int axis = layout.axis_at(point.x(), axis_reach);
  const bool beside = point.y() < layout.box.top() - beyond || point.y() > layout.box.bottom() + beyond;
  if (axis < 0 || beside) {
    drag.grip = layout.lines.contains(point) ? Grip::line : Grip::none;
    return drag;
  }
  const auto index = static_cast<std::size_t>(axis);
  drag.axis = axes[index].column->key;
  drag.grip = Grip::fresh;
  const BrushRange* brush = painter_->scene().brush(index);
  if (brush == nullptr) return drag;
  const QRectF box = brush_box(layout, axes[index], layout.x[index], *brush);
  if (point.y() < box.top() - end_reach || point.y() > box.bottom() + end_reach) return drag;
  drag.grip = Grip::brush;
  drag.brush = *brush;
  const double to_top = std::abs(point.y() - box.top()), to_bottom = std::abs(point.y() - box.bottom());
  if (std::min(to_top, to_bottom) <= std::min(end_reach, box.height() / 3))
    drag.part = to_top < to_bottom ? BrushPart::upper : BrushPart::lower;
  return drag;
}

void ParallelCanvas::mousePressEvent(QMouseEvent* event) {
  if (!painter_ || event->button() != Qt::LeftButton) return;
  drag_ = grip_at(event->position());
}

void ParallelCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!painter_) return;
  if (!(event->buttons() & Qt::LeftButton) || drag_.grip == Grip::none)
    return hover(event->position(), event->globalPosition().toPoint());
  const QPointF moved = event->position() - drag_.from;
  drag_.moved = drag_.moved || moved.manhattanLength() >= QApplication::startDragDistance();
  if (drag_.moved) drag_to(event->position());
}

void ParallelCanvas::drag_to(QPointF point) {
  const auto index = axis_of(drag_.axis);
  if (!index) return;
  const ParallelLayout layout = painter_->layout(area());
  const ParallelAxis& axis = painter_->scene().axes()[*index];
  if (drag_.grip == Grip::title) {
    painter_->set_moving(ParallelPainter::Moving{*index, point.x()});
    return update();
  }
  const double from = layout.share(drag_.from.y()), to = layout.share(point.y());
  if (drag_.grip == Grip::fresh) set_brush(drag_.axis, brush_between(axis, from, to));
  if (drag_.grip == Grip::brush) set_brush(drag_.axis, moved_brush(axis, drag_.brush, drag_.part, to - from));
}

void ParallelCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (!painter_ || event->button() != Qt::LeftButton) return;
  const Drag drag = std::exchange(drag_, {});
  painter_->set_moving(std::nullopt);
  update();
  if (drag.moved) {
    if (drag.grip == Grip::title) move_axis(drag.axis, painter_->layout(area()).place_at(event->position().x()));
    return;
  }
  if (drag.grip == Grip::title) return turn_over(drag.axis);
  if (drag.grip == Grip::fresh || drag.grip == Grip::brush) {
    if (const auto index = axis_of(drag.axis)) focus_axis(static_cast<int>(*index));
    return set_brush(drag.axis, std::nullopt);
  }
  const auto row = painter_->row_at(event->position(), area());
  if (drag.grip != Grip::line || !row) return;
  act_on(painter_->scene().table().points[*row], event->modifiers());
}

void ParallelCanvas::hover(QPointF point, QPoint where) {
  const Drag would = grip_at(point);
  Qt::CursorShape shape = Qt::ArrowCursor;
  if (would.grip == Grip::title) shape = Qt::OpenHandCursor;
  if (would.grip == Grip::fresh) shape = Qt::CrossCursor;
  if (would.grip == Grip::brush) shape = would.part == BrushPart::whole ? Qt::SizeAllCursor : Qt::SizeVerCursor;
  const auto row = would.grip == Grip::line ? painter_->row_at(point, area()) : std::nullopt;
  if (row) shape = Qt::PointingHandCursor;
  setCursor(shape);
  if (row != painter_->cursor()) {
    painter_->set_cursor(row);
    update();
  }
  QString text = row && describe ? describe(painter_->scene().table().points[*row]) : QString();
  if (text.isEmpty() && would.grip != Grip::fresh) text = painter_->reading(point, area());
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(where, text, this);
}

void ParallelCanvas::leaveEvent(QEvent* event) {
  if (painter_) painter_->set_cursor(std::nullopt);
  update();
  SweepCanvas::leaveEvent(event);
}

void ParallelCanvas::set_brush(const std::string& column, const std::optional<BrushRange>& brush) {
  if (!on_edit) return;
  on_edit([&](SweepLook& look) {
    if (brush)
      look.brushes[column] = *brush;
    else
      look.brushes.erase(column);
  });
}

void ParallelCanvas::move_axis(const std::string& column, std::size_t place) {
  if (!on_edit) return;
  on_edit([&](SweepLook& look) {
    auto order = axis_order(painter_->scene().table(), look.parallel);
    const auto found = std::find(order.begin(), order.end(), column);
    if (found == order.end()) return;
    const auto from = static_cast<std::size_t>(found - order.begin());
    order.erase(found);
    const std::size_t to = std::min(place > from ? place - 1 : place, order.size());
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), column);
    look.parallel.order = order;
  });
}

void ParallelCanvas::turn_over(const std::string& column) {
  if (!on_edit) return;
  on_edit([&](SweepLook& look) {
    if (look.parallel.flipped.erase(column) == 0) look.parallel.flipped.insert(column);
  });
}

void ParallelCanvas::set_logarithmic(const std::string& column, bool on) {
  if (!on_edit) return;
  on_edit([&](SweepLook& look) {
    look.parallel.logarithmic.erase(column);
    if (on) look.parallel.logarithmic.insert(column);
  });
}

void ParallelCanvas::hide_axis(const std::string& column) {
  if (!on_edit) return;
  on_edit([&](SweepLook& look) { show_axis(look, column, false); });
}

void ParallelCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (!painter_) return;
  const ParallelLayout layout = painter_->layout(area());
  int index = layout.axis_at(event->pos().x(), layout.gap / 2);
  if (event->reason() == QContextMenuEvent::Keyboard) index = focus_;
  if (index < 0 || static_cast<std::size_t>(index) >= painter_->scene().axes().size()) return;
  const ParallelAxis& axis = painter_->scene().axes()[static_cast<std::size_t>(index)];
  const std::string column = axis.column->key;
  QMenu menu(this);
  menu.setAccessibleName(axis.scale.title());
  menu.addAction(tr("Turn over (R)"), this, [this, column] { turn_over(column); });
  auto* logarithmic = menu.addAction(tr("Logarithmic (L)"));
  logarithmic->setCheckable(true);
  logarithmic->setChecked(axis.scale.kind() == PlotScale::Kind::logarithmic);
  logarithmic->setEnabled(axis.scale.kind() != PlotScale::Kind::named);
  connect(logarithmic, &QAction::triggered, this, [this, column](bool on) { set_logarithmic(column, on); });
  menu.addAction(tr("Hide this axis"), this, [this, column] { hide_axis(column); });
  menu.addAction(tr("Clear its brush (Delete)"), this, [this, column] { set_brush(column, std::nullopt); });
  menu.exec(event->globalPos());
}

void ParallelCanvas::focus_axis(int axis) {
  if (!painter_ || painter_->scene().axes().empty()) return;
  focus_ = std::clamp(axis, 0, static_cast<int>(painter_->scene().axes().size()) - 1);
  painter_->set_focus(focus_);
  tell_axis();
  update();
}

void ParallelCanvas::tell_axis() {
  if (!painter_ || focus_ < 0) return;
  const ParallelScene& scene = painter_->scene();
  const auto index = static_cast<std::size_t>(focus_);
  const explore::SweepColumn& column = *scene.axes()[index].column;
  QString text = scene.axes()[index].scale.title();
  if (const BrushRange* brush = scene.brush(index))
    text += tr(", brush from %1 to %2").arg(column_value(column, brush->from), column_value(column, brush->to));
  text += tr(", %1 of %2 points within all brushes").arg(scene.within().size()).arg(scene.table().rows());
  setAccessibleDescription(text);
}

void ParallelCanvas::nudge(const ParallelAxis& axis, const QKeyEvent& event) {
  const double direction = event.key() == Qt::Key_Up ? 1 : -1;
  const bool named = axis.scale.kind() == PlotScale::Kind::named;
  const double step = named ? 1 / (axis.scale.last() - axis.scale.first()) : 0.02;
  const auto found = painter_->scene().look().brushes.find(axis.column->key);
  if (found == painter_->scene().look().brushes.end())
    return set_brush(axis.column->key, brush_between(axis, 0.5, direction > 0 ? 1 : 0));
  BrushPart part = BrushPart::whole;
  if (event.modifiers().testFlag(Qt::ShiftModifier)) part = BrushPart::upper;
  if (event.modifiers().testFlag(Qt::ControlModifier)) part = BrushPart::lower;
  set_brush(axis.column->key, moved_brush(axis, found->second, part, direction * step));
}

bool ParallelCanvas::axis_key(const QKeyEvent& event) {
  if (!painter_ || focus_ < 0 || static_cast<std::size_t>(focus_) >= painter_->scene().axes().size()) return false;
  const ParallelAxis& axis = painter_->scene().axes()[static_cast<std::size_t>(focus_)];
  const std::string column = axis.column->key;
  switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      nudge(axis, event);
      return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      set_brush(column, std::nullopt);
      return true;
    case Qt::Key_R:
      turn_over(column);
      return true;
    case Qt::Key_L:
      if (axis.scale.kind() != PlotScale::Kind::named)
        set_logarithmic(column, axis.scale.kind() != PlotScale::Kind::logarithmic);
      return true;
    default:
      return false;
  }
}

void ParallelCanvas::keyPressEvent(QKeyEvent* event) {
  if (axis_key(*event)) return;
  const bool shifted = event->modifiers().testFlag(Qt::ShiftModifier);
  const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (step != 0 && painter_ && !painter_->scene().axes().empty()) {
    const int last = static_cast<int>(painter_->scene().axes().size()) - 1;
    const int next = std::clamp(focus_ + step, 0, last);
    if (shifted && focus_ >= 0 && next != focus_)
      move_axis(painter_->scene().axes()[static_cast<std::size_t>(focus_)].column->key,
                static_cast<std::size_t>(step > 0 ? next + 1 : next));
    return focus_axis(next);
  }
  if (event->key() == Qt::Key_Escape && on_edit) return on_edit([](SweepLook& look) { look.brushes.clear(); });
  QWidget::keyPressEvent(event);
}

void ParallelCanvas::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  if (!painter_) return;
  painter_->set_focus(-1);
  focus_ = -1;
  update();
}

}  // namespace convscope::ui
