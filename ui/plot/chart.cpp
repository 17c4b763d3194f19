#include "ui/plot/chart.h"

#include <QFontMetricsF>
#include <QPicture>
#include <algorithm>
#include <numeric>

#include <qcustomplot.h>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

void style_axis(QCPAxis& axis, const Theme& theme) {
  axis.setBasePen(QPen(theme.border, 1));
  axis.setTickPen(QPen(theme.border, 1));
  axis.setSubTickPen(QPen(theme.border, 1));
  axis.setTickLabelColor(theme.text);
  axis.setLabelColor(theme.text);
  axis.setLabelFont(with_pixel_size(theme.label_font(), 12));
  axis.setTickLabelFont(with_pixel_size(theme.data_font(), 11));
  axis.grid()->setPen(QPen(theme.grid, 1));
  axis.grid()->setSubGridPen(QPen(theme.grid, 1, Qt::DotLine));
  axis.grid()->setZeroLinePen(QPen(theme.border, 1));
}

/// Below the axes, where it never hides a point.
void place_legend(QCustomPlot& plot) {
  if (plot.plotLayout()->elementCount() > 1) return;
  plot.plotLayout()->addElement(1, 0, plot.legend);
  plot.plotLayout()->setRowStretchFactor(1, 0.001);
  plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
  plot.legend->setWrap(4);
}

/// Of entries that fill row by row; each column is as wide as its longest name.
double legend_width(const std::vector<double>& entries, int columns) {
  std::vector<double> widths(static_cast<std::size_t>(columns), 0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    double& width = widths[i % widths.size()];
    width = std::max(width, entries[i]);
  }
  return std::accumulate(widths.begin(), widths.end(), 0.0);
}

}  // namespace

void fit_legend(QCustomPlot& plot, double width) {
  constexpr int most_columns = 4;
  constexpr double around = 16;  // between columns, and between icon and text
  std::vector<double> entries;
  for (int i = 0; i < plot.legend->itemCount(); ++i) {
    auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i));
    if (item == nullptr) continue;
    entries.push_back(plot.legend->iconSize().width() + around +
                      QFontMetricsF(plot.legend->font()).horizontalAdvance(item->plottable()->name()));
  }
  int columns = most_columns;
  while (columns > 1 && legend_width(entries, columns) > width) --columns;
  if (plot.legend->wrap() == columns) return;
  plot.legend->setWrap(columns);
  plot.legend->setFillOrder(plot.legend->fillOrder(), true);  // places the entries anew
}

void style_plot(QCustomPlot& plot, const Theme& theme) {
  plot.setBackground(QBrush(theme.background));
  plot.setNoAntialiasingOnDrag(false);
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) style_axis(*axis, theme);
  place_legend(plot);
  plot.legend->setVisible(true);
  plot.legend->setBrush(QBrush(theme.background));
  plot.legend->setBorderPen(Qt::NoPen);
  plot.legend->setTextColor(theme.text);
  plot.legend->setSelectedTextColor(theme.text);
  plot.legend->setFont(with_pixel_size(theme.label_font(), 11));
}

void clear_plot(QCustomPlot& plot) {
  plot.clearItems();
  plot.clearPlottables();
  for (QCPBarsGroup* group : plot.findChildren<QCPBarsGroup*>()) delete group;
}

const ChartTarget* target_at(const std::vector<ChartTarget>& targets, QPointF point) {
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    if (target->box.contains(point)) return &*target;
  }
  return nullptr;
}

QString reading_at(const std::vector<ChartTarget>& targets, QPointF point) {
  constexpr qsizetype most = 4;
  const ChartTarget* top = target_at(targets, point);
  if (top == nullptr || !top->shared) return top == nullptr ? QString() : top->reading;
  QStringList readings;
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    if (target->box.contains(point) && !readings.contains(target->reading)) readings << target->reading;
  }
  const qsizetype left_out = readings.size() - most;
  if (left_out <= 0) return readings.join(QStringLiteral("\n\n"));
  return readings.mid(0, most).join(QStringLiteral("\n\n")) +
         QStringLiteral("\n\nand %1 more here: zoom in").arg(left_out);
}

void ChartPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  const QSize size = area.size().toSize();
  if (size.width() < 80 || size.height() < 80) {
    painter.fillRect(area, theme.background);
    return;
  }
  QCustomPlot plot;
  plot.resize(size);
  style_plot(plot, theme);
  chart_->fill(plot, theme);
  fit_legend(plot, size.width());
  QPicture picture;
  QCPPainter recorder(&picture);
  recorder.setMode(QCPPainter::pmVectorized);
  plot.toPainter(&recorder, size.width(), size.height());
  recorder.end();
  painter.save();
  painter.fillRect(area, theme.background);
  painter.drawPicture(area.topLeft(), picture);
  painter.restore();
}

const std::vector<ChartTarget>& ChartPainter::targets(const QRectF& area) const {
  if (laid_out_ == area.size()) return targets_;
  laid_out_ = area.size();
  targets_.clear();
  const QSize size = area.size().toSize();
  if (size.width() < 80 || size.height() < 80) return targets_;
  QCustomPlot plot;
  plot.resize(size);
  style_plot(plot, light_theme());
  chart_->fill(plot, light_theme());
  fit_legend(plot, size.width());
  QPicture picture;
  QCPPainter recorder(&picture);
  plot.toPainter(&recorder, size.width(), size.height());
  recorder.end();
  targets_ = chart_->targets(plot);
  return targets_;
}

std::optional<artifact::Ref> ChartPainter::hit(QPointF point, const QRectF& area) const {
  const ChartTarget* target = target_at(targets(area), point - area.topLeft());
  if (!target || target->layer < 0) return std::nullopt;
  artifact::Ref ref;
  ref.layer = target->layer;
  return ref;
}

QString ChartPainter::reading(QPointF point, const QRectF& area) const {
  return reading_at(targets(area), point - area.topLeft());
}

std::unique_ptr<ViewPainter> make_chart_painter(const Snapshot& snapshot, const MakeChart& make,
                                                const MissingChart& missing) {
  auto chart = make(snapshot);
  if (!chart) return std::make_unique<MessagePainter>(missing ? missing(snapshot) : missing_network_message(snapshot));
  return std::make_unique<ChartPainter>(std::move(chart));
}

}  // namespace convscope::ui
