#pragma once
// Axes around a plot: grid, ticks, titles.

#include <QPainter>

#include "core/explore/results/sweep_table.h"
#include "ui/theme/theme.h"
#include "ui/views/machines/sweep_plot/plot_area.h"
#include "ui/views/machines/sweep_plot/plot_scale.h"

namespace convscope::ui {

/// "Time (ms, estimate), less is better": the scale's title and, of an objective, which way is better.
QString axis_title(const PlotScale& scale, const explore::SweepColumn& column);
/// Width of the labels of a vertical axis of this scale.
double label_width(const PlotScale& scale, double from, double to, const Theme& theme);

void paint_grid(QPainter& painter, const PlotArea& plot, const PlotScale& x, const PlotScale& y, const Theme& theme);
/// Ticks, labels and title below the plot, in a strip of that height.
void paint_horizontal_axis(QPainter& painter, const PlotArea& plot, const PlotScale& scale, const QString& title,
                           double strip, const Theme& theme);
/// The same on its left.
void paint_vertical_axis(QPainter& painter, const PlotArea& plot, const PlotScale& scale, const QString& title,
                         double strip, const Theme& theme);

}  // namespace convscope::ui
