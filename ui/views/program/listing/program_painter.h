#pragma once
// Paints a listing: only the lines that are seen.

#include <memory>
#include <unordered_set>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/listing/program_scene.h"

namespace convscope::ui {

class ProgramPainter : public CanvasPainter {
 public:
  explicit ProgramPainter(std::shared_ptr<const ProgramScene> scene);

  const ProgramScene& scene() const { return *scene_; }
  std::vector<CanvasMatch> search(const QString& text) override;
  /// The whole line, in content units.
  QRectF row_box(int row) const;

  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  artifact::Ref subject() const override { return scene_->subject(); }
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

 private:
  struct Frame;
  struct Spot {
    int row = 0, column = 0;
  };
  std::optional<Spot> spot(QPointF point, const QRectF& area) const;
  void paint_row(const Frame& frame, int row) const;
  void paint_field(const Frame& frame, int row, int column, const QRectF& box) const;
  void paint_headings(const Frame& frame) const;

  std::shared_ptr<const ProgramScene> scene_;
  std::vector<double> lefts_;  ///< columns + 1, content units
  QString searched_;
  int marked_row_ = -1;
  std::unordered_set<artifact::OperationKey> marked_;  ///< operations that the selection means
};

/// Never null: says what to do if there is no listing.
std::unique_ptr<CanvasPainter> make_program_canvas(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_program_painter(const Snapshot& snapshot);
QWidget* make_program_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
