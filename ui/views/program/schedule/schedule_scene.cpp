#include "ui/views/program/schedule/schedule_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "ui/parts/drawing.h"

namespace convscope::ui {

using artifact::PlacedCell;
using artifact::Timeline;
using artifact::TimelineCell;
using artifact::TimelineSection;

std::int64_t first_occurrence(const Timeline& timeline, int section, std::int64_t begin, std::int64_t from,
                              std::int64_t to) {
  const TimelineSection& s = timeline.sections()[static_cast<std::size_t>(section)];
  const std::int64_t first = timeline.section_start(section) + begin;
  const std::int64_t skipped =
      s.length > 0 && from > first ? std::min((from - first + s.length - 1) / s.length, s.repeats) : 0;
  const std::int64_t at = first + skipped * s.length;
  return skipped < s.repeats && at >= from && at < to ? at : -1;
}

ScheduleScene::ScheduleScene(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const artifact::TaskGraph> graph,
                             artifact::Ref subject, std::shared_ptr<const artifact::Links> links)
    : timeline_(std::move(timeline)),
      operations_(std::move(graph)),
      linked_(timeline_, std::move(links)),
      subject_(subject) {
  const std::size_t count = timeline_->resources().size();
  std::vector<std::array<std::int64_t, std::size(artifact::operation_classes)>> uses(count);
  for (auto& of_resource : uses) of_resource.fill(0);
  for (const TimelineSection& section : timeline_->sections()) {
    for (const TimelineCell& cell : section.cells) {
      uses[static_cast<std::size_t>(cell.resource)][static_cast<std::size_t>(cell.kind)] +=
          section.repeats * cell.length;
      kinds_.insert(cell.kind);
    }
  }
  for (const auto& of_resource : uses) {
    const auto most = std::max_element(of_resource.begin(), of_resource.end()) - of_resource.begin();
    usual_.push_back(artifact::operation_classes[most]);
  }
}

CycleRange ScheduleScene::range(ScheduleMode mode, int section) const {
  if (mode == ScheduleMode::unrolled || section < 0) return {0, timeline_->length()};
  return {timeline_->section_start(section), timeline_->sections()[static_cast<std::size_t>(section)].length};
}

int ScheduleScene::section_for(const artifact::Ref& selection) const {
  const int steady = timeline_->steady_state();
  if (selection.cycle >= 0 && selection.cycle < timeline_->length()) return timeline_->section_at(selection.cycle);
  if (selection.operation == 0) return steady;
  const auto holds = [&](int section) {
    const TimelineSection& s = timeline_->sections()[static_cast<std::size_t>(section)];
    return s.repeats > 0 && std::any_of(s.cells.begin(), s.cells.end(), [&](const TimelineCell& cell) {
             return cell.operation == selection.operation;
           });
  };
  if (steady < 0 || holds(steady)) return steady;
  for (int section = 0; section < static_cast<int>(timeline_->sections().size()); ++section)
    if (holds(section)) return section;
  return steady;
}

ScheduleMoment ScheduleScene::moment(std::int64_t cycle) const {
  ScheduleMoment moment;
  moment.section = timeline_->section_at(cycle);
  const TimelineSection& section = timeline_->sections()[static_cast<std::size_t>(moment.section)];
  const std::int64_t offset = cycle - timeline_->section_start(moment.section);
  moment.repetition = section.length > 0 ? offset / section.length : 0;
  moment.cycle = section.length > 0 ? offset % section.length : 0;
  moment.address = section.first_address + moment.cycle;
  return moment;
}

std::vector<PlacedCell> ScheduleScene::cells(CycleRange range) const {
  std::vector<PlacedCell> found;
  const std::int64_t end = range.first + range.count;
  timeline_->visit(range.first, end, [&](const PlacedCell& placed) { found.push_back(placed); });
  return found;
}

PlacedCell ScheduleScene::first_cell(int resource, CycleRange range) const {
  PlacedCell first;
  for (const PlacedCell& placed : cells(range)) {
    if (placed.cell->resource == resource && (!first.cell || placed.begin < first.begin)) first = placed;
  }
  return first;
}

std::vector<ScheduleBand> ScheduleScene::bands(double first, double cycles_per_row, int rows) const {
  std::vector<ScheduleBand> found;
  for (int row = 0; row < rows; ++row) {
    const auto begin = static_cast<std::int64_t>(std::floor(first + row * cycles_per_row));
    const auto end = std::max(begin + 1, static_cast<std::int64_t>(std::floor(first + (row + 1) * cycles_per_row)));
    if (begin >= timeline_->length()) break;
    for (int resource = 0; resource < resources(); ++resource) {
      const auto busy = static_cast<double>(timeline_->busy(resource, begin, std::min(end, timeline_->length())));
      if (busy > 0) found.push_back({row, resource, busy / static_cast<double>(end - begin)});
    }
  }
  return found;
}

int ScheduleScene::stages() const {
  if (timeline_->sections().empty()) return 0;
  int most = 0;
  for (const TimelineCell& cell : timeline_->sections()[static_cast<std::size_t>(timeline_->steady_state())].cells) {
    most = std::max(most, static_cast<int>(cell.stage));
  }
  return most + 1;
}

std::string ScheduleScene::csv() const {
  std::ostringstream out;
  out << "section,repeats,cycle,length,address,resource,operation,kind,stage\n";
  for (const TimelineSection& section : timeline_->sections()) {
    for (const TimelineCell& cell : section.cells) {
      out << csv_field(section.name) << ',' << section.repeats << ',' << cell.begin << ',' << cell.length << ','
          << section.first_address + cell.begin << ','
          << csv_field(timeline_->resources()[static_cast<std::size_t>(cell.resource)]) << ',' << csv_field(cell.label)
          << ',' << artifact::operation_class_name(cell.kind) << ',' << cell.stage << '\n';
    }
  }
  return out.str();
}

}  // namespace convscope::ui
