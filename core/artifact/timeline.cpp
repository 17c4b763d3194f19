#include "core/artifact/timeline.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace convscope::artifact {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

[[maybe_unused]] bool sorted_inside(const TimelineSection& section, std::size_t resources) {
  const auto before = [](const TimelineCell& a, const TimelineCell& b) {
    return std::pair(a.begin, a.resource) < std::pair(b.begin, b.resource);
  };
  const auto inside = [&](const TimelineCell& cell) {
    return cell.resource >= 0 && at(cell.resource) < resources && cell.begin >= 0 && cell.length > 0 &&
           cell.begin + cell.length <= section.length;
  };
  return section.length >= 0 && section.repeats >= 0 &&
         std::is_sorted(section.cells.begin(), section.cells.end(), before) &&
         std::all_of(section.cells.begin(), section.cells.end(), inside);
}

std::vector<std::int64_t> latest_ends(const std::vector<TimelineCell>& cells) {
  std::vector<std::int64_t> result;
  result.reserve(cells.size());
  for (const TimelineCell& cell : cells)
    result.push_back(std::max(result.empty() ? 0 : result.back(), cell.begin + cell.length));
  return result;
}

std::int64_t iteration_of(const TimelineSection& section, const TimelineCell& cell, std::int64_t repetition) {
  if (section.first_iteration < 0 && cell.stage == 0) return -1;
  return std::max<std::int64_t>(section.first_iteration + repetition + cell.stage, -1);
}

}  // namespace

// Cells are sorted by begin, so each either goes on with the last stretch of its resource or starts the next.
std::vector<Timeline::BusyStretches> Timeline::busy_stretches(const TimelineSection& section, std::size_t resources) {
  std::vector<BusyStretches> result(resources);
  for (const TimelineCell& cell : section.cells) {
    BusyStretches& stretches = result[at(cell.resource)];
    const std::int64_t end = cell.begin + cell.length;
    if (!stretches.empty() && cell.begin <= stretches.back().end)
      stretches.back().end = std::max(stretches.back().end, end);
    else
      stretches.push_back({cell.begin, end, busy_before(stretches, cell.begin)});
  }
  return result;
}

std::int64_t Timeline::busy_before(const BusyStretches& stretches, std::int64_t cycle) {
  const auto after = std::partition_point(stretches.begin(), stretches.end(),
                                          [&](const BusyStretch& stretch) { return stretch.begin < cycle; });
  if (after == stretches.begin()) return 0;
  const BusyStretch& last = *std::prev(after);
  return last.before + std::min(cycle, last.end) - last.begin;
}

Timeline::Timeline(std::vector<std::string> resources, std::vector<TimelineSection> sections)
    : resources_(std::move(resources)), sections_(std::move(sections)), starts_{0} {
  std::vector<std::int64_t> busy(resources_.size());
  for (const TimelineSection& section : sections_) {
    assert(sorted_inside(section, resources_.size()));
    starts_.push_back(starts_.back() + section.length * section.repeats);
    latest_ends_.push_back(latest_ends(section.cells));
    busy_.push_back(busy_stretches(section, resources_.size()));
    busy_before_section_.push_back(busy);
    for (std::size_t r = 0; r < busy.size(); ++r)
      busy[r] += busy_before(busy_.back()[r], section.length) * section.repeats;
  }
}

int Timeline::section_at(std::int64_t cycle) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), cycle);
  const auto last = static_cast<std::int64_t>(sections_.size()) - 1;
  return static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>(after - starts_.begin() - 1, 0), last));
}

int Timeline::steady_state() const {
  int result = -1;
  for (std::size_t i = 0; i < sections_.size(); ++i)
    if (result < 0 || sections_[i].repeats >= sections_[at(result)].repeats) result = static_cast<int>(i);
  return result;
}

void Timeline::visit(std::int64_t begin, std::int64_t end, const std::function<void(const PlacedCell&)>& visit) const {
  begin = std::max<std::int64_t>(begin, 0);
  end = std::min(end, length());
  if (begin >= end) return;
  for (int section = section_at(begin), last = section_at(end - 1); section <= last; ++section) {
    const std::int64_t from = std::max(begin, section_start(section));
    const std::int64_t to = std::min(end, section_start(section + 1));
    if (from < to && !sections_[at(section)].cells.empty()) visit_section(section, from, to, visit);
  }
}

void Timeline::visit_section(int section, std::int64_t begin, std::int64_t end,
                             const std::function<void(const PlacedCell&)>& visit) const {
  const TimelineSection& place = sections_[at(section)];
  const std::vector<std::int64_t>& ends = latest_ends_[at(section)];
  const std::int64_t start = section_start(section);
  const std::int64_t last = (end - 1 - start) / place.length;
  for (std::int64_t repetition = (begin - start) / place.length; repetition <= last; ++repetition) {
    const std::int64_t origin = start + repetition * place.length;
    // No cell before the first whose prefix reaches beyond `begin` can overlap it.
    auto i = at(std::upper_bound(ends.begin(), ends.end(), begin - origin) - ends.begin());
    for (; i < place.cells.size() && origin + place.cells[i].begin < end; ++i) {
      const TimelineCell& cell = place.cells[i];
      if (origin + cell.begin + cell.length > begin)
        visit({&cell, section, origin + cell.begin, iteration_of(place, cell, repetition)});
    }
  }
}

std::int64_t Timeline::busy_until(int resource, std::int64_t cycle) const {
  const auto section = at(section_at(cycle));
  const std::int64_t elapsed = cycle - starts_[section];
  const std::int64_t before = busy_before_section_[section][at(resource)];
  if (elapsed == 0) return before;
  const std::int64_t period = sections_[section].length;
  const BusyStretches& stretches = busy_[section][at(resource)];
  return before + elapsed / period * busy_before(stretches, period) + busy_before(stretches, elapsed % period);
}

std::int64_t Timeline::busy(int resource, std::int64_t begin, std::int64_t end) const {
  assert(resource >= 0 && at(resource) < resources_.size());
  begin = std::max<std::int64_t>(begin, 0);
  end = std::min(end, length());
  return begin < end ? busy_until(resource, end) - busy_until(resource, begin) : 0;
}

}  // namespace convscope::artifact
