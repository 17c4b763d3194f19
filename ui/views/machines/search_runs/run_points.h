#pragma once
// Paths that were tried as points of a plot: what the charts of a search share.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <qcustomplot.h>

#include "core/artifact/decision_tree.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

/// Of a logarithmic axis: what isn't above 0 is left out.
struct PlotRange {
  double lower = std::numeric_limits<double>::infinity(), upper = 0;
  void include(double value) {
    if (value <= 0 || !std::isfinite(value)) return;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  void finish() {
    if (upper <= 0) lower = upper = 1e-3;
    lower /= 1.3;
    upper *= 1.3;
  }
};

/// A logarithmic axis of times.
void style_seconds(QCPAxis& axis, const QString& label, const PlotRange& range);
QCPGraph* add_points(QCustomPlot& plot, const QVector<double>& x, const QVector<double>& y, const QString& name,
                     const QCPScatterStyle& style);
QCPScatterStyle hollow(const QColor& colour, double size);
QCPScatterStyle filled(const QColor& colour, double size);

QString reading_of(const artifact::TriedPath& tried, std::size_t number);
ChartTarget target(const QCustomPlot& plot, double x, double y, QString reading);
/// Of the layer that is shown; may be null.
std::shared_ptr<const artifact::DecisionTree> tree_of(const Snapshot& snapshot);
/// A line for each path that was tried.
std::string csv_of(const artifact::DecisionTree& tree);

}  // namespace convscope::ui
