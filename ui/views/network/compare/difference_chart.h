#pragma once
// How each layer differs from a pinned run: a bar to the left for less, to the right for more, blue and full for
// better, orange and hatched for worse.

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare_figures.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

enum class DifferenceOrder {
  network,  ///< as the layers follow each other
  size      ///< the largest difference first, whichever way it goes
};

struct DifferenceRow {
  QString name;            ///< of the layer, and of its match where that has another
  std::string layer_name;  ///< empty where only the baseline has it
  std::string baseline_name;
  int layer = -1;  ///< of the open network; -1 where only the baseline has it
  std::optional<analysis::FigureDifference> difference;
  QString reason;  ///< why there is no difference, or what to mind about it
};

class DifferenceChart : public Chart {
 public:
  std::string key;  ///< figure that is compared
  QString baseline;
  std::vector<DifferenceRow> rows;
  std::optional<analysis::FigureDifference> total;
  int selected_layer = -1;

  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  Qt::Orientations zooms() const override { return Qt::Vertical; }
  /// The first rows, as many as can be read.
  void open(QCustomPlot& plot) const override;
  QSizeF preferred_size() const override;
  std::string csv() const override;

 private:
  double shown(const analysis::FigureDifference& difference) const;
  double widest() const;
  QString title() const;
  void fill_axes(QCustomPlot& plot, const Theme& theme) const;
  void mark_selection(QCustomPlot& plot, const Theme& theme) const;
  void add_bars(QCustomPlot& plot, const Theme& theme, analysis::Verdict verdict) const;
  std::vector<std::size_t> labelled_rows() const;
  void label_bars(QCustomPlot& plot, const Theme& theme) const;
};

/// The figures that the chart can show: keys as in `report --json`, and their names for people.
struct ComparedFigureName {
  std::string key;
  QString title;
};
const std::vector<ComparedFigureName>& compared_figure_names();

/// Differences to the chosen baseline, without layers that neither run maps; an empty key stands for the figure by
/// which runs are compared first. Null if no baseline is chosen, none of its layers matches, or there are no results.
std::shared_ptr<const DifferenceChart> make_difference_chart(const Snapshot& snapshot, const std::string& key = {},
                                                             DifferenceOrder order = DifferenceOrder::network);
/// What to do, or what is wrong, when there is no chart.
QString missing_comparison(const Snapshot& snapshot);

}  // namespace convscope::ui
