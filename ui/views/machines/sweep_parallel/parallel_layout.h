#pragma once
// Where the axes of parallel coordinates stand in an area.

#include <QPointF>
#include <QRectF>
#include <vector>

namespace convscope::ui {

struct ParallelLayout {
  QRectF box;              ///< of the axes: share 1 at its top, 0 at its bottom
  QRectF lines;            ///< what the picture of lines covers: the box, and what lies below its foot
  std::vector<double> x;   ///< of each axis
  bool staggered = false;  ///< titles of every second axis stand higher, where they are close
  double gap = 0;          ///< between two axes, or the width of the area for a single one

  double y(double share) const { return box.bottom() - share * box.height(); }
  double share(double y) const { return (box.bottom() - y) / box.height(); }
  /// Where an axis' title stands.
  QRectF title(std::size_t axis) const;
  /// The axis nearest to a pixel column, if it is near; -1: none.
  int axis_at(double pixel, double reach) const;
  /// The axis to the left of a pixel column, and how far it is on the way to the next.
  std::size_t gap_at(double pixel, double& part) const;
  /// Number of axes to the left of a pixel column: where one that is dragged would be dropped.
  std::size_t place_at(double pixel) const;
};

inline constexpr double parallel_heading = 44, parallel_titles = 36, parallel_stagger = 32;

ParallelLayout parallel_layout(const QRectF& area, std::size_t axes, bool has_gaps);

}  // namespace convscope::ui
