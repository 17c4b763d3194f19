#pragma once
// Differences as people read them: an arrow for where a figure went, a sign and a size, and a mark that says whether
// that is good. Colour only repeats what the mark says.

#include <QColor>
#include <QString>
#include <optional>

#include "core/analysis/compare_figures.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// What can be compared between a baseline and the run that is shown.
analysis::Comparability comparability(const Snapshot& snapshot, const Baseline& baseline);

/// The figure by which runs are compared first: cycles, or seconds where clocks differ.
std::string headline_key(const Snapshot& snapshot, const Baseline& baseline);

/// A figure of the layer, or of the whole network for -1, against the baseline's; where the two runs don't have and map
/// the same layers, the sums over those that both do stand for the whole. Nothing if the layer has no match, is
/// not mapped in one of the runs, or the figure can't be compared.
std::optional<analysis::FigureDifference> baseline_difference(const Snapshot& snapshot, const Baseline& baseline,
                                                              int layer, const std::string& key);

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

/// Why a layer has no difference: in words, for a tooltip.
QString missing_difference(const Snapshot& snapshot, const Baseline& baseline, int layer);

/// True if both runs have the layer and neither maps it: there is nothing to compare.
bool mapped_in_neither(const Snapshot& snapshot, const Baseline& baseline, int layer);

/// Colour of better and worse; the muted text's for what is neither.
QColor verdict_colour(const Theme& theme, analysis::Verdict verdict);

}  // namespace convscope::ui
