#include "ui/views/machines/search_runs/search_runs_view.h"

#include <algorithm>
#include <utility>

#include <qcustomplot.h>

#include "ui/parts/canvas/message_painter.h"
#include "ui/views/machines/search_runs/run_points.h"

namespace convscope::ui {
namespace {

using artifact::TriedPath;

std::shared_ptr<const Chart> progress_of(const Snapshot& snapshot) {
  return make_search_progress_chart(snapshot);
}

std::shared_ptr<const Chart> scatter_of(const Snapshot& snapshot) {
  return make_estimate_scatter_chart(snapshot);
}

}  // namespace

SearchProgressChart::SearchProgressChart(std::shared_ptr<const artifact::DecisionTree> tree) : tree_(std::move(tree)) {
  measured_ = std::any_of(tree_->tried.begin(), tree_->tried.end(),
                          [](const TriedPath& tried) { return tried.measured.has_value(); });
  double best = 0;
  for (const TriedPath& tried : tree_->tried) {
    const double seconds = measured_ ? (tried.measured ? tried.measured->value : 0) : tried.estimate.value;
    if (seconds > 0 && (best == 0 || seconds < best)) best = seconds;
    best_.push_back(best);
  }
}

void SearchProgressChart::fill(QCustomPlot& plot, const Theme& theme) const {
  QVector<double> numbers, estimates, run, measured, line_x, line_y, chosen_x, chosen_y;
  PlotRange range;
  for (std::size_t i = 0; i < tree_->tried.size(); ++i) {
    const TriedPath& tried = tree_->tried[i];
    const auto number = static_cast<double>(i + 1);
    numbers << number;
    estimates << tried.estimate.value;
    range.include(tried.estimate.value);
    if (tried.measured) run << number, measured << tried.measured->value, range.include(tried.measured->value);
    if (best_[i] > 0) line_x << number, line_y << best_[i];
    if (tried.chosen) chosen_x << number, chosen_y << (tried.measured ? tried.measured->value : tried.estimate.value);
  }
  range.finish();
  style_seconds(*plot.yAxis, QStringLiteral("time of the layer"), range);
  plot.xAxis->setLabel(QStringLiteral("path, in the order of trying"));
  plot.xAxis->setRange(0, static_cast<double>(tree_->tried.size()) + 1);
  add_points(plot, numbers, estimates, QStringLiteral("estimate"), hollow(theme.series[0], 5));
  if (!run.isEmpty()) add_points(plot, run, measured, QStringLiteral("measured"), filled(theme.series[1], 6));
  auto* best = new QCPGraph(plot.xAxis, plot.yAxis);
  best->setData(line_x, line_y, true);
  best->setLineStyle(QCPGraph::lsStepLeft);
  best->setPen(QPen(theme.text, 1.8, theme.line_style(measured_ ? Origin::measured : Origin::estimate)));
  best->setName(measured_ ? QStringLiteral("best measured so far") : QStringLiteral("best estimate so far"));
  if (!chosen_x.isEmpty())
    add_points(plot, chosen_x, chosen_y, QStringLiteral("chosen"),
               QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme.selection, 2), QBrush(Qt::NoBrush), 14));
}

std::vector<ChartTarget> SearchProgressChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  for (std::size_t i = 0; i < tree_->tried.size(); ++i) {
    const TriedPath& tried = tree_->tried[i];
    const auto number = static_cast<double>(i + 1);
    found.push_back(target(plot, number, tried.estimate.value, reading_of(tried, i)));
    if (tried.measured) found.push_back(target(plot, number, tried.measured->value, reading_of(tried, i)));
  }
  return found;
}

std::string SearchProgressChart::csv() const {
  return csv_of(*tree_);
}

EstimateScatterChart::EstimateScatterChart(std::shared_ptr<const artifact::DecisionTree> tree)
    : tree_(std::move(tree)) {}

void EstimateScatterChart::fill(QCustomPlot& plot, const Theme& theme) const {
  QVector<double> x, y, chosen_x, chosen_y;
  PlotRange range;
  for (const TriedPath& tried : tree_->tried) {
    if (!tried.measured) continue;
    x << tried.estimate.value;
    y << tried.measured->value;
    range.include(tried.estimate.value);
    range.include(tried.measured->value);
    if (tried.chosen) chosen_x << tried.estimate.value, chosen_y << tried.measured->value;
  }
  range.finish();
  style_seconds(*plot.xAxis, QStringLiteral("estimated time"), range);
  style_seconds(*plot.yAxis, QStringLiteral("measured time"), range);
  auto* same = new QCPGraph(plot.xAxis, plot.yAxis);
  same->setData({range.lower, range.upper}, {range.lower, range.upper}, true);
  same->setPen(QPen(theme.muted_text, 1.2));
  same->setName(QStringLiteral("estimate = measured"));
  add_points(plot, x, y, QStringLiteral("paths that were run"), filled(theme.series[1], 6));
  if (!chosen_x.isEmpty())
    add_points(plot, chosen_x, chosen_y, QStringLiteral("chosen"),
               QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme.selection, 2), QBrush(Qt::NoBrush), 14));
}

std::vector<ChartTarget> EstimateScatterChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  for (std::size_t i = 0; i < tree_->tried.size(); ++i)
    if (const TriedPath& tried = tree_->tried[i]; tried.measured)
      found.push_back(target(plot, tried.estimate.value, tried.measured->value, reading_of(tried, i)));
  return found;
}

std::string EstimateScatterChart::csv() const {
  return csv_of(*tree_);
}

std::shared_ptr<const SearchProgressChart> make_search_progress_chart(const Snapshot& snapshot) {
  auto tree = tree_of(snapshot);
  if (!tree || tree->tried.empty()) return nullptr;
  return std::make_shared<SearchProgressChart>(std::move(tree));
}

std::shared_ptr<const EstimateScatterChart> make_estimate_scatter_chart(const Snapshot& snapshot) {
  auto tree = tree_of(snapshot);
  if (!tree || std::none_of(tree->tried.begin(), tree->tried.end(), [](const auto& t) { return t.measured; }))
    return nullptr;
  return std::make_shared<EstimateScatterChart>(std::move(tree));
}

std::unique_ptr<ViewPainter> make_search_progress_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, progress_of,
                            [](const Snapshot& s) { return missing_message(s, QStringLiteral("search")); });
}

QWidget* make_search_progress_widget(ViewHost& host, QWidget* parent) {
  return make_chart_widget(host, parent, progress_of);
}

std::unique_ptr<ViewPainter> make_estimate_scatter_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, scatter_of,
                            [](const Snapshot& s) { return missing_message(s, QStringLiteral("measured path")); });
}

QWidget* make_estimate_scatter_widget(ViewHost& host, QWidget* parent) {
  return make_chart_widget(host, parent, scatter_of);
}

}  // namespace convscope::ui
