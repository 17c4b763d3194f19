#include "ui/views/network/breakdown/breakdown_view.h"

#include <QVBoxLayout>
#include <QWidget>
#include <cmath>
#include <utility>

#include <qcustomplot.h>

#include "ui/parts/canvas/message_painter.h"

namespace convscope::ui {
namespace {

std::shared_ptr<const Chart> cycles_of(const Snapshot& snapshot) {
  return make_breakdown_cycles(snapshot);
}

std::shared_ptr<const Chart> shares_of(const Snapshot& snapshot) {
  return make_breakdown_shares(snapshot);
}

/// What is seen of the layers is the same in both; one scroll bar is enough.
void move_together(QWidget& above, QWidget& below) {
  auto *upper = above.findChild<QCustomPlot*>(), *lower = below.findChild<QCustomPlot*>();
  for (const auto& [from, to] : {std::pair(upper, lower), std::pair(lower, upper)}) {
    QObject::connect(from->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), to,
                     [other = to](const QCPRange& range) {
                       if (other->xAxis->range() == range) return;
                       other->xAxis->setRange(range);
                       other->replot(QCustomPlot::rpQueuedReplot);
                     });
  }
  if (auto* bar = above.findChild<QWidget*>(QStringLiteral("chart-scroll"))) bar->setMaximumHeight(0);
}

/// Both charts, one above the other; the lower one has names and legend below it.
class BreakdownPainter : public ViewPainter {
 public:
  BreakdownPainter(std::shared_ptr<const Chart> cycles, std::shared_ptr<const Chart> shares)
      : cycles_(std::move(cycles)), shares_(std::move(shares)) {}

  QSizeF preferred_size() const override {
    const QSizeF one = shares_.preferred_size();
    return {one.width(), 1.7 * one.height()};
  }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    cycles_.paint(painter, upper(area), theme);
    shares_.paint(painter, lower(area), theme);
  }
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override {
    return upper(area).contains(point) ? cycles_.hit(point, upper(area)) : shares_.hit(point, lower(area));
  }
  QString reading(QPointF point, const QRectF& area) const override {
    return upper(area).contains(point) ? cycles_.reading(point, upper(area)) : shares_.reading(point, lower(area));
  }
  bool works_on_any_thread() const override { return false; }
  /// Lines of both; the unit tells them apart.
  std::string csv() const override {
    const std::string shares = shares_.csv();
    return cycles_.csv() + shares.substr(shares.find('\n') + 1);
  }

 private:
  static double upper_height(const QRectF& area) { return std::round(0.4 * area.height()); }
  static QRectF upper(const QRectF& area) { return {area.left(), area.top(), area.width(), upper_height(area)}; }
  static QRectF lower(const QRectF& area) { return area.adjusted(0, upper_height(area), 0, 0); }

  ChartPainter cycles_, shares_;
};

}  // namespace

std::unique_ptr<ViewPainter> make_breakdown_painter(const Snapshot& snapshot) {
  auto cycles = cycles_of(snapshot), shares = shares_of(snapshot);
  if (!cycles || !shares) return std::make_unique<MessagePainter>(missing_network_message(snapshot));
  return std::make_unique<BreakdownPainter>(std::move(cycles), std::move(shares));
}

QWidget* make_breakdown_widget(ViewHost& host, QWidget* parent) {
  auto* widget = new QWidget(parent);
  auto* layout = new QVBoxLayout(widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  QWidget* cycles = make_chart_widget(host, widget, cycles_of);
  cycles->setAccessibleName(QStringLiteral("Breakdown in cycles"));
  QWidget* shares = make_chart_widget(host, widget, shares_of);
  shares->setAccessibleName(QStringLiteral("Breakdown in shares"));
  layout->addWidget(cycles, 2);
  layout->addWidget(shares, 3);  // names and legend are below it
  move_together(*cycles, *shares);
  return widget;
}

}  // namespace convscope::ui
