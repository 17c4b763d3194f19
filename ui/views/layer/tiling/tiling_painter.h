#pragma once
// Paints one step of a plan: tensors with their tiles, bursts, memories, transfers, and why.

#include <memory>
#include <stop_token>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/layer/tiling/tensor_panel.h"
#include "ui/views/layer/tiling/tiling_layout.h"

namespace convscope::ui {

/// Edges of the present tile of OUT that can be dragged.
struct TileEdge {
  bool rows = false, columns = false;
  artifact::TileBox box;
};

class TilingPainter : public CanvasPainter {
 public:
  explicit TilingPainter(std::shared_ptr<const TilingScene> scene);

  const TilingScene& scene() const { return *scene_; }
  std::int64_t step() const { return step_; }
  /// Shows another step; clamped. Asks the plan for that one only.
  void set_step(std::int64_t step);
  const artifact::TileStep& shown_step() const { return shown_; }

  CanvasGeometry geometry(const QRectF& area) const override;
  /// Goes to the step of a selected operation, e.g. of a timeline's cell; others leave the step as it is.
  void select(const artifact::Ref& selection) override;
  artifact::Ref subject() const override { return scene_->content().subject; }
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  /// A tile under the point: a group's work in the first step of the present pass that uses it.
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

  /// The edge of the present OUT tile under a point.
  std::optional<TileEdge> edge_at(QPointF point, const QRectF& area) const;
  /// True if this picture has that edge, too: one of another plan may not.
  bool has_edge(const TileEdge& edge) const;
  /// Rows and columns of the tile if the edge were here; at least 1.
  std::pair<std::int64_t, std::int64_t> dragged_size(const TileEdge& edge, QPointF point, const QRectF& area) const;
  /// Outlines a tile of OUT that is being dragged.
  void set_preview(const std::optional<artifact::TileBox>& box) { preview_ = box; }
  const std::optional<artifact::TileBox>& preview() const { return preview_; }
  /// Where a tensor is painted, in pixels of the area at zoom 1.
  QRectF front_of(artifact::TileTensor tensor, const QRectF& area) const;

 private:
  TilingLayout layout(double width, double height) const;
  TilingLayout layout(const QRectF& area) const;
  QPointF content_point(QPointF point, const QRectF& area) const;
  void paint_header(const TilingFrame& frame, const QRectF& box) const;
  void paint_legend(const TilingFrame& frame, const QRectF& box) const;
  void paint_preview(const TilingFrame& frame, const TensorPanel& panel) const;
  QString tile_reading(const TensorPanel& panel, QPointF element) const;

  std::shared_ptr<const TilingScene> scene_;
  std::int64_t step_ = 0;
  artifact::TileStep shown_;
  std::optional<artifact::TileBox> preview_;
};

/// A tiling of the selected layer, chosen unless the choice says otherwise and can be had. With `compare` the best of
/// every strategy stands in the picture, as far as they are found within a second. Throws Cancelled.
std::unique_ptr<CanvasPainter> make_tiling_canvas(const Snapshot& snapshot, const TilingChoice& choice, bool compare,
                                                  const std::stop_token& stop = {});
std::unique_ptr<ViewPainter> make_tiling_painter(const Snapshot& snapshot);
QWidget* make_tiling_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
