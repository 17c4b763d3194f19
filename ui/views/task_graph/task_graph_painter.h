#pragma once
// Paints a task graph: only what is seen; from far away, edges below a pixel are left out and the others thinned.

#include <memory>
#include <unordered_set>

#include "ui/views/canvas.h"
#include "ui/views/task_graph/task_graph_scene.h"

namespace convscope::ui {

class TaskGraphPainter : public CanvasPainter {
 public:
  explicit TaskGraphPainter(std::shared_ptr<const TaskGraphScene> scene) : scene_(std::move(scene)) {}

  const TaskGraphScene& scene() const { return *scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  artifact::Ref subject() const override { return scene_->subject(); }
  double initial_zoom(const QRectF& area) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

 private:
  struct Frame;
  void paint_columns(const Frame& frame) const;
  void paint_edges(const Frame& frame) const;
  void paint_edge(const Frame& frame, const TaskGraphScene::Edge& edge, bool chosen) const;
  void paint_operations(const Frame& frame) const;
  void paint_operation(const Frame& frame, int operation) const;
  void paint_headings(const Frame& frame) const;
  bool touches_selection(const TaskGraphScene::Edge& edge) const;
  int operation_near(QPointF point, const QRectF& area) const;

  std::shared_ptr<const TaskGraphScene> scene_;
  int chosen_ = -1;
  std::unordered_set<artifact::OperationKey> neighbours_;
};

/// Never null: says what to do if there is no graph.
std::unique_ptr<CanvasPainter> make_task_graph_canvas(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_task_graph_painter(const Snapshot& snapshot);
QWidget* make_task_graph_widget(Workbench& workbench, QWidget* parent);

}  // namespace convscope::ui
