#include "ui/views/charts/chart_widget.h"

#include <QStackedLayout>
#include <QToolTip>
#include <utility>

#include <qcustomplot.h>

#include "ui/views/canvas_widget.h"
#include "ui/views/message_painter.h"
#include "ui/workbench.h"

namespace convscope::ui {

ChartWidget::ChartWidget(Workbench& workbench, QWidget* parent, MakeChart make, MissingChart missing)
    : QWidget(parent),
      workbench_(workbench),
      make_(std::move(make)),
      missing_(missing ? std::move(missing) : MissingChart(missing_network_message)),
      layout_(new QStackedLayout(this)),
      plot_(new QCustomPlot(this)),
      message_(new CanvasWidget(this)) {
  layout_->addWidget(message_);
  layout_->addWidget(plot_);
  plot_->setMinimumSize(200, 150);
  connect(&workbench, &Workbench::snapshot_changed, this, [this] { refresh(); });
  connect(&workbench, &Workbench::selection_changed, this, [this] { refresh(); });
  connect(&workbench, &Workbench::theme_changed, this, [this] { refresh(); });
  connect_plot();
}

void ChartWidget::connect_plot() {
  connect(plot_, &QCustomPlot::afterReplot, this, [this] { targets_ = chart_ ? chart_->targets(*plot_) : targets_; });
  connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { show_reading(event); });
  connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pressed_ = event->position(); });
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) { select_layer(event); });
  connect(plot_, &QCustomPlot::legendClick, this,
          [this](QCPLegend*, QCPAbstractLegendItem* item, QMouseEvent*) { toggle(item); });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] {
    opened_ = false;
    refresh();
  });
}

void ChartWidget::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) refresh();
}

void ChartWidget::refresh() {
  stale_ = !isVisible();
  if (stale_) return;
  chart_ = make_(workbench_.snapshot());
  targets_.clear();
  clear_plot(*plot_);
  if (!chart_) return show_message();
  show_chart();
  layout_->setCurrentWidget(plot_);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartWidget::show_chart() {
  const QPointF x(plot_->xAxis->range().lower, plot_->xAxis->range().upper);
  const QPointF y(plot_->yAxis->range().lower, plot_->yAxis->range().upper);
  style_plot(*plot_, workbench_.theme());
  chart_->fill(*plot_, workbench_.theme());
  const bool was_open = std::exchange(opened_, true);
  if (was_open)
    keep_range(x, y);
  else
    chart_->open(*plot_);
  plot_->setInteractions(chart_->zooms() ? QCP::iRangeDrag | QCP::iRangeZoom : QCP::Interactions());
  plot_->axisRect()->setRangeDrag(chart_->zooms());
  plot_->axisRect()->setRangeZoom(chart_->zooms());
  hide_series();
}

void ChartWidget::keep_range(const QPointF& x, const QPointF& y) {
  if (chart_->zooms() & Qt::Horizontal) plot_->xAxis->setRange(x.x(), x.y());
  if (chart_->zooms() & Qt::Vertical) plot_->yAxis->setRange(y.x(), y.y());
}

void ChartWidget::show_message() {
  opened_ = false;
  message_->set_painter(std::make_shared<MessagePainter>(missing_(workbench_.snapshot())), workbench_.theme());
  layout_->setCurrentWidget(message_);
}

void ChartWidget::hide_series() {
  for (int i = 0; i < plot_->plottableCount(); ++i) {
    QCPAbstractPlottable* plottable = plot_->plottable(i);
    const bool hidden = hidden_.contains(plottable->name());
    plottable->setVisible(!hidden);
    if (auto* item = plot_->legend->itemWithPlottable(plottable)) {
      item->setTextColor(hidden ? workbench_.theme().border : workbench_.theme().text);
    }
  }
}

void ChartWidget::toggle(QCPAbstractLegendItem* item) {
  auto* entry = qobject_cast<QCPPlottableLegendItem*>(item);
  if (!entry) return;
  const QString name = entry->plottable()->name();
  if (!hidden_.remove(name)) hidden_.insert(name);
  hide_series();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartWidget::show_reading(const QMouseEvent* event) {
  const ChartTarget* target = target_at(targets_, event->position());
  plot_->setCursor(target && target->layer >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (target) {
    QToolTip::showText(event->globalPosition().toPoint(), target->reading, plot_);
  } else {
    QToolTip::hideText();
  }
}

void ChartWidget::select_layer(const QMouseEvent* event) {
  if ((event->position() - pressed_).manhattanLength() > 4) return;
  const ChartTarget* target = target_at(targets_, event->position());
  if (!target || target->layer < 0) return;
  artifact::Ref ref;
  ref.layer = target->layer;
  workbench_.select(ref);
}

QWidget* make_chart_widget(Workbench& workbench, QWidget* parent, MakeChart make) {
  return new ChartWidget(workbench, parent, std::move(make));
}

}  // namespace convscope::ui
