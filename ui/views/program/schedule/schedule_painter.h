#pragma once
// Paints a schedule: cycles downward, one column per issue field. Rows of at least four pixels show their cells, lower
// ones are summed up.

#include <memory>
#include <unordered_set>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/schedule/schedule_scene.h"

namespace convscope::ui {

class SchedulePainter : public CanvasPainter {
 public:
  /// In `steady_state` the section that shows the selection is chosen now, once.
  SchedulePainter(std::shared_ptr<const ScheduleScene> scene, ScheduleMode mode, const artifact::Ref& selection = {});

  const ScheduleScene& scene() const { return *scene_; }
  ScheduleMode mode() const { return mode_; }

  CanvasGeometry geometry(const QRectF& area) const override;
  void select(const artifact::Ref& selection) override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  artifact::Ref subject() const override;
  bool covers(const artifact::Ref& selection, int program) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }

 private:
  struct Spot {
    int resource = 0;
    CycleRange range;  ///< cycles under the pixel
    artifact::PlacedCell placed;
  };
  struct Frame;  ///< what one call of paint() shares among its steps

  std::optional<QRectF> place_in_repetition(const artifact::Ref& ref) const;
  /// Row of the picture in which a cycle of the run is drawn.
  std::optional<std::int64_t> row_of_cycle(std::int64_t cycle) const;
  std::optional<QRectF> place_of_linked(const artifact::Ref& ref) const;
  std::optional<Spot> spot(QPointF point, const QRectF& area) const;
  QRectF cell_box(const Frame& frame, const artifact::PlacedCell& placed) const;
  void paint_idle(const Frame& frame) const;
  void paint_cells(const Frame& frame) const;
  void paint_bands(const Frame& frame) const;
  void paint_repetitions(const Frame& frame) const;
  void paint_selection(const Frame& frame) const;
  void paint_ruler(const Frame& frame) const;
  void paint_sections(const Frame& frame) const;
  void paint_headings(const Frame& frame) const;

  std::shared_ptr<const ScheduleScene> scene_;
  ScheduleMode mode_;
  int section_;  ///< that is shown in `steady_state`
  CycleRange range_;
  std::unordered_set<artifact::OperationKey> neighbours_;
  std::unordered_set<artifact::OperationKey> linked_;  ///< that touch the selected word
};

/// The mode in which a run is legible as a picture of its own: unrolled as long as it is short.
ScheduleMode legible_mode(const artifact::Timeline& timeline);

/// Never null: says what to do if there is no schedule.
std::unique_ptr<CanvasPainter> make_schedule_canvas(const Snapshot& snapshot, std::optional<ScheduleMode> mode);
std::unique_ptr<ViewPainter> make_schedule_painter(const Snapshot& snapshot);
QWidget* make_schedule_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
