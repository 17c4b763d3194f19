#pragma once
// One tensor of a plan in its panel: rows x columns in front, maps going back in depth; of weights, filters x channels.
// What lies in front is in proportion, depth is not: it stands for a few maps as for thousands.

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <optional>

#include "ui/theme/theme.h"
#include "ui/views/layer/tiling/tiling_scene.h"

class QPainter;

namespace convscope::ui {

/// Strength of the fill of tiles that are done, and of the next one to come.
inline constexpr double done_strength = 0.42, coming_strength = 0.42;

/// What painting needs besides the place.
struct TilingFrame {
  QPainter& painter;
  const Theme& theme;
  const TilingScene& scene;
  const artifact::TileStep& step;
};

/// One cell of the front: tiles, or some tiles together where they would be too small to see.
struct FrontSpan {
  double begin = 0, end = 0;  ///< elements
  std::int64_t order = 0;
  bool several = false;
};

class TensorPanel {
 public:
  TensorPanel(const TilingScene& scene, artifact::TileTensor tensor, const QRectF& panel);

  artifact::TileTensor tensor() const { return tensor_; }
  int down() const { return tensor_ == artifact::TileTensor::weights ? 0 : 1; }
  int across() const { return tensor_ == artifact::TileTensor::weights ? 1 : 2; }
  const QRectF& front() const { return front_; }
  /// Pixels of an element of the tensor, the depth in maps.
  QPointF at(double across, double down, double deep = 0) const;
  QRectF front_of(const artifact::TileBox& box) const;
  /// Element in front under a point: x across, y down; nothing outside.
  std::optional<QPointF> element(QPointF point) const;
  QPointF scale() const { return scale_; }

  std::vector<FrontSpan> spans(int dimension) const;
  void paint(const TilingFrame& frame) const;

 private:
  void paint_title(const TilingFrame& frame) const;
  void paint_cells(const TilingFrame& frame) const;
  void paint_numbers(const TilingFrame& frame, const QRectF& cell, std::int64_t number) const;
  void paint_depth(const TilingFrame& frame) const;
  void paint_held(const TilingFrame& frame) const;
  void paint_dots(const TilingFrame& frame) const;
  int paint_dots(const TilingFrame& frame, const artifact::TileBox& box, int most) const;
  void paint_axes(const TilingFrame& frame) const;
  void paint_strip(const TilingFrame& frame) const;
  void paint_run(const TilingFrame& frame, const QRectF& row, std::int64_t used, std::int64_t bursts) const;
  QPolygonF top(double from, double to, double near, double far) const;
  QPolygonF side(double from, double to, double near, double far) const;
  double length(int dimension) const;

  const TilingScene* scene_;
  artifact::TileTensor tensor_;
  QRectF panel_, front_, strip_;
  QPointF scale_, back_;  ///< pixels per element; from front to back
};

/// The colour of a group of workers; several together have the selection's.
QColor group_colour(const Theme& theme, const std::vector<int>& groups);
/// "TLE 2", "TLEs 0-3".
QString group_text(const artifact::TilePlan& plan, const std::vector<int>& groups);
/// "TLT 2", "TLTs 0-3".
QString worker_text(const artifact::TilePlan& plan, int first, int last);
/// The machine's name for a group or a worker, of several.
QString plural(const std::string& name);
/// "16 x 11 x 20".
QString size_text(const std::array<std::int64_t, 3>& size);

}  // namespace convscope::ui
