#pragma once
// Utilization per layer at every level, beside pinned runs and published figures.

#include "ui/plot/bar_chart.h"

namespace convscope::ui {

/// The figure by which utilization is compared: the first of the target's figures that a publication also gives for
/// this network; without one the share of the machine's peak, in percent.
struct UtilizationMetric {
  std::string key = "utilization";
  QString label;
  double scale = 1;
};
UtilizationMetric utilization_metric(const engine::CompiledNetwork& run, const analysis::PublishedTables* published);

/// Null if there are no results.
std::shared_ptr<const BarChart> make_utilization_chart(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_utilization_painter(const Snapshot& snapshot);
QWidget* make_utilization_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
