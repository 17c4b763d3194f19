#include "ui/views/machines/sweep_parallel/brush_edit.h"

#include <algorithm>
#include <cmath>

namespace convscope::ui {
namespace {

constexpr double shortest = 0.004;  ///< share of an axis
/// A value at the very end of the axis is within a brush that reaches it, whatever its last digit.
constexpr double slack = 1e-9;

bool is_named(const ParallelAxis& axis) {
  return axis.scale.kind() == PlotScale::Kind::named;
}

double end_of(const ParallelAxis& axis) {
  return axis.scale.last() - axis.scale.first();
}

BrushRange between(const ParallelAxis& axis, double low, double high) {
  double from = axis.place(low), to = axis.place(high);
  if (from > to) std::swap(from, to);
  if (is_named(axis)) return {std::ceil(from - 0.5), std::floor(to + 0.5)};
  const double more = slack * end_of(axis);
  return {axis.scale.value(from - more), axis.scale.value(to + more)};
}

}  // namespace

std::optional<BrushRange> brush_between(const ParallelAxis& axis, double share, double other) {
  const double low = std::clamp(std::min(share, other), 0.0, 1.0), high = std::clamp(std::max(share, other), 0.0, 1.0);
  if (high - low < shortest) return std::nullopt;
  const BrushRange brush = between(axis, low, high);
  if (brush.from > brush.to) return std::nullopt;
  return brush;
}

std::pair<double, double> brush_shares(const ParallelAxis& axis, const BrushRange& brush) {
  const double a = axis.share_of(brush.from).value_or(axis.flipped ? 1 : 0);
  const double b = axis.share_of(brush.to).value_or(axis.flipped ? 0 : 1);
  return {std::clamp(std::min(a, b), 0.0, 1.0), std::clamp(std::max(a, b), 0.0, 1.0)};
}

BrushRange moved_brush(const ParallelAxis& axis, const BrushRange& brush, BrushPart part, double by) {
  auto [low, high] = brush_shares(axis, brush);
  const double least = is_named(axis) ? 0 : shortest;
  if (part == BrushPart::whole) {
    const double step = std::clamp(by, -low, 1 - high);
    low += step;
    high += step;
  } else if (part == BrushPart::lower) {
    low = std::clamp(low + by, 0.0, high - least);
  } else {
    high = std::clamp(high + by, low + least, 1.0);
  }
  BrushRange moved = between(axis, low, high);
  if (is_named(axis) && part == BrushPart::whole) moved.to = moved.from + (brush.to - brush.from);
  return moved;
}

}  // namespace convscope::ui
