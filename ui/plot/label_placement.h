#pragma once
// Where names stand beside the points of a chart: never on each other, never on another point.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace convscope::ui {

struct LabelWish {
  QPointF point;
  QSizeF size;
  bool must = false;  ///< placed even where it covers points, but never on another label
};

/// Half of a point's mark in pixels, and the least distance between it and its label.
inline constexpr double mark_radius = 6, label_gap = 3;

/// A box for each wish, or nothing where there is no room. Greedy: earlier wishes choose first, among eight places
/// around their point. `marks` are the centres of all points; a label covers none of them and stays `inside`.
std::vector<std::optional<QRectF>> place_labels(const std::vector<LabelWish>& wishes, const std::vector<QPointF>& marks,
                                                const QRectF& inside);

}  // namespace convscope::ui
