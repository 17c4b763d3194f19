#pragma once
// Fusion, with outlines of boxes and fields that are seen on dark grounds too, where it draws them darker than dark.

#include <QProxyStyle>

namespace convscope::ui {

class ControlStyle : public QProxyStyle {
  Q_OBJECT
 public:
  ControlStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
};

}  // namespace convscope::ui
