#include "core/schedule/explain/neighbours.h"

#include <algorithm>

namespace convscope::schedule {
namespace {

using artifact::TimelineCell;
using artifact::TimelineSection;

/// Calls `each` with every cell of the resource, its section, and its place in the section's first repetition.
template <class Each>
void visit_cells(const artifact::Timeline& timeline, int resource, Each each) {
  for (std::size_t s = 0; s < timeline.sections().size(); ++s) {
    const TimelineSection& section = timeline.sections()[s];
    if (section.repeats <= 0 || section.length <= 0) continue;
    for (const TimelineCell& cell : section.cells)
      if (cell.resource == resource) each(cell, section, timeline.section_start(static_cast<int>(s)) + cell.begin);
  }
}

}  // namespace

std::optional<IdleReason::Neighbour> last_before(const artifact::Timeline& timeline, int resource, std::int64_t cycle) {
  const TimelineCell* found = nullptr;
  std::int64_t latest = -1;
  visit_cells(timeline, resource, [&](const TimelineCell& cell, const TimelineSection& section, std::int64_t begin) {
    const std::int64_t last = begin + cell.length - 1;
    if (last >= cycle) return;
    const std::int64_t times = std::min(section.repeats - 1, (cycle - 1 - last) / section.length);
    if (last + times * section.length > latest) latest = last + times * section.length, found = &cell;
  });
  if (found == nullptr) return std::nullopt;
  return IdleReason::Neighbour{found->label, latest};
}

std::optional<IdleReason::Neighbour> first_after(const artifact::Timeline& timeline, int resource, std::int64_t cycle) {
  const TimelineCell* found = nullptr;
  std::int64_t earliest = timeline.length();
  visit_cells(timeline, resource, [&](const TimelineCell& cell, const TimelineSection& section, std::int64_t begin) {
    const std::int64_t times = begin > cycle ? 0 : (cycle - begin) / section.length + 1;
    if (times >= section.repeats || begin + times * section.length >= earliest) return;
    earliest = begin + times * section.length, found = &cell;
  });
  if (found == nullptr) return std::nullopt;
  return IdleReason::Neighbour{found->label, earliest};
}

}  // namespace convscope::schedule
