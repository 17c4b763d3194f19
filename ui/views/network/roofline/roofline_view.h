#pragma once
// Log-log roofline: roofs of the machine, one point per layer and series, published points hollow, and where both were
// in the chosen baseline: its roofs where they differ, arrows from its points to those of now.

#include "core/artifact/metrics.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

class RooflineChart : public Chart {
 public:
  struct Range {
    double lower = 1, upper = 10;
  };
  struct Segment {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };

  /// From where a layer's point came: that of the same layer and series in a pinned run.
  struct Arrow {
    artifact::RooflinePoint from, to;
  };

  /// Without `baseline` there are no arrows and no other roofs.
  RooflineChart(artifact::Roofline roofline, int selected_layer, std::vector<Arrow> arrows = {}, QString baseline = {},
                std::vector<artifact::Roof> baseline_roofs = {});

  const artifact::Roofline& roofline() const { return roofline_; }
  /// The baseline's roofs that are no roofs of now.
  const std::vector<artifact::Roof>& baseline_roofs() const { return baseline_roofs_; }
  const std::vector<Arrow>& arrows() const { return arrows_; }
  Range x_range() const { return x_; }
  Range y_range() const { return y_; }
  /// A roof inside the ranges: slanted ones end at the highest flat one, which begins where the steepest meets it.
  Segment segment(const artifact::Roof& roof) const;
  /// Names of series, in order of their first point.
  const std::vector<std::string>& series() const { return series_; }

  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  Qt::Orientations zooms() const override { return Qt::Horizontal | Qt::Vertical; }
  QSizeF preferred_size() const override { return {960, 600}; }
  std::string csv() const override;

 private:
  /// Where the roofs of one machine meet.
  struct Ridge {
    double highest_flat = 0, steepest = 0;
  };
  static Ridge ridge_of(const std::vector<artifact::Roof>& roofs);
  Segment segment(const artifact::Roof& roof, const Ridge& ridge) const;
  void find_ranges();
  void add_roofs(QCustomPlot& plot, const Theme& theme) const;
  void add_baseline_roofs(QCustomPlot& plot, const Theme& theme) const;
  void add_series(QCustomPlot& plot, const Theme& theme, std::size_t series, Origin origin) const;
  void mark_selection(QCustomPlot& plot, const Theme& theme) const;
  void add_arrows(QCustomPlot& plot, const Theme& theme) const;
  QString arrow_reading(const Arrow& arrow) const;

  artifact::Roofline roofline_;  ///< points with positive coordinates only
  int selected_layer_ = -1;
  std::vector<Arrow> arrows_;
  QString baseline_;
  std::vector<artifact::Roof> baseline_roofs_;
  std::vector<std::string> series_;
  Ridge ridge_, baseline_ridge_;
  Range x_, y_;
};

/// Arrows from the points of a pinned run to those of the same layer and series.
std::vector<RooflineChart::Arrow> roofline_arrows(const artifact::Roofline& now, const Baseline& baseline);

/// Null if there are no results.
std::shared_ptr<const RooflineChart> make_roofline_chart(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_roofline_painter(const Snapshot& snapshot);
QWidget* make_roofline_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
