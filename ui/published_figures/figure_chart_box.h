#pragma once
// The chart of a published figure in its window: which of its columns are drawn, and what the pointer reads.

#include <QWidget>
#include <memory>
#include <vector>

#include "ui/model/view_host.h"
#include "ui/published_figures/figure_chart.h"

class QComboBox;
class QCustomPlot;

namespace convscope::ui {

class FigureChartBox : public QWidget {
 public:
  FigureChartBox(ViewHost& host, QWidget* parent);

  /// Not seen for a figure without numbers.
  void show_figure(const figures::Figure& figure);
  /// As it is shown; null if there is none.
  const std::shared_ptr<const Chart>& chart() const { return chart_; }
  /// What the pointer can read, of the plot as it is painted; made when the pointer asks.
  const std::vector<ChartTarget>& targets();
  /// How often they were made.
  int targets_made() const { return targets_made_; }

 private:
  void refresh();
  void show_reading(QPointF point, const QPoint& global);

  ViewHost& host_;
  QComboBox* series_;
  QCustomPlot* plot_;
  figures::Figure figure_;
  std::vector<FigureSeries> found_;
  std::shared_ptr<const Chart> chart_;
  std::vector<ChartTarget> targets_;
  bool knows_targets_ = false;
  int targets_made_ = 0;
};

}  // namespace convscope::ui
