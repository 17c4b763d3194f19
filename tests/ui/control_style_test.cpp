// Boxes and fields are seen in both themes.

#include "ui/theme/control_style.h"

#include <QCheckBox>
#include <QImage>
#include <QLineEdit>
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/theme/contrast.h"
#include "ui/theme/theme.h"

namespace convscope::ui {
namespace {

/// The best contrast of any pixel of a widget's picture against the ground around it.
double outline_contrast(QWidget& widget, ControlStyle& style, const Theme& theme) {
  QWidget ground;
  ground.setPalette(theme.palette());
  ground.setAutoFillBackground(true);
  widget.setParent(&ground);
  widget.setStyle(&style);
  widget.setPalette(theme.palette());
  widget.move(10, 10);
  widget.resize(120, 24);
  ground.resize(140, 44);
  const QImage image = ground.grab().toImage();
  const QColor around = image.pixelColor(2, 2);
  double best = 1;
  for (int y = 8; y < 36; ++y) {
    for (int x = 8; x < 132; ++x) best = std::max(best, contrast_ratio(image.pixelColor(x, y), around));
  }
  widget.setParent(nullptr);
  return best;
}

TEST(ControlStyle, EmptyBoxesAndFieldsStandOutFromTheirGround) {
  ControlStyle style;
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    QCheckBox box;
    QLineEdit field;
    field.setFocusPolicy(Qt::NoFocus);
    EXPECT_GT(outline_contrast(box, style, *theme), theme->dark ? 3 : 1.3) << theme->name.toStdString();
    EXPECT_GT(outline_contrast(field, style, *theme), theme->dark ? 3 : 1.3) << theme->name.toStdString();
  }
}

}  // namespace
}  // namespace convscope::ui
