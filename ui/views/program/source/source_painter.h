#pragma once
// The syntax tree on the left, the text on the right. What is selected is marked in both, and both stand so that the
// node is beside its first line.

#include <memory>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/source/source_scene.h"

namespace convscope::ui {

class SourcePainter : public CanvasPainter {
 public:
  explicit SourcePainter(std::shared_ptr<const SourceScene> scene);

  const SourceScene& scene() const { return *scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  std::vector<CanvasMatch> search(const QString& text) override;
  artifact::Ref subject() const override { return scene_->subject(); }
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

 private:
  struct Frame;
  /// What lies at a point: a row of the tree, or a line of the text.
  struct Spot {
    int node = -1, line = -1;
  };
  Spot spot(QPointF point, const QRectF& area) const;
  double tree_width() const;
  double text_left() const;
  double width() const;
  int rows() const;
  int tree_offset() const { return std::max(0, offset_); }   ///< rows above the tree
  int text_offset() const { return std::max(0, -offset_); }  ///< rows above the text
  void paint_node(const Frame& frame, int node) const;
  void paint_line(const Frame& frame, int line) const;
  void paint_headings(const Frame& frame) const;

  std::shared_ptr<const SourceScene> scene_;
  int marked_ = -1;
  int offset_ = 0;
  QString searched_;
};

/// Never null: says what to do if there is no source. `stage` -1: the one that knows the lines.
std::unique_ptr<CanvasPainter> make_source_canvas(const Snapshot& snapshot, int stage);
std::unique_ptr<ViewPainter> make_source_painter(const Snapshot& snapshot);
QWidget* make_source_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
