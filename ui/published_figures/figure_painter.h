#pragma once
// A published figure on one sheet: title, source, and a chart for each unit of its columns, one below the other.

#include <memory>

#include "core/figures/figure.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// Charts on a sheet at most: those with most columns.
inline constexpr std::size_t most_figure_charts = 6;

/// Null for a figure without numbers. Its data is the figure's table.
std::unique_ptr<ViewPainter> make_figure_painter(const figures::Figure& figure);

}  // namespace convscope::ui
