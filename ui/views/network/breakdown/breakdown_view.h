#pragma once
// What the cycles of each layer are spent on: in cycles above, as shares below.

#include "ui/plot/bar_chart.h"

namespace convscope::ui {

/// Cycles of each part, layers only: next to the whole network they would vanish. Null if there are no results.
std::shared_ptr<const BarChart> make_breakdown_cycles(const Snapshot& snapshot);
/// The same parts in percent of each layer, the whole network last.
std::shared_ptr<const BarChart> make_breakdown_shares(const Snapshot& snapshot);

std::unique_ptr<ViewPainter> make_breakdown_painter(const Snapshot& snapshot);
QWidget* make_breakdown_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
