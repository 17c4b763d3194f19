#pragma once
// Paints a network: only what is seen, text only where it can be read. Filled is mapped, hatched is not.

#include <memory>

#include "ui/views/canvas.h"
#include "ui/views/network_graph/network_graph_scene.h"

namespace convscope::ui {

class NetworkGraphPainter : public CanvasPainter {
 public:
  explicit NetworkGraphPainter(NetworkGraphScene scene) : scene_(std::move(scene)) {}

  const NetworkGraphScene& scene() const { return scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  /// The same for every layer of a drawing: they share one viewport.
  artifact::Ref subject() const override;
  bool covers(const artifact::Ref& /*selection*/, int /*program*/) const override { return true; }
  double initial_zoom(const QRectF& area) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_.csv(); }

 private:
  struct Frame;
  void paint_flows(const Frame& frame) const;
  void paint_flow(const Frame& frame, int flow, bool chosen) const;
  void paint_box(const Frame& frame, int box) const;
  void paint_text(const Frame& frame, int box, const QRectF& place) const;
  void paint_legend(const Frame& frame) const;
  int box_near(QPointF point, const QRectF& area) const;

  NetworkGraphScene scene_;
  int chosen_ = -1;
};

/// Never null: says what to do if there is no network. `cache` may be null.
std::unique_ptr<CanvasPainter> make_network_graph_canvas(const Snapshot& snapshot, NetworkDetail detail,
                                                         NetworkDrawingCache* cache);
std::unique_ptr<ViewPainter> make_network_graph_painter(const Snapshot& snapshot);
QWidget* make_network_graph_widget(Workbench& workbench, QWidget* parent);

}  // namespace convscope::ui
