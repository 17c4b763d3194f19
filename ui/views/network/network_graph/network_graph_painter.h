#pragma once
// Paints a network: only what is seen, text only where it can be read, below a pixel one mark for many boxes. Filled is
// mapped, hatched is not.

#include <memory>
#include <unordered_set>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/network/network_graph/network_graph_scene.h"

namespace convscope::ui {

class NetworkGraphPainter : public CanvasPainter {
 public:
  explicit NetworkGraphPainter(NetworkGraphScene scene) : scene_(std::move(scene)) {}

  const NetworkGraphScene& scene() const { return scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  /// The same for every layer and drawing of a network: they share one viewport.
  artifact::Ref subject() const override;
  bool covers(const artifact::Ref& /*selection*/, int /*program*/) const override { return true; }
  double initial_zoom(const QRectF& area) const override;
  /// Keeps the selected box, if it was seen, else the one in the middle, at its place on the screen.
  Viewport viewport_after(const CanvasPainter& before, const QRectF& area) const override;
  std::vector<CanvasMatch> search(const QString& text) override;
  bool has_overview() const override { return true; }
  void paint_overview(QPainter& painter, const QRectF& box, const Theme& theme) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_.csv(); }
  /// The branch whose sign (- or +) is under a point, or -1.
  int branch_at(QPointF point, const QRectF& area) const;
  /// The box under a point, or -1.
  int box_near(QPointF point, const QRectF& area) const;
  /// The selected layer's box, or -1.
  int chosen() const { return chosen_; }

 private:
  struct Frame;
  void paint_flows(const Frame& frame) const;
  void paint_chosen_flows(const Frame& frame) const;
  bool affordable_as_curves(const Frame& frame, const std::vector<int>& stretches) const;
  void paint_curves(const Frame& frame, const std::vector<int>& stretches, const QPen& pen) const;
  void paint_lines(const Frame& frame, const std::vector<int>& stretches, const QPen& pen) const;
  void paint_boxes_from_afar(const Frame& frame) const;
  void paint_box(const Frame& frame, int box) const;
  void paint_branch_sign(const Frame& frame, int box, const QRectF& place) const;
  void paint_utilization(const Frame& frame, int box, const QRectF& place) const;
  void paint_marks(const Frame& frame, int box) const;
  void paint_text(const Frame& frame, int box, const QRectF& place) const;
  /// Draws a box's difference from the baseline at the line's end; returns what is left of the line.
  QRectF without_difference(const Frame& frame, int box, const QRectF& line) const;
  void paint_legend(const Frame& frame) const;
  double paint_scale(const Frame& frame, const QRectF& strip) const;
  QColor fill_of(int box, const Theme& theme) const;

  NetworkGraphScene scene_;
  int chosen_ = -1;
  std::unordered_set<int> found_;  ///< boxes that a search marks
};

/// Never null: says what to do if there is no network.
std::unique_ptr<CanvasPainter> make_network_graph_canvas(const Snapshot& snapshot,
                                                         std::shared_ptr<const NetworkDrawing> drawing,
                                                         BoxColour colour = BoxColour::kind);
std::unique_ptr<CanvasPainter> make_network_graph_canvas(const Snapshot& snapshot, NetworkDetail detail);
/// The open network, or that of the run that is shown; may be null.
std::shared_ptr<const network::Network> network_of(const Snapshot& snapshot);
/// In the own layout, so that exports are the same on every machine.
std::unique_ptr<ViewPainter> make_network_graph_painter(const Snapshot& snapshot);
QWidget* make_network_graph_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
