#pragma once
// Colours for a range of figures: viridis, legible for every kind of colour vision and in grey.

#include <QColor>

namespace convscope::ui {

/// From dark violet (0) to yellow (1); shares outside are clamped. The same in both themes, as pictures are compared.
QColor range_colour(double share);

}  // namespace convscope::ui
