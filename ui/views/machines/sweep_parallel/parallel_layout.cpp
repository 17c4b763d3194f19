#include "ui/views/machines/sweep_parallel/parallel_layout.h"

#include <algorithm>
#include <cmath>

#include "ui/views/machines/sweep_parallel/parallel_scene.h"

namespace convscope::ui {
namespace {

constexpr double foot = 16, overhang = 6;
constexpr double roomy = 260, wide_title = 130;  ///< pixels: room for a second row of titles, and need of it

}  // namespace

QRectF ParallelLayout::title(std::size_t axis) const {
  const double width = std::max(1.0, std::min((staggered ? 2 : 1) * gap - 6, 190.0));
  const double raised = staggered && axis % 2 == 1 ? parallel_stagger : 0;
  return {x[axis] - width / 2, box.top() - parallel_titles - 4 - raised, width, parallel_titles - 2};
}

int ParallelLayout::axis_at(double pixel, double reach) const {
  int found = -1;
  double least = reach;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::abs(x[i] - pixel) > least) continue;
    least = std::abs(x[i] - pixel);
    found = static_cast<int>(i);
  }
  return found;
}

std::size_t ParallelLayout::gap_at(double pixel, double& part) const {
  const std::size_t right = std::clamp<std::size_t>(place_at(pixel), 1, std::max<std::size_t>(1, x.size() - 1));
  const std::size_t left = right - 1;
  part = x.size() > 1 ? std::clamp((pixel - x[left]) / gap, 0.0, 1.0) : 0;
  return left;
}

std::size_t ParallelLayout::place_at(double pixel) const {
  return static_cast<std::size_t>(std::count_if(x.begin(), x.end(), [pixel](double each) { return each < pixel; }));
}

ParallelLayout parallel_layout(const QRectF& area, std::size_t axes, bool has_gaps) {
  ParallelLayout layout;
  const double side = std::min(76.0, area.width() / 8);
  layout.staggered =
      axes > 2 && area.height() > roomy && (area.width() - 2 * side) / static_cast<double>(axes - 1) < wide_title;
  const double raised = layout.staggered ? parallel_stagger : 0;
  const double top = area.top() + parallel_heading + parallel_titles + raised + 6, bottom = area.bottom() - foot;
  double height = std::max(1.0, bottom - top);
  if (has_gaps) height /= 1 - 1.4 * static_cast<double>(share_of_nothing);
  layout.box = QRectF(area.left() + side, top, std::max(1.0, area.width() - 2 * side), height);
  layout.gap = axes > 1 ? layout.box.width() / static_cast<double>(axes - 1) : layout.box.width();
  for (std::size_t i = 0; i < axes; ++i)
    layout.x.push_back(axes > 1 ? layout.box.left() + layout.gap * static_cast<double>(i) : layout.box.center().x());
  layout.lines = layout.box.adjusted(-overhang, -overhang, overhang, std::max(overhang, bottom - layout.box.bottom()));
  return layout;
}

}  // namespace convscope::ui
