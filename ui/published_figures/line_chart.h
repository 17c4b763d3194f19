#pragma once
// Many rows: a line for each series over the rows in order, instead of bars too thin to see.

#include "ui/plot/bar_chart.h"

namespace convscope::ui {

class LineChart : public Chart {
 public:
  /// Draws the first part of each stack.
  explicit LineChart(BarChart data) : data_(std::move(data)) {}

  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  QSizeF preferred_size() const override { return {1200, 480}; }
  Qt::Orientations zooms() const override { return Qt::Horizontal | Qt::Vertical; }
  std::string csv() const override { return data_.csv(); }

 private:
  BarChart data_;
};

}  // namespace convscope::ui
