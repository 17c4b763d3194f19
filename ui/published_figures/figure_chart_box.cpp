#include "ui/published_figures/figure_chart_box.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QToolTip>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include "ui/words/text.h"

namespace convscope::ui {

FigureChartBox::FigureChartBox(ViewHost& host, QWidget* parent)
    : QWidget(parent), host_(host), series_(new QComboBox(this)), plot_(new QCustomPlot(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  series_->setObjectName("figure-series");
  series_->setAccessibleName(tr("What the chart shows"));
  series_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  series_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  plot_->setObjectName("figure-chart");
  plot_->setAccessibleName(tr("The figure as a chart"));
  plot_->setMinimumHeight(180);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  layout->addWidget(series_);
  layout->addWidget(plot_, 1);
  connect(series_, &QComboBox::currentIndexChanged, this, &FigureChartBox::refresh);
  connect(plot_, &QCustomPlot::mouseMove, this,
          [this](QMouseEvent* event) { show_reading(event->position(), event->globalPosition().toPoint()); });
  connect(plot_, &QCustomPlot::afterReplot, this, [this] { knows_targets_ = false; });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, &FigureChartBox::refresh);
  on_change(host, this, Change::theme, [this] { refresh(); });
}

void FigureChartBox::show_figure(const figures::Figure& figure) {
  figure_ = figure;
  found_ = figure_series(figure);
  {
    const QSignalBlocker blocker(series_);
    series_->clear();
    for (const FigureSeries& each : found_) {
      const QString columns = each.columns.size() == 1 ? to_text(figure.columns[each.columns.front()])
                                                       : tr("%1 columns").arg(each.columns.size());
      series_->addItem(QStringLiteral("%1 (%2)").arg(each.title, columns));
    }
  }
  refresh();
}

void FigureChartBox::refresh() {
  const int index = series_->currentIndex();
  setVisible(index >= 0);
  clear_plot(*plot_);
  chart_.reset();
  knows_targets_ = false;
  if (index < 0) return;
  chart_ = make_figure_chart(figure_, found_[static_cast<std::size_t>(index)]);
  style_plot(*plot_, host_.theme());
  chart_->fill(*plot_, host_.theme());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

const std::vector<ChartTarget>& FigureChartBox::targets() {
  if (knows_targets_) return targets_;
  targets_ = chart_ ? chart_->targets(*plot_) : std::vector<ChartTarget>{};
  knows_targets_ = true;
  ++targets_made_;
  return targets_;
}

void FigureChartBox::show_reading(QPointF point, const QPoint& global) {
  if (!chart_) return;
  const ChartTarget* target = target_at(targets(), point);
  target ? QToolTip::showText(global, target->reading, plot_) : QToolTip::hideText();
}

}  // namespace convscope::ui
