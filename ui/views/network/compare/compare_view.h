#pragma once
// The comparison with the chosen baseline, layer by layer.

#include "ui/views/network/compare/difference_chart.h"

namespace convscope::ui {

std::unique_ptr<ViewPainter> make_compare_painter(const Snapshot& snapshot);
QWidget* make_compare_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
