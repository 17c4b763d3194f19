#include <QSet>
#include <QStackedLayout>
#include <QToolTip>

#include <qcustomplot.h>

#include "ui/views/canvas_widget.h"
#include "ui/views/charts/chart.h"
#include "ui/views/message_painter.h"
#include "ui/workbench.h"

namespace convscope::ui {
namespace {

class ChartWidget : public QWidget {
 public:
  ChartWidget(Workbench& workbench, QWidget* parent, MakeChart make)
      : QWidget(parent),
        workbench_(workbench),
        make_(make),
        layout_(new QStackedLayout(this)),
        plot_(new QCustomPlot(this)),
        message_(new CanvasWidget(this)) {
    layout_->addWidget(message_);
    layout_->addWidget(plot_);
    plot_->setMinimumSize(200, 150);
    connect(&workbench, &Workbench::snapshot_changed, this, [this] { refresh(); });
    connect(&workbench, &Workbench::selection_changed, this, [this] { refresh(); });
    connect(&workbench, &Workbench::theme_changed, this, [this] { refresh(); });
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

 protected:
  void showEvent(QShowEvent* event) override {
    QWidget::showEvent(event);
    if (stale_) refresh();
  }

 private:
  void refresh() {
    stale_ = !isVisible();
    if (stale_) return;
    chart_ = make_(workbench_.snapshot());
    targets_.clear();
    clear_plot(*plot_);
    if (!chart_) return show_message();
    const QCPRange x = plot_->xAxis->range(), y = plot_->yAxis->range();
    style_plot(*plot_, workbench_.theme());
    chart_->fill(*plot_, workbench_.theme());
    if (chart_->zooms()) {
      plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
      if (opened_) {  // keep what the user looks at
        plot_->xAxis->setRange(x);
        plot_->yAxis->setRange(y);
      }
    }
    opened_ = true;
    hide_series();
    layout_->setCurrentWidget(plot_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
  }

  void show_message() {
    opened_ = false;
    message_->set_painter(std::make_shared<MessagePainter>(missing_network_message(workbench_.snapshot())),
                          workbench_.theme());
    layout_->setCurrentWidget(message_);
  }

  void hide_series() {
    for (int i = 0; i < plot_->plottableCount(); ++i) {
      QCPAbstractPlottable* plottable = plot_->plottable(i);
      const bool hidden = hidden_.contains(plottable->name());
      plottable->setVisible(!hidden);
      if (auto* item = plot_->legend->itemWithPlottable(plottable)) {
        item->setTextColor(hidden ? workbench_.theme().border : workbench_.theme().text);
      }
    }
  }

  void toggle(QCPAbstractLegendItem* item) {
    auto* entry = qobject_cast<QCPPlottableLegendItem*>(item);
    if (!entry) return;
    const QString name = entry->plottable()->name();
    if (!hidden_.remove(name)) hidden_.insert(name);
    hide_series();
    plot_->replot(QCustomPlot::rpQueuedReplot);
  }

  void show_reading(const QMouseEvent* event) {
    const ChartTarget* target = target_at(targets_, event->position());
    plot_->setCursor(target && target->layer >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (target) {
      QToolTip::showText(event->globalPosition().toPoint(), target->reading, plot_);
    } else {
      QToolTip::hideText();
    }
  }

  void select_layer(const QMouseEvent* event) {
    if ((event->position() - pressed_).manhattanLength() > 4) return;
    const ChartTarget* target = target_at(targets_, event->position());
    if (!target || target->layer < 0) return;
    artifact::Ref ref;
    ref.layer = target->layer;
    workbench_.select(ref);
  }

  Workbench& workbench_;
  MakeChart make_;
  QStackedLayout* layout_;
  QCustomPlot* plot_;
  CanvasWidget* message_;
  std::shared_ptr<const Chart> chart_;
  std::vector<ChartTarget> targets_;
  QSet<QString> hidden_;
  QPointF pressed_;
  bool stale_ = true, opened_ = false;
};

}  // namespace

QWidget* make_chart_widget(Workbench& workbench, QWidget* parent, MakeChart make) {
  return new ChartWidget(workbench, parent, make);
}

}  // namespace convscope::ui
