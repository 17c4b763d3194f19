#pragma once
// How far a sweep is, in words.

#include <QString>

namespace convscope::ui {

class Exploration;

/// One line: "running: 1,234 of 10,000 points, 530 a second, 17 s left; 23 on the front". Kind words if there is none.
QString sweep_status(const Exploration& exploration);
/// What share of the space was seen, and what was left out why; lines.
QString sweep_tip(const Exploration& exploration);
/// "17 s", "3 min", "2.5 h".
QString duration_text(double seconds);

}  // namespace convscope::ui
