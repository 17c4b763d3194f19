#pragma once
// A chart in the window: follows the host, reads under the pointer, selects, hides series, moves and zooms.

#include <QPointF>
#include <QSet>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/model/view_position.h"
#include "ui/plot/chart.h"

class QCPAbstractLegendItem;
class QMouseEvent;
class QScrollBar;
class QStackedLayout;

namespace convscope::ui {

class CanvasWidget;

class ChartWidget : public QWidget, public ViewPosition {
 public:
  ChartWidget(ViewHost& host, QWidget* parent, MakeChart make, MissingChart missing = {});

  /// Makes the chart anew, e.g. because `make` looks at something else now; waits until it is visible.
  void refresh();
  /// The next chart shows the range that it opens with.
  void forget_range() { opened_ = false; }
  QString position() const override;
  void restore_position(const QString& position) override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void connect_plot();
  /// Those of the plot as it is painted; made when the pointer asks.
  const std::vector<ChartTarget>& targets();
  void show_chart();
  void keep_range(const QPointF& x, const QPointF& y);
  /// Another network has another span: what was looked at is gone.
  bool spans_as(const std::optional<ChartSpan>& before) const;
  void reveal_selection();
  void take_range(double first, double last);
  void scroll(int value);
  bool take_position();
  void show_message();
  void hide_series();
  void toggle(QCPAbstractLegendItem* item);
  void show_reading(const QMouseEvent* event);
  void select_layer(const QMouseEvent* event);

  ViewHost& host_;
  MakeChart make_;
  MissingChart missing_;
  QStackedLayout* layout_;
  QCustomPlot* plot_;
  QScrollBar* bar_;  ///< below charts whose axis is longer than what is seen
  CanvasWidget* message_;
  std::shared_ptr<const Chart> chart_;
  std::vector<ChartTarget> targets_;
  QSet<QString> hidden_;
  QPointF pressed_;
  std::optional<ChartSpan> span_;  ///< of the chart that was shown last
  int revealed_ = -1;              ///< layer that was brought into sight
  QString wanted_position_;        ///< of a session, until the chart is there
  bool stale_ = true, opened_ = false, moving_bar_ = false, knows_targets_ = false;
};

}  // namespace convscope::ui
