#include "core/schedule/explain/idle_slot.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/integers.h"
#include "core/schedule/explain/legality.h"

namespace convscope::schedule {
namespace {

using artifact::OperationKey;
using artifact::TimelineCell;
using artifact::TimelineSection;

// Each operation takes the resource that the graph says, and nothing else is known.
Problem problem_of(const artifact::TaskGraph& graph) {
  Problem problem;
  for (const std::string& resource : graph.resources) problem.resources.push_back({resource, 1});
  for (const artifact::TaskOperation& operation : graph.operations)
    problem.operations.push_back({operation.label, {{operation.resource, 0}}});
  for (const artifact::TaskDependence& d : graph.dependences)
    problem.dependences.push_back({d.from, d.to, d.distance, d.iterations});
  return problem;
}

Schedule schedule_of(const artifact::TaskGraph& graph) {
  Schedule schedule{{}, graph.initiation_interval};
  for (const artifact::TaskOperation& operation : graph.operations)
    schedule.cycles.push_back(operation.cycle < 0 ? unplaced : operation.cycle);
  return schedule;
}

class IdleSlot {
 public:
  IdleSlot(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource, std::int64_t cycle)
      : timeline_(timeline), graph_(graph), resource_(resource), cycle_(cycle) {}

  IdleReason reason() {
    const int steady = timeline_.steady_state();
    if (steady < 0 || loop().length <= 0 || loop().repeats < 2) return {};
    const std::int64_t begin = timeline_.section_start(steady), end = timeline_.section_start(steady + 1);
    const std::int64_t offset = (cycle_ - begin) % loop().length;
    const std::int64_t phase = offset < 0 ? offset + loop().length : offset;
    if (cycle_ < begin || cycle_ >= end) {
      find_occupant(phase, cycle_ < begin);
    } else {
      count_busy();
      if (graph_ != nullptr && graph_->initiation_interval == loop().length) find_moves(phase);
    }
    return std::move(reason_);
  }

 private:
  const TimelineSection& loop() const { return timeline_.sections()[at(timeline_.steady_state())]; }

  void find_occupant(std::int64_t phase, bool before) {
    for (const TimelineCell& cell : loop().cells) {
      if (cell.resource != resource_ || phase < cell.begin || phase >= cell.begin + cell.length) continue;
      const std::int64_t bound = occurrence(cell.operation, before);
      if (bound < 0 || (before ? bound <= cycle_ : bound >= cycle_)) continue;
      reason_.slot = before ? IdleReason::Slot::before_first : IdleReason::Slot::after_last;
      reason_.occupant = cell.label;
      reason_.occupied = bound;
      return;
    }
  }

  // First or last cycle of the run at which an operation is issued, or -1.
  std::int64_t occurrence(OperationKey operation, bool first) const {
    std::int64_t found = -1;
    for (std::size_t s = 0; s < timeline_.sections().size(); ++s) {
      const TimelineSection& section = timeline_.sections()[s];
      for (const TimelineCell& cell : section.cells) {
        if (cell.operation != operation || section.repeats <= 0) continue;
        const std::int64_t start = timeline_.section_start(static_cast<int>(s)) + cell.begin;
        const std::int64_t each = first ? start : start + (section.repeats - 1) * section.length;
        found = found < 0 ? each : first ? std::min(found, each) : std::max(found, each);
      }
    }
    return found;
  }

  std::int64_t busy(int resource) const {
    const std::int64_t begin = timeline_.section_start(timeline_.steady_state());
    return timeline_.busy(resource, begin, begin + loop().length);
  }

  void count_busy() {
    reason_.slot = IdleReason::Slot::in_loop;
    reason_.busy = busy(resource_);
    reason_.length = loop().length;
    for (int r = 0; r < static_cast<int>(timeline_.resources().size()); ++r)
      if (busy(r) == loop().length) reason_.full.push_back(r);
  }

  void find_moves(std::int64_t phase) {
    const Problem problem = problem_of(*graph_);
    const Schedule schedule = schedule_of(*graph_);
    const Legality legality(problem);
    std::unordered_map<OperationKey, int> positions;
    for (std::size_t i = 0; i < graph_->operations.size(); ++i)
      positions.emplace(graph_->operations[i].key, static_cast<int>(i));
    for (const TimelineCell& cell : loop().cells) {
      const auto found = positions.find(cell.operation);
      if (cell.resource != resource_ || cell.length != 1 || found == positions.end()) continue;
      const std::int64_t cycle = schedule.cycles[at(found->second)];
      if (cycle == unplaced) continue;
      const Window window = legality.window(schedule, found->second);
      if (window.has_row_of(cycle + phase - cell.begin, loop().length))
        reason_.movable.push_back(cell.label);
      else if (!reason_.held)
        reason_.held = held(problem, found->second, window);
    }
    if (!reason_.movable.empty()) reason_.held.reset();
  }

  static IdleReason::Held held(const Problem& problem, int operation, const Window& window) {
    const auto name = [&](int index) { return problem.operations[at(index)].name; };
    return {name(operation), name(problem.dependences[at(window.after)].from),
            name(problem.dependences[at(window.before)].to)};
  }

  const artifact::Timeline& timeline_;
  const artifact::TaskGraph* graph_;
  int resource_;
  std::int64_t cycle_;
  IdleReason reason_;
};

}  // namespace

IdleReason idle_reason(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource,
                       std::int64_t cycle) {
  return IdleSlot(timeline, graph, resource, cycle).reason();
}

}  // namespace convscope::schedule
