#pragma once
// Paints a task graph: only what is seen; from far away, edges below a pixel are left out and the others thinned.

#include <memory>
#include <unordered_set>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/task_graph/task_graph_scene.h"

namespace convscope::ui {

/// What colours the operations.
enum class TaskColour {
  kind,
  cycle,       ///< when in its iteration
  criticality  ///< how far it could move: no slack is critical
};

class TaskGraphPainter : public CanvasPainter {
 public:
  explicit TaskGraphPainter(std::shared_ptr<const TaskGraphScene> scene, TaskColour colour = TaskColour::kind)
      : scene_(std::move(scene)), colour_(colour) {}

  const TaskGraphScene& scene() const { return *scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  artifact::Ref subject() const override { return scene_->subject(); }
  std::vector<CanvasMatch> search(const QString& text) override;
  bool has_overview() const override { return true; }
  void paint_overview(QPainter& painter, const QRectF& box, const Theme& theme) const override;
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
  void paint_edges_as_lines(const Frame& frame, const std::vector<const TaskGraphScene::Edge*>& edges) const;
  void paint_edge(const Frame& frame, const TaskGraphScene::Edge& edge, bool chosen) const;
  void paint_operations(const Frame& frame) const;
  void paint_operation(const Frame& frame, int operation) const;
  void paint_headings(const Frame& frame) const;
  void paint_legend(const Frame& frame) const;
  QColor fill_of(int operation, const Theme& theme) const;
  bool is_critical_edge(const TaskGraphScene::Edge& edge) const;
  bool touches_selection(const TaskGraphScene::Edge& edge) const;
  int operation_near(QPointF point, const QRectF& area) const;

  std::shared_ptr<const TaskGraphScene> scene_;
  TaskColour colour_;
  int chosen_ = -1;
  std::unordered_set<int> found_;                      ///< that a search marks
  std::unordered_set<artifact::OperationKey> linked_;  ///< of the selected cycle or word
  std::unordered_set<artifact::OperationKey> neighbours_;
};

/// Never null: says what to do if there is no graph.
std::unique_ptr<CanvasPainter> make_task_graph_canvas(const Snapshot& snapshot, TaskColour colour = TaskColour::kind);
std::unique_ptr<ViewPainter> make_task_graph_painter(const Snapshot& snapshot);
QWidget* make_task_graph_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
