#pragma once
// The tiling view in the window: playback above the picture, strategies and a tiling by hand below it.

#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/jobs/latest_job.h"
#include "ui/model/view_host.h"
#include "ui/views/layer/tiling/tiling_painter.h"

class QSplitter;

namespace convscope::ui {

class CanvasPanel;
class HandTiling;
class StrategyTable;
class TilingPlayback;

class TilingWidget : public QWidget {
  Q_OBJECT
 public:
  TilingWidget(ViewHost& host, QWidget* parent);

  /// What is shown; null while there is no plan.
  TilingPainter* shown() const;
  const TilingChoice& choice() const { return choice_; }
  CanvasPanel& canvas_panel() { return *panel_; }
  /// Shows another tiling of the selected layer.
  void choose(const TilingChoice& choice);
  /// Nothing is being computed.
  bool settled() const { return !comparison_.running() && !evaluation_.running() && !delay_.isActive(); }
  /// How often strategies were compared, and tilings by hand evaluated.
  std::int64_t comparisons() const { return comparison_.started(); }
  std::int64_t evaluations() const { return evaluation_.started(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void follow(Changes what);
  void painter_shown();
  void keep_drag(TilingPainter* painter);
  void layer_changed();
  void compare();
  void compared(std::vector<target::Alternative> alternatives);
  void offer_by_hand(const target::Alternative& start);
  void evaluate(const std::string& strategy, const std::vector<std::int64_t>& sizes);
  void evaluated(target::Alternative result);
  void show_step(std::int64_t step);
  void next_load(artifact::TileTensor tensor);
  bool drag(QEvent& event);
  void drag_to(QPointF point);
  QRectF area() const;
  const target::Alternative* chosen() const;

  ViewHost& host_;
  TilingPlayback* playback_;
  CanvasPanel* panel_;
  QSplitter* below_;
  StrategyTable* table_;
  HandTiling* hand_;
  TilingChoice choice_;
  std::optional<TilePosition> position_;
  std::shared_ptr<const target::CompiledLayer> layer_;  ///< whose strategies stand in the table
  std::optional<TileEdge> dragged_;
  bool held_ = false;  ///< the button that began a drag, which may have lost its edge, is still down
  QTimer delay_;       ///< lets a drag of a parameter come to rest
  LatestJob comparison_, evaluation_;
};

}  // namespace convscope::ui
