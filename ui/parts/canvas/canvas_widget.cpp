#include "ui/parts/canvas/canvas_widget.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/parts/canvas/canvas_minimap.h"

namespace convscope::ui {
namespace {

constexpr double zoom_step = 1.25;
constexpr double longest_bar = 1e9;  // scroll bars count in int
constexpr qsizetype position_parts = 7;

QString subject_text(const artifact::Ref& subject) {
  return QStringLiteral("%1 %2 %3").arg(subject.layer).arg(subject.program).arg(subject.cycle);
}

/// One axis of a scroll bar over content that may be longer than an int of pixels.
void set_bar(QScrollBar& bar, double origin, double content, double seen, double scale) {
  const double pixels = std::max(0.0, (content - seen) * scale);
  const double per_step = std::max(1.0, pixels / longest_bar);
  bar.setRange(0, static_cast<int>(std::ceil(pixels / per_step)));
  bar.setPageStep(static_cast<int>(std::max(1.0, std::min(longest_bar, seen * scale / per_step))));
  bar.setSingleStep(20);
  bar.setValue(static_cast<int>(std::lround(origin * scale / per_step)));
}

double bar_origin(const QScrollBar& bar, double content, double seen, double scale) {
  const double pixels = std::max(0.0, (content - seen) * scale);
  return bar.value() * std::max(1.0, pixels / longest_bar) / scale;
}

double moved_into(double origin, double seen, double begin, double length) {
  if (begin < origin) return begin - std::max(0.0, std::min(seen / 4, seen - length));
  if (begin + length > origin + seen) return begin + length - seen + std::max(0.0, std::min(seen / 4, seen - length));
  return origin;
}

}  // namespace

CanvasWidget::CanvasWidget(QWidget* parent) : QAbstractScrollArea(parent), theme_(&light_theme()) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  minimap_ = new CanvasMinimap(*this);
}

QRectF CanvasWidget::area() const {
  return QRectF(QPointF(), QSizeF(viewport()->size()));
}

void CanvasWidget::set_painter(std::shared_ptr<CanvasPainter> painter, const Theme& theme) {
  theme_ = &theme;
  const bool same = painter_ && painter && opened_ && painter_->subject() == painter->subject();
  if (same) painter->set_viewport(painter->viewport_after(*painter_, area()));
  painter_ = std::move(painter);
  if (!same) open_picture();
  if (same && !wanted_position_.isEmpty()) take_position();
  update_scroll_bars();
  minimap_->refresh();
  viewport()->update();
}

void CanvasWidget::open_picture() {
  opened_ = painter_ && painter_->subject().layer >= 0;
  if (!painter_) return;
  painter_->set_viewport({false, painter_->initial_zoom(area()), {}});
  if (opened_ && take_position()) return;
  if (const auto place = painter_->place_of(painter_->selection())) reveal(*place);
}

QString CanvasWidget::position() const {
  if (!painter_ || !opened_) return wanted_position_;
  const Viewport& seen = painter_->viewport();
  const auto number = [](double value) { return QString::number(value, 'g', 17); };
  return subject_text(painter_->subject()) + ' ' + QString::number(seen.fit ? 1 : 0) + ' ' + number(seen.zoom) + ' ' +
         number(seen.origin.x()) + ' ' + number(seen.origin.y());
}

void CanvasWidget::restore_position(const QString& position) {
  wanted_position_ = position;  // what is shown now is of the session before
}

/// True if the session's position is one of this picture.
bool CanvasWidget::take_position() {
  const QStringList parts = std::exchange(wanted_position_, QString()).split(' ');
  if (parts.size() != position_parts || parts.mid(0, 3).join(' ') != subject_text(painter_->subject())) return false;
  bool is_number[3] = {};
  const CanvasGeometry geometry = painter_->geometry(area());
  Viewport wanted{parts[3] == QStringLiteral("1"),
                  parts[4].toDouble(&is_number[0]),
                  {parts[5].toDouble(&is_number[1]), parts[6].toDouble(&is_number[2])}};
  const bool finite =
      std::isfinite(wanted.zoom) && std::isfinite(wanted.origin.x()) && std::isfinite(wanted.origin.y());
  if (!is_number[0] || !is_number[1] || !is_number[2] || !finite) return false;
  wanted.zoom = std::clamp(wanted.zoom, geometry.fit_zoom(), std::max(geometry.fit_zoom(), geometry.largest_zoom));
  if (!wanted.fit) wanted.origin = place(geometry, wanted).origin;
  painter_->set_viewport(wanted);
  return true;
}

