#include "ui/plot/chart_widget.h"

#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStackedLayout>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include <qcustomplot.h>

#include "ui/model/view_host.h"
#include "ui/parts/canvas/canvas_widget.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/plot/bar_chart.h"

namespace convscope::ui {
namespace {

constexpr Changes drawn = Change::network | Change::results | Change::selection | Change::baselines | Change::theme;
constexpr double bar_steps = 100;  ///< of a scroll bar for each unit of the axis

}  // namespace

ChartWidget::ChartWidget(ViewHost& host, QWidget* parent, MakeChart make, MissingChart missing)
    : QWidget(parent),
      host_(host),
      make_(std::move(make)),
      missing_(missing ? std::move(missing) : MissingChart(missing_network_message)),
      layout_(new QStackedLayout(this)),
      plot_(new QCustomPlot(this)),
      bar_(new QScrollBar(Qt::Horizontal, this)),
      message_(new CanvasWidget(this)) {
  layout_->addWidget(message_);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(plot_, 1);
  column->addWidget(bar_);
  layout_->addWidget(page);
  bar_->setObjectName(QStringLiteral("chart-scroll"));
  bar_->setAccessibleName(tr("Layers that are seen"));
  bar_->hide();
  plot_->setMinimumSize(200, 150);
  connect(&host, &ViewHost::changed, this, [this](Changes what) {
    if (what.testAnyFlags(drawn)) refresh();
  });
  connect_plot();
}

void ChartWidget::connect_plot() {
  connect(plot_, &QCustomPlot::afterReplot, this, [this] { knows_targets_ = false; });
  connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { show_reading(event); });
  connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pressed_ = event->position(); });
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) { select_layer(event); });
  connect(plot_, &QCustomPlot::legendClick, this,
          [this](QCPLegend*, QCPAbstractLegendItem* item, QMouseEvent*) { toggle(item); });
  connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
          [this](const QCPRange& range) { take_range(range.lower, range.upper); });
  connect(bar_, &QScrollBar::valueChanged, this, &ChartWidget::scroll);
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] {
    opened_ = false;
    refresh();
  });
}

const std::vector<ChartTarget>& ChartWidget::targets() {
  if (!knows_targets_) targets_ = chart_ ? chart_->targets(*plot_) : std::vector<ChartTarget>{};
  knows_targets_ = true;
  return targets_;
}

void ChartWidget::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) refresh();
}

void ChartWidget::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (chart_) fit_legend(*plot_, width());
  // Charts leave out what a low pane has no room for.
  const auto room = [](int height) {
    return (height >= least_labelled_height ? 1 : 0) + (height >= least_labelled_height_without_names ? 1 : 0);
  };
  if (chart_ && room(event->oldSize().height()) != room(height())) refresh();
}

