#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <qcustomplot.h>

#include "ui/parts/drawing.h"
#include "ui/views/network/roofline/roofline_labels.h"
#include "ui/views/network/roofline/roofline_view.h"

namespace convscope::ui {
namespace {

constexpr Origin origins[] = {Origin::measured, Origin::simulated, Origin::derived, Origin::estimate,
                              Origin::published};

/// Decades with SI prefixes: 100, 1 k, 10 k, 1 G.
class DecadeTicker : public QCPAxisTickerLog {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    // format_quantity prefixes from 10^4 on; an axis reads better if every decade has its prefix.
    constexpr std::pair<double, const char*> prefixes[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
    for (const auto& [scale, name] : prefixes) {
      if (tick >= scale * 0.999) return QString::number(tick / scale) + QString::fromLatin1(name);
    }
    return QString::number(tick);
  }
};

QCPScatterStyle::ScatterShape shape_of(std::size_t series) {
  constexpr QCPScatterStyle::ScatterShape shapes[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                      QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                                      QCPScatterStyle::ssTriangleInverted};
  return shapes[series % std::size(shapes)];
}

/// Filled if it stands for a program; hollow if it is published or estimated.
QCPScatterStyle scatter_of(std::size_t series, Origin origin, const Theme& theme) {
  const QColor colour = theme.series[series % series_colours];
  const bool hollow = origin == Origin::published || origin == Origin::estimate;
  // Series often coincide: later ones are smaller, so that the ones below still show.
  const double size = std::max(6.0, 14.0 - 3.0 * static_cast<double>(series));
  auto shape = shape_of(series);
  if (shape == QCPScatterStyle::ssDisc) shape = QCPScatterStyle::ssCircle;
  return QCPScatterStyle(shape, QPen(colour, 1.8), hollow ? QBrush(Qt::NoBrush) : QBrush(colour), size);
}

void style_log_axis(QCPAxis& axis, const QString& label, RooflineChart::Range range) {
  axis.setScaleType(QCPAxis::stLogarithmic);
  axis.setTicker(QSharedPointer<DecadeTicker>::create());
  axis.grid()->setSubGridVisible(true);
  axis.setLabel(label);
  axis.setRange(range.lower, range.upper);
}

/// Places that no screen tells apart are one: 500 to a decade.
std::pair<int, int> place_of(const artifact::RooflinePoint& point) {
  const auto place = [](double value) { return static_cast<int>(std::lround(500 * std::log10(value))); };
  return {place(point.operations_per_byte), place(point.operations_per_second)};
}

QString point_text(const artifact::RooflinePoint& point) {
  return QStringLiteral("%1 operations / byte, %2 (%3)")
      .arg(QString::number(point.operations_per_byte, 'g', 4),
           to_text(format_quantity({point.operations_per_second, "OP/s", point.origin})),
           to_text(origin_name(point.origin)));
}

/// Legends are narrow; readings have the whole name.
QString short_name(const QString& name) {
  constexpr qsizetype longest = 24;
  return name.size() <= longest ? name : name.left(longest - 1) + QStringLiteral("…");
}

QString roof_text(const artifact::Roof& roof) {
  const Quantity quantity = roof.bytes_per_second > 0 ? Quantity{roof.bytes_per_second, "byte/s", roof.origin}
                                                      : Quantity{roof.operations_per_second, "OP/s", roof.origin};
  return QStringLiteral("%1: %2").arg(to_text(roof.name), to_text(format_quantity(quantity)));
}

}  // namespace

QString RooflineChart::arrow_reading(const Arrow& arrow) const {
  return QStringLiteral("%1 · %2\n%3: %4\nnow: %5")
      .arg(to_text(arrow.to.name), to_text(arrow.to.series), baseline_, point_text(arrow.from), point_text(arrow.to));
}

void RooflineChart::add_roofs(QCustomPlot& plot, const Theme& theme) const {
  std::size_t index = 0;
  for (const artifact::Roof& roof : roofline_.roofs) {
    const Segment line = segment(roof);
    auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
    graph->setData({line.x0, line.x1}, {line.y0, line.y1}, true);
    graph->setName(roof_text(roof));
    const bool slanted = roof.bytes_per_second > 0;
    graph->setPen(QPen(slanted ? theme.muted_text : theme.text, index == 0 ? 2 : 1.4, theme.line_style(roof.origin)));
    ++index;
  }
}

void RooflineChart::add_baseline_roofs(QCustomPlot& plot, const Theme& theme) const {
  for (const artifact::Roof& roof : baseline_roofs_) {
    const Segment line = segment(roof, baseline_ridge_);
    auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
    graph->setData({line.x0, line.x1}, {line.y0, line.y1}, true);
    graph->setName(QStringLiteral("%1 (%2, baseline)").arg(roof_text(roof), short_name(baseline_)));
    graph->setPen(QPen(theme.baseline, 1.4, Qt::DashLine));
    graph->setLayer(QStringLiteral("grid"));  // below the roofs of now, where they are the same
  }
}

void RooflineChart::add_series(QCustomPlot& plot, const Theme& theme, std::size_t series, Origin origin) const {
  QVector<double> x, y;
  std::set<std::pair<int, int>> taken;
  for (const artifact::RooflinePoint& point : roofline_.points) {
    if (point.series != series_[series] || point.origin != origin) continue;
    if (!taken.insert(place_of(point)).second) continue;  // the same pixel
    x << point.operations_per_byte;
    y << point.operations_per_second;
  }
  if (x.isEmpty()) return;
  auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
  graph->setData(x, y);
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setPen(QPen(theme.series[series % series_colours], 1.8));
  graph->setScatterStyle(scatter_of(series, origin, theme));
  graph->setName(QStringLiteral("%1 (%2)").arg(to_text(series_[series]), to_text(origin_name(origin))));
}

void RooflineChart::add_arrows(QCustomPlot& plot, const Theme& theme) const {
  QVector<double> x, y;
  for (const Arrow& arrow : arrows_) {
    x << arrow.from.operations_per_byte;
    y << arrow.from.operations_per_second;
    const bool moved = arrow.from.operations_per_byte != arrow.to.operations_per_byte ||
                       arrow.from.operations_per_second != arrow.to.operations_per_second;
    if (!moved) continue;
    auto* line = new QCPItemLine(&plot);
    line->start->setCoords(arrow.from.operations_per_byte, arrow.from.operations_per_second);
    line->end->setCoords(arrow.to.operations_per_byte, arrow.to.operations_per_second);
    line->setPen(QPen(theme.baseline, 1.4));
    line->setLayer(QStringLiteral("axes"));  // above the points, which would hide the head
    line->setHead(QCPLineEnding(QCPLineEnding::esSpikeArrow, 9, 9));
  }
  if (x.isEmpty()) return;
  auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
  graph->setData(x, y);
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(theme.baseline, 1.8), QBrush(Qt::NoBrush), 8));
  graph->setName(QStringLiteral("%1 (baseline)").arg(baseline_));
}

