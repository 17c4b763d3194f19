#pragma once
// Differences as people read them: an arrow for where a figure went, a sign and a size, and a mark that says whether
// that is good. Colour only repeats what the mark says.

#include <QColor>
#include <QString>
#include <string>

#include "core/analysis/compare_figures.h"
#include "ui/theme/theme.h"

namespace convscope::ui {

/// "▼ −12.3 % ✓": arrow, size, ✓ for better or ! for worse; "=" if nothing changed. Utilization in percentage points.
QString difference_text(const analysis::FigureDifference& difference);
/// The mark alone: "▼✓".
QString difference_mark(const analysis::FigureDifference& difference);
/// The size by which differences are sorted: a fraction, or the points of a share.
double difference_size(const analysis::FigureDifference& difference);
/// A value with its unit, and where it is from: "12,345 cycles (derived)".
QString value_with_origin(const std::string& key, const Quantity& quantity);
/// Both values, their difference and what it means, in lines, for tooltips.
QString difference_tip(const analysis::FigureDifference& difference, const QString& baseline);

/// Colour of better and worse; the muted text's for what is neither.
QColor verdict_colour(const Theme& theme, analysis::Verdict verdict);

}  // namespace convscope::ui
