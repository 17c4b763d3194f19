#pragma once
// What the paths of a search err, over the time that they take, with the bound that was asked for.

#include <map>
#include <memory>
#include <string>

#include "core/artifact/decision_tree.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

/// Errors over seconds, both logarithmic; a colour for each kind, from the ninth on with triangles. Squares sum fewer
/// products at a time than the longest chain does; rings were left out for their error, at the time that was estimated.
class ErrorSpeedChart : public Chart {
 public:
  explicit ErrorSpeedChart(std::shared_ptr<const artifact::DecisionTree> tree);
  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  std::string csv() const override;

 private:
  std::shared_ptr<const artifact::DecisionTree> tree_;
  std::map<std::string, int> kinds_;  ///< with their numbers
  int longest_ = 0;                   ///< chain
};

/// Null if no error is known.
std::shared_ptr<const ErrorSpeedChart> make_error_speed_chart(const Snapshot& snapshot);

std::unique_ptr<ViewPainter> make_error_speed_painter(const Snapshot& snapshot);
QWidget* make_error_speed_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
