#include "ui/parts/comparison/comparison_strip.h"

#include <QPainter>
#include <utility>

namespace convscope::ui {

ComparisonStrip::ComparisonStrip(QWidget* parent) : QWidget(parent), theme_(&light_theme()) {
  setObjectName(QStringLiteral("comparison-strip"));
  setAccessibleName(tr("Differences from the baseline"));
  setFixedHeight(static_cast<int>(comparison_line_height));
  hide();
}

void ComparisonStrip::set_line(ComparisonLine line) {
  line_ = std::move(line);
  setToolTip(line_.reading());
  setAccessibleDescription(line_.reading());
  setVisible(!line_.empty());
  update();
}

void ComparisonStrip::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void ComparisonStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_comparison_line(painter, rect(), *theme_, line_);
}

}  // namespace convscope::ui
