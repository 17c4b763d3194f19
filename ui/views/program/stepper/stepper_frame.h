#pragma once
// What the steps of painting the stepper share.

#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/views/program/stepper/stepper_painter.h"

namespace convscope::ui {

struct StepperPainter::Frame : CanvasFrame {
  /// Rounded down, so that numbers never need more room than they have.
  double font_pixels() const { return std::floor(stepper::font_size * zoom + 0.01); }
  bool legible() const { return font_pixels() >= 5; }
  QRectF pixel(const QRectF& content) const { return placement.pixel(content); }
};

/// Full where a unit works, crossed where it is stalled, hatched where it is idle.
QBrush unit_fill(const Theme& theme, artifact::UnitActivity activity);

}  // namespace convscope::ui
