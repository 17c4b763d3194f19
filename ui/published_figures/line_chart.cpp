#include "ui/published_figures/line_chart.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr double reach = 5;  // pixels around a point that read it

QPen pen_of(const BarStack& stack, const Theme& theme) {
  return QPen(colour_of(stack.parts.front().fill, theme), 1.4, theme.line_style(stack.origin));
}

}  // namespace

void LineChart::fill(QCustomPlot& plot, const Theme& theme) const {
  double highest = 0;
  for (const BarStack& stack : data_.stacks) {
    QCPGraph* graph = plot.addGraph();
    graph->setName(stack.name);
    graph->setPen(pen_of(stack, theme));
    graph->setLineStyle(QCPGraph::lsStepCenter);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, graph->pen().color(), 4));
    const auto& values = stack.parts.front().values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      graph->addData(static_cast<double>(i + 1), values[i]);
      if (!std::isnan(values[i])) highest = std::max(highest, values[i]);
    }
  }
  plot.xAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
  plot.xAxis->setTickLabelRotation(0);
  plot.xAxis->setTickLength(4, 0);
  plot.xAxis->grid()->setVisible(true);
  plot.xAxis->setLabel(QStringLiteral("row of the table"));
  plot.xAxis->setRange(0, static_cast<double>(data_.categories.size()) + 1);
  plot.yAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
  plot.yAxis->setLabel(data_.value_label);
  plot.yAxis->setRange(0, highest > 0 ? highest * 1.05 : 1);
}

std::vector<ChartTarget> LineChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  for (const BarStack& stack : data_.stacks) {
    const auto& values = stack.parts.front().values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      const QPointF centre(plot.xAxis->coordToPixel(static_cast<double>(i + 1)), plot.yAxis->coordToPixel(values[i]));
      const Quantity quantity{values[i], data_.unit.toStdString(), stack.origin};
      found.push_back({QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach), data_.categories[i].layer,
                       QStringLiteral("%1 · %2\n%3 (%4)")
                           .arg(data_.categories[i].name, stack.name, to_text(format_quantity(quantity)),
                                to_text(origin_name(stack.origin)))});
    }
  }
  return found;
}

}  // namespace convscope::ui
