#pragma once
// How the run that is shown differs from a baseline.

#include <QString>
#include <optional>
#include <string>

#include "core/analysis/compare_figures.h"
#include "ui/model/snapshot.h"

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

/// Why a layer has no difference: in words, for a tooltip.
QString missing_difference(const Snapshot& snapshot, const Baseline& baseline, int layer);

/// True if both runs have the layer and neither maps it: there is nothing to compare.
bool mapped_in_neither(const Snapshot& snapshot, const Baseline& baseline, int layer);

}  // namespace convscope::ui
