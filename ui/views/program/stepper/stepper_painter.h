#pragma once
// Paints one cycle of a run: units, blocks, maps, and a bar that tells where in the run it is.

#include <memory>
#include <optional>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/stepper/stepper_layout.h"
#include "ui/views/program/stepper/stepper_trace.h"

namespace convscope::ui {

class StepperPainter : public CanvasPainter {
 public:
  explicit StepperPainter(std::shared_ptr<const StepperScene> scene);

  const StepperScene& scene() const { return *scene_; }
  const StepperLayout& layout() const { return layout_; }
  /// What is picked is outlined.
  void pick(std::optional<StepperPick> picked) { picked_ = picked; }
  std::optional<StepperPick> pick_at(QPointF point, const QRectF& area) const;

  CanvasGeometry geometry(const QRectF& area) const override;
  artifact::Ref subject() const override { return scene_->subject; }
  /// Another cycle is another picture.
  bool covers(const artifact::Ref& selection, int program) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  /// A cycle, on the bar.
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

 private:
  struct Frame;
  QRectF bar(const QRectF& area) const;
  std::optional<std::int64_t> cycle_at(QPointF point, const QRectF& area) const;
  QString pick_reading(const StepperPick& pick) const;
  void paint_header(const Frame& frame) const;
  void paint_legend(const Frame& frame, const QRectF& box) const;
  void paint_bar(const Frame& frame) const;
  void paint_title(const Frame& frame, const StepperPlace& place, const QString& name, const QString& rest) const;
  void paint_units(const Frame& frame, const StepperPlace& place) const;
  void paint_block(const Frame& frame, const StepperPlace& place) const;
  void paint_line(const Frame& frame, const StepperPlace& place, std::size_t line) const;
  void paint_cell(const Frame& frame, const QRectF& box, const StepperCell& cell, bool text) const;
  void paint_picture(const Frame& frame, const StepperPlace& place) const;
  void paint_pixel(const Frame& frame, const QRectF& box, const StepperPixel& pixel,
                   const artifact::StateBlock& block) const;
  void paint_pick(const Frame& frame) const;

  std::shared_ptr<const StepperScene> scene_;
  StepperLayout layout_;
  std::optional<StepperPick> picked_;
};

/// What a picture is made with besides the snapshot.
struct StepperSetting {
  std::int64_t compared = -1;
  TraceSettings run = {};
};

/// Never null: says what to do if there is no trace. `shelf` may be null: the program is run anew then. Throws
/// Cancelled.
std::unique_ptr<CanvasPainter> make_stepper_canvas(const Snapshot& snapshot, const StepperSetting& setting,
                                                   TraceShelf* shelf, const std::stop_token& stop);
std::unique_ptr<ViewPainter> make_stepper_painter(const Snapshot& snapshot);
QWidget* make_stepper_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
