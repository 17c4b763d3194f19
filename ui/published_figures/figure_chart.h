#pragma once
// A published figure as a chart: bars for a few rows, lines for many; one chart for each unit that its columns have.

#include <QStringList>
#include <memory>

#include "core/figures/figure.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

/// Columns of numbers that can share a value axis.
struct FigureSeries {
  QString title;  ///< the unit, or the column's name where it has none
  std::string unit;
  std::vector<std::size_t> columns;
};

/// What can be drawn of a figure, the group with most columns first; empty if it has no numbers. Differences are left
/// out: they follow from what is drawn.
std::vector<FigureSeries> figure_series(const figures::Figure& figure);

/// Where a chart stands among those of its figure.
enum class FigureChartPlace {
  alone,
  above_another,  ///< of the same rows: names and legend are left to the lowest
  lowest
};

/// Never null; rows that have no number in any of the columns are left out.
std::shared_ptr<const Chart> make_figure_chart(const figures::Figure& figure, const FigureSeries& series,
                                               FigureChartPlace place = FigureChartPlace::alone);

}  // namespace convscope::ui
