#pragma once
// Colours as people with colour vision deficiencies see them.

#include <QColor>

namespace convscope::ui::test {

enum class Vision { normal, protanopia, deuteranopia, tritanopia };

/// Distance of two colours as seen: Euclidean in CIELAB (D65), where about 2.3 is just noticeable. Deficiencies as
/// simulated by Machado, G., Oliveira, M. and Fernandes, L.: "A Physiologically-based Model for Simulation of Color
/// Vision Deficiency", 2009, severity 1.0.
double seen_difference(const QColor& a, const QColor& b, Vision vision);

}  // namespace convscope::ui::test