void CanvasWidget::set_theme(const Theme& theme) {
  theme_ = &theme;
  minimap_->refresh();
  viewport()->update();
}

void CanvasWidget::select(const artifact::Ref& selection) {
  if (!painter_) return;
  painter_->select(selection);
  const bool from_here = selection == own_selection_;
  own_selection_ = {};
  if (!from_here) {
    if (const auto place = painter_->place_of(selection)) reveal(*place);
  }
  viewport()->update();
}

void CanvasWidget::set_viewport(const Viewport& wanted) {
  if (!painter_) return;
  painter_->set_viewport(wanted);
  update_scroll_bars();
  viewport()->update();
}

void CanvasWidget::scroll_to(QPointF content) {
  if (!painter_) return;
  Viewport wanted{false, painter_->viewport().fit ? painter_->initial_zoom(area()) : painter_->viewport().zoom,
                  content};
  wanted.origin = place(painter_->geometry(area()), wanted).origin;
  set_viewport(wanted);
}

void CanvasWidget::centre_on(QPointF content) {
  if (!painter_) return;
  const CanvasGeometry geometry = painter_->geometry(area());
  const QRectF seen = place(geometry, painter_->viewport()).seen();
  Viewport wanted{false, painter_->viewport().fit ? geometry.fit_zoom() : painter_->viewport().zoom,
                  content - QPointF(seen.width() / 2, seen.height() / 2)};
  wanted.origin = place(geometry, wanted).origin;
  set_viewport(wanted);
}

void CanvasWidget::fit() {
  set_viewport({});
}

void CanvasWidget::zoom(double factor) {
  if (painter_) zoom_at(factor, painter_->geometry(area()).plot.center());
}

void CanvasWidget::zoom_at(double factor, QPointF anchor) {
  if (!painter_) return;
  const CanvasGeometry geometry = painter_->geometry(area());
  const double before = painter_->viewport().fit ? geometry.fit_zoom() : painter_->viewport().zoom;
  const QPointF held = place(geometry, painter_->viewport()).content(anchor);
  Viewport wanted{false, std::clamp(before * factor, geometry.fit_zoom(), geometry.largest_zoom), {}};
  const Placement after = place(geometry, wanted);
  wanted.origin = held - QPointF((anchor.x() - geometry.plot.left()) / after.scale.width(),
                                 (anchor.y() - geometry.plot.top()) / after.scale.height());
  wanted.origin = place(geometry, wanted).origin;
  set_viewport(wanted);
}

void CanvasWidget::reveal(const QRectF& content) {
  if (!painter_ || painter_->viewport().fit) return;
  const QRectF seen = place(painter_->geometry(area()), painter_->viewport()).seen();
  Viewport wanted = painter_->viewport();
  wanted.origin = {moved_into(seen.left(), seen.width(), content.left(), content.width()),
                   moved_into(seen.top(), seen.height(), content.top(), content.height())};
  wanted.origin = place(painter_->geometry(area()), wanted).origin;
  set_viewport(wanted);
}

void CanvasWidget::update_scroll_bars() {
  if (!painter_ || moving_bars_) return;
  moving_bars_ = true;
  const CanvasGeometry geometry = painter_->geometry(area());
  const Placement placement = place(geometry, painter_->viewport());
  const QRectF seen = placement.seen();
  set_bar(*horizontalScrollBar(), placement.origin.x(), geometry.content.width(), seen.width(),
          placement.scale.width());
  set_bar(*verticalScrollBar(), placement.origin.y(), geometry.content.height(), seen.height(),
          placement.scale.height());
  moving_bars_ = false;
  minimap_->follow();
}

