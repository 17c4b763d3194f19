#pragma once
// What dragging and keys make of a brush: plain arithmetic on an axis.

#include <optional>

#include "ui/views/machines/sweep_parallel/parallel_scene.h"

namespace convscope::ui {

/// Which part of a brush is moved.
enum class BrushPart { whole, lower, upper };  ///< lower and upper by share: on the screen, not by value

/// A brush between two shares of an axis, in either order, cut to it; of a choice it covers whole values. Nothing if it
/// would cover nothing.
std::optional<BrushRange> brush_between(const ParallelAxis& axis, double share, double other);
/// Ends of a brush as shares, the lower one first.
std::pair<double, double> brush_shares(const ParallelAxis& axis, const BrushRange& brush);
/// A brush of which a part was moved by a share of the axis; as a whole it keeps its length, its ends don't cross.
BrushRange moved_brush(const ParallelAxis& axis, const BrushRange& brush, BrushPart part, double by);

}  // namespace convscope::ui
