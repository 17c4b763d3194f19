#include "ui/views/machines/sweep_plot/sweep_canvas.h"

#include <QPainter>
#include <QToolTip>

namespace convscope::ui {

SweepCanvas::SweepCanvas(QWidget* parent)
    : QWidget(parent), theme_(&light_theme()), message_(QString()), pictures_([this]() -> PictureJob::Work {
        if (!has_chart() || !isVisible()) return {};
        return next_picture();
      }) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMinimumSize(120, 80);
}

void SweepCanvas::show_message(const QString& message) {
  forget_chart();
  message_ = MessagePainter(message);
  update();
}

void SweepCanvas::set_theme(const Theme& theme) {
  theme_ = &theme;
  want_picture();
  update();
}

void SweepCanvas::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (has_chart())
    paint_chart(painter);
  else
    message_.paint(painter, area(), *theme_);
}

void SweepCanvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  want_picture();
}

void SweepCanvas::leaveEvent(QEvent* event) {
  QToolTip::hideText();
  QWidget::leaveEvent(event);
}

void SweepCanvas::act_on(std::uint64_t point, Qt::KeyboardModifiers held) {
  const auto& act = held.testFlag(Qt::ControlModifier) ? on_choose : on_open;
  if (act) act(point);
}

}  // namespace convscope::ui
