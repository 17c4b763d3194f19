#pragma once
// Colours for a range of figures: viridis, legible for every kind of colour vision and in grey.

#include <QColor>

namespace convscope::ui {

struct Theme;

/// From dark violet (0) to yellow (1); shares outside are clamped. The same in both themes, as pictures are compared.
QColor range_colour(double share);

/// The same for small marks on a theme's background, without the end of the range that would be lost on it.
QColor mark_colour(double share, const Theme& theme);

}  // namespace convscope::ui
