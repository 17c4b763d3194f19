#pragma once
// A tornado chart: what each change of the machine gains to the right of a line, what it loses to the left.

#include <memory>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/machines/sensitivity/sensitivity_rows.h"

namespace convscope::ui {

class SensitivityPainter : public CanvasPainter {
 public:
  /// `outdated`: the machine has changed since.
  SensitivityPainter(std::shared_ptr<const SensitivityRows> rows, int layer, bool outdated)
      : rows_(std::move(rows)), layer_(layer), outdated_(outdated) {}

  const SensitivityRows& rows() const { return *rows_; }
  bool outdated() const { return outdated_; }
  /// Index of the row under a point.
  std::optional<std::size_t> row_at(QPointF point, const QRectF& area) const;
  /// Where a row lies, in content units.
  QRectF place_of_row(std::size_t row) const;
  /// The row that the keyboard is at; -1: none.
  void set_cursor(int row) { cursor_ = row; }
  int cursor() const { return cursor_; }

  CanvasGeometry geometry(const QRectF& area) const override;
  artifact::Ref subject() const override;
  bool covers(const artifact::Ref& selection, int program) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return rows_->csv(); }

 private:
  struct Columns;
  Columns columns(const QRectF& area) const;
  void paint_row(QPainter& painter, const QRectF& box, const Columns& columns, std::size_t row,
                 const Theme& theme) const;
  void paint_effect(QPainter& painter, const QRectF& panel, const QRectF& box, const ChangeEffect& effect,
                    const Theme& theme) const;
  void paint_heading(QPainter& painter, const QRectF& area, const Columns& columns, const Theme& theme) const;
  double zero(const QRectF& bars) const;
  double scale(const QRectF& bars) const;
  double shown_loss() const;

  std::shared_ptr<const SensitivityRows> rows_;
  int layer_;
  bool outdated_;
  int cursor_ = -1;
};

/// True if it was measured for another network, machine or level than those of the snapshot.
bool is_outdated(const SensitivityRun& run, const Snapshot& snapshot);

/// Never null: a message if nothing was measured.
std::unique_ptr<CanvasPainter> make_sensitivity_canvas(const Snapshot& snapshot, EffectOrder order);
std::unique_ptr<ViewPainter> make_sensitivity_painter(const Snapshot& snapshot);
QWidget* make_sensitivity_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
