#pragma once
// Charts drawn by QCustomPlot. QCustomPlot is a widget: whatever fills, paints or asks a chart runs on the window's
// thread, export included.

#include <QRectF>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/model/view.h"

class QCustomPlot;

namespace convscope::ui {

/// Something in a chart that can be read and, if it has a layer, selected.
struct ChartTarget {
  QRectF box;  ///< pixels of the plot that was filled
  int layer = -1;
  QString reading;
  bool shared = false;  ///< a mark that may lie on others: all that are under the pointer are read together
};

/// A long axis of which a widget shows a part, in the axis' coordinates.
struct ChartSpan {
  double first = 0, last = 1;
  std::optional<double> selected;  ///< place of the selected layer; nothing if it is not in the chart
};

/// Property of plottables: the name under which the legend hides them, besides their own.
inline constexpr const char* stack_property = "stack";

/// What a chart shows: a scene of plain figures that can fill a plot.
class Chart {
 public:
  virtual ~Chart() = default;
  /// Adds plottables, axes and marks to an empty plot.
  virtual void fill(QCustomPlot& plot, const Theme& theme) const = 0;
  /// Targets of a plot that this chart filled and that was laid out, topmost last.
  virtual std::vector<ChartTarget> targets(const QCustomPlot& plot) const = 0;
  /// Directions in which the user may move and zoom; there a new chart keeps the range that the user looks at.
  virtual Qt::Orientations zooms() const { return {}; }
  /// Sets the range of a filled plot with which a widget begins, if that is not all there is.
  virtual void open(QCustomPlot& /*plot*/) const {}
  /// All of the horizontal axis, if it is to be scrolled; the range stays inside.
  virtual std::optional<ChartSpan> span() const { return std::nullopt; }
  virtual QSizeF preferred_size() const { return {900, 480}; }
  virtual std::string csv() const = 0;
};

/// The target under a point, or null: the last that contains it.
const ChartTarget* target_at(const std::vector<ChartTarget>& targets, QPointF point);
/// What the pointer reads there; of many marks on one spot the first few. Empty if there is nothing.
QString reading_at(const std::vector<ChartTarget>& targets, QPointF point);

class ChartPainter : public ViewPainter {
 public:
  explicit ChartPainter(std::shared_ptr<const Chart> chart) : chart_(std::move(chart)) {}

  QSizeF preferred_size() const override { return chart_->preferred_size(); }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  bool works_on_any_thread() const override { return false; }
  std::string csv() const override { return chart_->csv(); }

 private:
  /// Lays the chart out for an area, if that was not done yet.
  const std::vector<ChartTarget>& targets(const QRectF& area) const;

  std::shared_ptr<const Chart> chart_;
  mutable QSizeF laid_out_;
  mutable std::vector<ChartTarget> targets_;  ///< for an area of `laid_out_`
};

/// Makes a chart from a snapshot; null if there is nothing to show.
using MakeChart = std::function<std::shared_ptr<const Chart>(const Snapshot& snapshot)>;
/// Says why there is nothing to show.
using MissingChart = std::function<QString(const Snapshot& snapshot)>;

/// Never null: a message if there is no chart.
std::unique_ptr<ViewPainter> make_chart_painter(const Snapshot& snapshot, const MakeChart& make,
                                                const MissingChart& missing = {});
/// A widget that follows its host; a click on a legend entry hides its series, on a mark selects its layer.
QWidget* make_chart_widget(ViewHost& host, QWidget* parent, MakeChart make);

/// Colours, fonts, legend below the plot: the same for every chart. Call on a plot once, and after clear_plot.
void style_plot(QCustomPlot& plot, const Theme& theme);
void clear_plot(QCustomPlot& plot);
/// As many legend entries side by side as fit into the width; after the plot was filled, and when its width changes.
void fit_legend(QCustomPlot& plot, double width);

}  // namespace convscope::ui