void RooflineChart::mark_selection(QCustomPlot& plot, const Theme& theme) const {
  QVector<double> x, y;
  for (const artifact::RooflinePoint& point : roofline_.points) {
    if (point.layer < 0 || point.layer != selected_layer_) continue;
    x << point.operations_per_byte;
    y << point.operations_per_second;
  }
  if (x.isEmpty()) return;
  auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
  graph->setData(x, y);
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.selection, 2), QBrush(Qt::NoBrush), 18));
  graph->setName(QStringLiteral("selected layer"));
  graph->removeFromLegend();
}

void RooflineChart::fill(QCustomPlot& plot, const Theme& theme) const {
  style_log_axis(*plot.xAxis, QStringLiteral("arithmetic intensity (operations / byte)"), x_);
  style_log_axis(*plot.yAxis, QStringLiteral("performance (operations / s)"), y_);
  add_roofs(plot, theme);
  add_baseline_roofs(plot, theme);
  add_arrows(plot, theme);
  for (std::size_t series = 0; series < series_.size(); ++series) {
    for (Origin origin : origins) add_series(plot, theme, series, origin);
  }
  mark_selection(plot, theme);
  std::vector<QPointF> crosses;
  for (const Arrow& arrow : arrows_)
    crosses.emplace_back(arrow.from.operations_per_byte, arrow.from.operations_per_second);
  auto* labels = new RooflineLabels(&plot, roofline_, crosses, selected_layer_, theme);  // the plot's own
  labels->setLayer(QStringLiteral("axes"));                                              // above the arrows
}

std::vector<ChartTarget> RooflineChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  const QRectF inner = plot.xAxis->axisRect()->rect();
  for (const Arrow& arrow : arrows_) {
    const QPointF at(plot.xAxis->coordToPixel(arrow.from.operations_per_byte),
                     plot.yAxis->coordToPixel(arrow.from.operations_per_second));
    if (inner.contains(at))
      found.push_back({QRectF(at - QPointF(6, 6), QSizeF(12, 12)), arrow.to.layer, arrow_reading(arrow), true});
  }
  for (const artifact::RooflinePoint& point : roofline_.points) {
    const QPointF at(plot.xAxis->coordToPixel(point.operations_per_byte),
                     plot.yAxis->coordToPixel(point.operations_per_second));
    if (!inner.contains(at)) continue;
    const QString reading =
        QStringLiteral("%1 · %2\n%3 operations / byte\n%4 (%5)")
            .arg(to_text(point.name), to_text(point.series), QString::number(point.operations_per_byte, 'g', 4),
                 to_text(format_quantity({point.operations_per_second, "OP/s", point.origin})),
                 to_text(origin_name(point.origin)));
    found.push_back({QRectF(at - QPointF(8, 8), QSizeF(16, 16)), point.layer, reading, true});
  }
  return found;
}

}  // namespace convscope::ui
