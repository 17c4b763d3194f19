#pragma once
// Bytes moved to and from the machine, per layer and level.

#include "ui/plot/bar_chart.h"

namespace convscope::ui {

/// Null if there are no results.
std::shared_ptr<const BarChart> make_traffic_chart(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_traffic_painter(const Snapshot& snapshot);
QWidget* make_traffic_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
