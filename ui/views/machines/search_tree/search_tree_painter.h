#pragma once
// Level after level of a decision tree: what was taken, what else could have been, and what contradicts it.

#include <memory>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/machines/search_tree/search_tree_scene.h"

namespace convscope::ui {

class SearchTreePainter : public CanvasPainter {
 public:
  SearchTreePainter(std::shared_ptr<const SearchTreeScene> scene, artifact::Ref subject);

  const SearchTreeScene& scene() const { return *scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  artifact::Ref subject() const override { return subject_; }
  std::vector<CanvasMatch> search(const QString& text) override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  /// Values are nothing that other views know.
  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

 private:
  struct Frame;
  void paint_row(const Frame& frame, std::size_t row) const;
  void paint_chip(const Frame& frame, std::size_t row, const SearchTreeScene::Chip& chip) const;
  void paint_heading(const Frame& frame) const;

  std::shared_ptr<const SearchTreeScene> scene_;
  artifact::Ref subject_;
  QString searched_;
};

/// Never null: says what to do if the layer has no decision tree.
std::unique_ptr<CanvasPainter> make_search_tree_canvas(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_search_tree_painter(const Snapshot& snapshot);
QWidget* make_search_tree_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