void CanvasWidget::scrollContentsBy(int /*dx*/, int /*dy*/) {
  if (!painter_ || moving_bars_) return;
  const CanvasGeometry geometry = painter_->geometry(area());
  const Placement placement = place(geometry, painter_->viewport());
  const QRectF seen = placement.seen();
  Viewport wanted = painter_->viewport();
  wanted.zoom = wanted.fit ? geometry.fit_zoom() : wanted.zoom;
  wanted.fit = false;
  wanted.origin = {
      bar_origin(*horizontalScrollBar(), geometry.content.width(), seen.width(), placement.scale.width()),
      bar_origin(*verticalScrollBar(), geometry.content.height(), seen.height(), placement.scale.height())};
  painter_->set_viewport(wanted);
  minimap_->follow();
  viewport()->update();
}

bool CanvasWidget::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip && painter_) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), painter_->reading(help->pos(), area()), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void CanvasWidget::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme_->background);
  if (painter_) painter_->paint(painter, area(), *theme_);
}

void CanvasWidget::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  update_scroll_bars();
}

void CanvasWidget::wheelEvent(QWheelEvent* event) {
  const double turns = event->angleDelta().y() / 120.0;
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    zoom_at(std::pow(zoom_step, turns), event->position());
    event->accept();
    return;
  }
  QAbstractScrollArea::wheelEvent(event);
}

void CanvasWidget::mousePressEvent(QMouseEvent* event) {
  if (!painter_ || event->button() == Qt::RightButton) return;
  pressed_ = event->position();
  pressed_origin_ = place(painter_->geometry(area()), painter_->viewport()).origin;
  dragging_ = false;
}

void CanvasWidget::mouseMoveEvent(QMouseEvent* event) {
  if (!painter_) return;
  if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
    const QPointF moved = event->position() - pressed_;
    dragging_ = dragging_ || moved.manhattanLength() >= QApplication::startDragDistance();
    if (!dragging_) return;
    const CanvasGeometry geometry = painter_->geometry(area());
    const Placement placement = place(geometry, painter_->viewport());
    Viewport wanted = painter_->viewport();
    wanted.zoom = wanted.fit ? geometry.fit_zoom() : wanted.zoom;
    wanted.fit = false;
    wanted.origin =
        pressed_origin_ - QPointF(moved.x() / placement.scale.width(), moved.y() / placement.scale.height());
    wanted.origin = place(geometry, wanted).origin;
    set_viewport(wanted);
    return;
  }
  if (QToolTip::isVisible()) {
    QToolTip::showText(event->globalPosition().toPoint(), painter_->reading(event->position(), area()), viewport());
  }
}

void CanvasWidget::mouseReleaseEvent(QMouseEvent* event) {
  if (!painter_ || dragging_ || event->button() != Qt::LeftButton) return;
  if (on_click && on_click(event->position())) return;
  const auto ref = painter_->hit(event->position(), area());
  if (!ref || !on_select) return;
  own_selection_ = *ref;
  on_select(*ref);
}

void CanvasWidget::mouseDoubleClickEvent(QMouseEvent* event) {
  mousePressEvent(event);
  if (painter_ && event->button() == Qt::LeftButton && on_double_click && on_double_click(event->position()))
    dragging_ = true;  // the release that follows is no click
}

void CanvasWidget::keyPressEvent(QKeyEvent* event) {
  if (on_key && on_key(*event)) return;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(zoom_step);
      return;
    case Qt::Key_Minus:
      zoom(1 / zoom_step);
      return;
    case Qt::Key_0:
    case Qt::Key_F:
      fit();
      return;
    case Qt::Key_Home:
      verticalScrollBar()->setValue(0);
      return;
    case Qt::Key_End:
      verticalScrollBar()->setValue(verticalScrollBar()->maximum());
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

}  // namespace convscope::ui
