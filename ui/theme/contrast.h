#pragma once
// Contrast of two colours, as WCAG 2.1 defines it.

#include <QColor>

namespace convscope::ui {

/// Relative luminance in [0, 1] of an opaque sRGB colour (WCAG 2.1, "relative luminance").
double relative_luminance(const QColor& colour);

/// Contrast ratio in [1, 21]; the order of the two does not matter (WCAG 2.1, "contrast ratio").
double contrast_ratio(const QColor& a, const QColor& b);

}  // namespace convscope::ui
