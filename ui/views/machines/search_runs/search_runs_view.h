#pragma once
// Paths that a search tried: their times in the order of trying, with the best so far; and what was estimated against
// what was measured.

#include <memory>
#include <vector>

#include "core/artifact/decision_tree.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

/// Seconds over the number of the try, logarithmic.
class SearchProgressChart : public Chart {
 public:
  explicit SearchProgressChart(std::shared_ptr<const artifact::DecisionTree> tree);
  /// Best of the measured ones up to each try if any was measured, else of the estimates; 0 before the first.
  const std::vector<double>& best_so_far() const { return best_; }
  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  Qt::Orientations zooms() const override { return Qt::Horizontal; }
  std::string csv() const override;

 private:
  std::shared_ptr<const artifact::DecisionTree> tree_;
  bool measured_ = false;
  std::vector<double> best_;
};

/// Measured seconds over estimated ones, both logarithmic, with the line on which they are the same.
class EstimateScatterChart : public Chart {
 public:
  explicit EstimateScatterChart(std::shared_ptr<const artifact::DecisionTree> tree);
  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  std::string csv() const override;

 private:
  std::shared_ptr<const artifact::DecisionTree> tree_;
};

/// Null if nothing was tried.
std::shared_ptr<const SearchProgressChart> make_search_progress_chart(const Snapshot& snapshot);
/// Null if nothing was measured.
std::shared_ptr<const EstimateScatterChart> make_estimate_scatter_chart(const Snapshot& snapshot);

std::unique_ptr<ViewPainter> make_search_progress_painter(const Snapshot& snapshot);
QWidget* make_search_progress_widget(ViewHost& host, QWidget* parent);
std::unique_ptr<ViewPainter> make_estimate_scatter_painter(const Snapshot& snapshot);
QWidget* make_estimate_scatter_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