void ChartWidget::refresh() {
  stale_ = !isVisible();
  if (stale_) return;
  chart_ = make_(host_.snapshot());
  knows_targets_ = false;
  clear_plot(*plot_);
  if (!chart_) return show_message();
  show_chart();
  layout_->setCurrentIndex(1);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartWidget::show_chart() {
  const QPointF x(plot_->xAxis->range().lower, plot_->xAxis->range().upper);
  const QPointF y(plot_->yAxis->range().lower, plot_->yAxis->range().upper);
  const auto before = std::exchange(span_, std::nullopt);  // of another chart: it must not hold this one's range
  style_plot(*plot_, host_.theme());
  chart_->fill(*plot_, host_.theme());
  fit_legend(*plot_, width());
  const bool was_open = std::exchange(opened_, true) && spans_as(before);
  if (was_open) {
    keep_range(x, y);
  } else {
    if (!plot_->isVisible()) plot_->resize(size());  // not laid out yet: it will be as wide as this
    chart_->open(*plot_);
  }
  if (take_position()) revealed_ = host_.snapshot().selection.layer;  // it need not be in sight
  span_ = chart_->span();
  if (!span_) bar_->hide();
  plot_->setInteractions(chart_->zooms() ? QCP::iRangeDrag | QCP::iRangeZoom : QCP::Interactions());
  plot_->axisRect()->setRangeDrag(chart_->zooms());
  plot_->axisRect()->setRangeZoom(chart_->zooms());
  reveal_selection();
  take_range(plot_->xAxis->range().lower, plot_->xAxis->range().upper);
  hide_series();
}

void ChartWidget::keep_range(const QPointF& x, const QPointF& y) {
  if (chart_->zooms() & Qt::Horizontal) plot_->xAxis->setRange(x.x(), x.y());
  if (chart_->zooms() & Qt::Vertical) plot_->yAxis->setRange(y.x(), y.y());
}

bool ChartWidget::spans_as(const std::optional<ChartSpan>& before) const {
  const auto now = chart_->span();
  if (now.has_value() != before.has_value()) return false;
  return !now || (now->first == before->first && now->last == before->last);
}

void ChartWidget::reveal_selection() {
  const int layer = host_.snapshot().selection.layer;
  if (!span_ || !span_->selected || std::exchange(revealed_, layer) == layer) return;
  const QCPRange seen = plot_->xAxis->range();
  if (seen.contains(*span_->selected)) return;
  plot_->xAxis->setRange(*span_->selected - seen.size() / 2, *span_->selected + seen.size() / 2);
}

void ChartWidget::take_range(double first, double last) {
  if (!span_ || moving_bar_) return;
  const QScopedValueRollback moving(moving_bar_, true);
  const double size = std::min(last - first, span_->last - span_->first);
  first = std::clamp(first, span_->first, span_->last - size);
  plot_->xAxis->setRange(first, first + size);
  const double hidden = span_->last - span_->first - size;
  bar_->setVisible(hidden > 1e-6);
  bar_->setRange(0, static_cast<int>(std::ceil(hidden * bar_steps)));
  bar_->setPageStep(std::max(1, static_cast<int>(size * bar_steps)));
  bar_->setSingleStep(static_cast<int>(bar_steps));
  bar_->setValue(static_cast<int>((first - span_->first) * bar_steps));
}

void ChartWidget::scroll(int value) {
  if (!span_ || moving_bar_) return;
  const double first = span_->first + value / bar_steps;
  plot_->xAxis->setRange(first, first + plot_->xAxis->range().size());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

QString ChartWidget::position() const {
  if (!chart_ || !opened_ || !chart_->zooms()) return wanted_position_;
  QStringList parts;
  for (const QCPAxis* axis : {plot_->xAxis, plot_->yAxis})
    for (const double end : {axis->range().lower, axis->range().upper}) parts << QString::number(end, 'g', 17);
  return parts.join(' ');
}

void ChartWidget::restore_position(const QString& position) {
  wanted_position_ = position;  // what is shown now is of the session before
}

/// True if the session's ranges are taken.
bool ChartWidget::take_position() {
  const QStringList parts = std::exchange(wanted_position_, QString()).split(' ');
  double ends[4] = {};
  bool fine = parts.size() == 4;
  for (int part = 0; fine && part < 4; ++part) {
    ends[part] = parts[part].toDouble(&fine);
    fine = fine && std::isfinite(ends[part]);
  }
  if (!fine || !QCPRange::validRange(ends[0], ends[1]) || !QCPRange::validRange(ends[2], ends[3])) return false;
  keep_range({ends[0], ends[1]}, {ends[2], ends[3]});
  return true;
}

void ChartWidget::show_message() {
  opened_ = false;
  span_ = std::nullopt;
  bar_->hide();
  message_->set_painter(std::make_shared<MessagePainter>(missing_(host_.snapshot())), host_.theme());
  layout_->setCurrentWidget(message_);
}

void ChartWidget::hide_series() {
  for (int i = 0; i < plot_->plottableCount(); ++i) {
    QCPAbstractPlottable* plottable = plot_->plottable(i);
    const bool hidden =
        hidden_.contains(plottable->name()) || hidden_.contains(plottable->property(stack_property).toString());
    plottable->setVisible(!hidden);
    if (auto* item = plot_->legend->itemWithPlottable(plottable)) {
      item->setTextColor(hidden ? host_.theme().border : host_.theme().text);
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
  const ChartTarget* target = target_at(targets(), event->position());
  plot_->setCursor(target && target->layer >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (target) {
    QToolTip::showText(event->globalPosition().toPoint(), reading_at(targets_, event->position()), plot_);
  } else {
    QToolTip::hideText();
  }
}

void ChartWidget::select_layer(const QMouseEvent* event) {
  if ((event->position() - pressed_).manhattanLength() > 4) return;
  const ChartTarget* target = target_at(targets(), event->position());
  if (!target || target->layer < 0) return;
  artifact::Ref ref;
  ref.layer = target->layer;
  host_.select(ref);
}

QWidget* make_chart_widget(ViewHost& host, QWidget* parent, MakeChart make) {
  return new ChartWidget(host, parent, std::move(make));
}

}  // namespace convscope::ui
