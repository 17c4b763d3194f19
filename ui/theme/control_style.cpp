#include "ui/theme/control_style.h"

#include <QPainter>
#include <QStyleOption>

namespace convscope::ui {
namespace {

constexpr int middle_lightness = 128;

bool has_outline(QStyle::PrimitiveElement element) {
  return element == QStyle::PE_IndicatorCheckBox || element == QStyle::PE_IndicatorItemViewItemCheck ||
         element == QStyle::PE_FrameLineEdit;
}

}  // namespace

void ControlStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  const bool dark = option->palette.color(QPalette::Window).lightness() < middle_lightness;
  if (!dark || !has_outline(element) || (option->state & State_HasFocus)) return;
  painter->save();
  painter->setBrush(Qt::NoBrush);
  painter->setPen(QPen(option->palette.color(QPalette::PlaceholderText), 1));
  painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
  painter->restore();
}

}  // namespace convscope::ui
