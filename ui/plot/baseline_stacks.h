#pragma once
// Pinned runs in bar charts: a stack beside the run's own in each category, and what the reading says about them.

#include <functional>
#include <string>

#include "ui/plot/bar_chart.h"

namespace convscope::ui {

/// Metrics of a category in some run; null where that has none.
using CategoryMetrics = std::function<const artifact::Metrics*(const BarCategory& category)>;

/// Where a chart's figure means the same: on every machine, as bytes do; on one target; with one clock, as cycles.
enum class FigureMeaning { everywhere, one_target, one_clock };

/// Adds a stack for each pinned run that has layers in common with the chart's, made of what `make_parts` makes from
/// its metrics: grey if it is one part, else hatched in the parts' own colours, each run in its own way. Call after the
/// chart's own stacks.
void add_baseline_stacks(BarChart& chart, const Snapshot& snapshot, FigureMeaning meaning,
                         const std::function<std::vector<BarPart>(const CategoryMetrics&)>& make_parts);

/// For each category a line for each pinned run: how the figure differs from it. For readings of the run's own stack.
std::vector<QString> baseline_notes(const Snapshot& snapshot, const std::vector<BarCategory>& categories,
                                    const std::string& key);

/// The name under which a pinned run stands in charts and their CSV.
QString baseline_title(const Baseline& baseline);

}  // namespace convscope::ui
