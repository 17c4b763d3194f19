#pragma once
// What the painters of a sweep's charts have in common: a scene, a picture of it that was drawn before, a mark where
// the pointer is; and the heading over the chart.

#include <QRectF>
#include <memory>
#include <optional>
#include <string>

#include "ui/model/view.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/machines/sweep_plot/colour_coding.h"
#include "ui/views/machines/sweep_plot/lazy_painter.h"
#include "ui/views/machines/sweep_plot/sweep_text.h"

namespace convscope::ui {

template <typename SceneType, typename PictureType>
class SweepPainter : public ViewPainter {
 public:
  using Scene = SceneType;
  using Picture = PictureType;

  explicit SweepPainter(std::shared_ptr<const Scene> scene) : scene_(std::move(scene)) {}

  const Scene& scene() const { return *scene_; }
  const std::shared_ptr<const Scene>& scene_pointer() const { return scene_; }
  /// Points or lines that were drawn already; without, each painting draws them.
  void set_picture(std::shared_ptr<const Picture> picture) { picture_ = std::move(picture); }
  const std::shared_ptr<const Picture>& picture() const { return picture_; }
  /// What is marked because pointer or keyboard are at it.
  void set_cursor(const std::optional<std::size_t>& cursor) { cursor_ = cursor; }
  const std::optional<std::size_t>& cursor() const { return cursor_; }

  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }
  std::string csv() const override { return sweep_csv(scene_->table(), scene_->look()); }

 private:
  std::shared_ptr<const Scene> scene_;
  std::shared_ptr<const Picture> picture_;
  std::optional<std::size_t> cursor_;
};

/// Draws the snapshot's sweep, or says that there is none.
template <typename Painter>
std::unique_ptr<ViewPainter> make_sweep_painter(const Snapshot& snapshot, QSizeF size) {
  const auto table = swept_table(snapshot);
  if (!table) return std::make_unique<MessagePainter>(missing_sweep_message(snapshot));
  return std::make_unique<LazyPainter>(size, [table, look = snapshot.exploration->look, open = open_machine(snapshot)] {
    return std::make_unique<Painter>(std::make_shared<const typename Painter::Scene>(table, look, open));
  });
}

/// The line below the heading, as far as it is taken.
struct LegendLine {
  QRectF box;
  double x = 0;
};

/// Over a chart: the sweep's title, how much was seen, `said`, what was left out; below it, what colours mean. Leaves
/// the legend's font for what follows there.
LegendLine draw_heading(QPainter& painter, const QRectF& area, const explore::SweepTable& table, const QString& said,
                        const ColourCoding& colours, const Theme& theme);

/// What a pointer at the heading reads: how much was seen, and what was left out why.
QString heading_reading(const explore::SweepTable& table);

bool is_vector(const QPainter& painter);
/// Pixels of an image for a logical pixel: the device's, in a vector file `in_file`.
double image_ratio(const QPainter& painter, double in_file);

}  // namespace convscope::ui
