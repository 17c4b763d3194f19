#include "ui/views/machines/search_runs/error_speed_view.h"

#include <utility>

#include <qcustomplot.h>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/views/machines/search_runs/run_points.h"

namespace convscope::ui {
namespace {

double seconds_of(const artifact::TriedPath& tried) {
  return tried.measured ? tried.measured->value : tried.estimate.value;
}

/// Drawn alike: of one kind, whole chains or shorter ones, timed or not.
struct PointClass {
  int kind = 0;
  bool shorter = false, timed = true;
  auto operator<=>(const PointClass&) const = default;
};

QCPScatterStyle style_of(const PointClass& points, const Theme& theme) {
  const QColor& colour = theme.series[points.kind % series_colours];
  const bool again = points.kind >= series_colours;  // a colour for the second time has other shapes
  const auto shape = points.shorter ? again ? QCPScatterStyle::ssTriangleInverted : QCPScatterStyle::ssSquare
                     : again        ? QCPScatterStyle::ssTriangle
                                    : QCPScatterStyle::ssCircle;
  return QCPScatterStyle(shape, QPen(colour, 1.4), points.timed ? QBrush(colour) : QBrush(Qt::NoBrush), 7);
}

void style_errors(QCPAxis& axis, const PlotRange& range) {
  axis.setScaleType(QCPAxis::stLogarithmic);
  auto ticker = QSharedPointer<QCPAxisTickerLog>::create();
  ticker->setSubTickCount(8);
  if (range.upper / range.lower < 50) ticker->setLogBase(2);
  axis.setTicker(ticker);
  axis.setNumberFormat(QStringLiteral("e"));
  axis.setNumberPrecision(range.upper / range.lower < 50 ? 1 : 0);
  axis.grid()->setSubGridVisible(true);
  axis.setLabel(QStringLiteral("largest error, of the outputs' root mean square"));
  axis.setRange(range.lower, range.upper);
}

void add_bound(QCustomPlot& plot, const Theme& theme, double bound, const PlotRange& seconds) {
  auto* line = new QCPGraph(plot.xAxis, plot.yAxis);
  line->setData({seconds.lower, seconds.upper}, {bound, bound}, true);
  line->setPen(QPen(theme.worse, 1.6, Qt::DashLine));
  line->setName(QStringLiteral("bound, %1").arg(bound, 0, 'g', 3));
}

std::shared_ptr<const Chart> error_speed_of(const Snapshot& snapshot) {
  return make_error_speed_chart(snapshot);
}

}  // namespace

ErrorSpeedChart::ErrorSpeedChart(std::shared_ptr<const artifact::DecisionTree> tree) : tree_(std::move(tree)) {
  for (const artifact::TriedPath& tried : tree_->tried) {
    if (!tried.error) continue;
    kinds_.try_emplace(tried.kind, 0);
    longest_ = std::max(longest_, tried.chain);
  }
  int number = 0;
  for (auto& [kind, place] : kinds_) place = number++;
}

void ErrorSpeedChart::fill(QCustomPlot& plot, const Theme& theme) const {
  std::map<PointClass, std::pair<QVector<double>, QVector<double>>> points;
  QVector<double> chosen_x, chosen_y;
  PlotRange seconds, errors;
  for (const artifact::TriedPath& tried : tree_->tried) {
    if (!tried.error) continue;
    auto& [x, y] = points[{kinds_.at(tried.kind), tried.chain < longest_, tried.measured.has_value()}];
    x << seconds_of(tried), y << tried.error->value;
    seconds.include(seconds_of(tried)), errors.include(tried.error->value);
    if (tried.chosen) chosen_x << seconds_of(tried), chosen_y << tried.error->value;
  }
  errors.include(tree_->error_bound);
  seconds.finish(), errors.finish();
  style_seconds(*plot.xAxis, QStringLiteral("time"), seconds);
  style_errors(*plot.yAxis, errors);
  if (tree_->error_bound > 0) add_bound(plot, theme, tree_->error_bound, seconds);
  for (const auto& [kind, number] : kinds_)
    for (const bool shorter : {false, true})
      for (const bool timed : {true, false}) {
        const auto found = points.find({number, shorter, timed});
        if (found == points.end()) continue;
        QString name = kind.empty() ? QStringLiteral("paths") : to_text(kind);
        if (shorter) name += QStringLiteral(", shorter sums");
        if (!timed) name += QStringLiteral(", left out");
        add_points(plot, found->second.first, found->second.second, name, style_of(found->first, theme));
      }
  if (!chosen_x.isEmpty())
    add_points(plot, chosen_x, chosen_y, QStringLiteral("chosen"),
               QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme.selection, 2), QBrush(Qt::NoBrush), 14));
}

std::vector<ChartTarget> ErrorSpeedChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  for (std::size_t i = 0; i < tree_->tried.size(); ++i)
    if (const artifact::TriedPath& tried = tree_->tried[i]; tried.error)
      found.push_back(target(plot, seconds_of(tried), tried.error->value, reading_of(tried, i)));
  return found;
}

std::string ErrorSpeedChart::csv() const {
  return csv_of(*tree_);
}

std::shared_ptr<const ErrorSpeedChart> make_error_speed_chart(const Snapshot& snapshot) {
  auto tree = tree_of(snapshot);
  if (!tree || std::none_of(tree->tried.begin(), tree->tried.end(), [](const auto& t) { return t.error; }))
    return nullptr;
  return std::make_shared<ErrorSpeedChart>(std::move(tree));
}

std::unique_ptr<ViewPainter> make_error_speed_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, error_speed_of,
                            [](const Snapshot& s) { return missing_message(s, QStringLiteral("measured error")); });
}

QWidget* make_error_speed_widget(ViewHost& host, QWidget* parent) {
  return make_chart_widget(host, parent, error_speed_of);
}

}  // namespace convscope::ui
