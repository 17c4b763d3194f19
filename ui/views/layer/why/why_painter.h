#pragma once
// Paints the reasons: names to the left, bars of bounds, words that wrap to the right.

#include "ui/parts/canvas/canvas.h"
#include "ui/views/layer/why/why_scene.h"

class QWidget;

namespace convscope::ui {

class ViewHost;

class WhyPainter : public CanvasPainter {
 public:
  explicit WhyPainter(WhyScene scene);

  const WhyScene& scene() const { return scene_; }

  CanvasGeometry geometry(const QRectF& area) const override;
  artifact::Ref subject() const override { return scene_.subject; }
  /// Another operation or cycle has other reasons.
  bool covers(const artifact::Ref& selection, int program) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  /// The operation of a slot that is taken.
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_.csv(); }

  /// The operation of the cycle's slot that comes behind the selected one, or before it (`by` -1), around.
  std::optional<artifact::Ref> next_operation(int by) const;

 private:
  /// A heading, a line, or the hint.
  struct Row {
    int line = -1;    ///< of the scene
    QString heading;  ///< if it is no line
    bool hint = false;
  };
  /// A row that is laid out for a width; content units.
  struct Box {
    QRectF place;
    QStringList name, words;
  };
  double width_in(const QRectF& area) const;
  static double height_of(const std::vector<Box>& boxes);
  std::vector<Box> layout(double width) const;
  Box laid_out(const Row& row, double width) const;
  void paint_row(const CanvasFrame& frame, const Row& row, const Box& box) const;
  void paint_bar(const CanvasFrame& frame, const analysis::WhyLine& line, const Box& box) const;
  void paint_mark(const CanvasFrame& frame, const analysis::WhyLine& line, const Box& box) const;
  artifact::Ref ref_of(const analysis::WhyLine& line) const;
  int row_at(QPointF point, const QRectF& area) const;

  WhyScene scene_;
  std::vector<Row> rows_;
  double longest_ = 0;  ///< cycles of the longest bar
};

/// Never null: says what to do if there is nothing to explain.
std::unique_ptr<CanvasPainter> make_why_canvas(const Snapshot& snapshot, WhyShelf& shelf);
std::unique_ptr<ViewPainter> make_why_painter(const Snapshot& snapshot);
/// Full stop and comma go a cycle on and back, Shift+arrows from operation to operation of the cycle.
QWidget* make_why_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
