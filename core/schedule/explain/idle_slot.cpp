#include "core/schedule/explain/idle_slot.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/integers.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/explain/legality.h"
#include "core/schedule/explain/neighbours.h"

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

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class IdleSlot {
 public:
  IdleSlot(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource, std::int64_t cycle)
      : timeline_(timeline), graph_(graph), resource_(resource), cycle_(cycle) {}

  IdleReason reason() {
    if (timeline_.sections().empty() || cycle_ < 0 || cycle_ >= timeline_.length()) return {};
    if (loop().length <= 0 || loop().repeats < 2) return in_run();
    const std::int64_t begin = timeline_.section_start(timeline_.steady_state());
    const std::int64_t end = timeline_.section_start(timeline_.steady_state() + 1);
    const std::int64_t offset = (cycle_ - begin) % loop().length;
    const std::int64_t phase = offset < 0 ? offset + loop().length : offset;
    if (cycle_ < begin || cycle_ >= end) {
      find_occupant(phase, cycle_ < begin);
      if (reason_.slot == IdleReason::Slot::unknown) return in_run();
    } else {
      count_busy();
      const bool known = graph_ != nullptr && graph_->initiation_interval == loop().length;
      if (known) return find_moves(phase), std::move(reason_);
      reason_.allowed = 0;  // dependences might forbid it
      find_neighbours();
    }
    return std::move(reason_);
  }

 private:
  const TimelineSection& loop() const { return timeline_.sections()[at(timeline_.steady_state())]; }

  IdleReason in_run() {
    reason_.slot = IdleReason::Slot::in_run;
    reason_.busy = timeline_.busy(resource_, 0, timeline_.length());
    reason_.length = timeline_.length();
    find_neighbours();
    return std::move(reason_);
  }

  void find_neighbours() {
    reason_.last = last_before(timeline_, resource_, cycle_);
    reason_.next = first_after(timeline_, resource_, cycle_);
  }

  void find_occupant(std::int64_t phase, bool before) {
    for (const TimelineCell& cell : loop().cells) {
      if (cell.resource != resource_ || phase < cell.begin || phase >= cell.begin + cell.length) continue;
      const std::int64_t bound = occurrence(cell.operation, before);
      if (bound < 0 || (before ? bound <= cycle_ : bound >= cycle_)) continue;
      // Only what comes in the loop's rhythm from the first time to the last would have stood here.
      const std::int64_t begin = timeline_.section_start(timeline_.steady_state()) + cell.begin;
      if ((bound - begin) % loop().length != 0) continue;
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
    for (int r = 0; r < static_cast<int>(timeline_.resources().size()); ++r) {
      const std::int64_t each = busy(r);
      const bool full = each == loop().length;
      if (full) reason_.full.push_back(r);
      reason_.allowed = std::max(reason_.allowed, full ? divide_up(each, 2) : each);
    }
  }

  void find_moves(std::int64_t phase) {
    const Problem problem = problem_of(*graph_);
    find_circle(problem);
    const Schedule schedule = schedule_of(*graph_);
    const Legality legality(problem);
    std::unordered_map<OperationKey, int> positions;
    for (std::size_t i = 0; i < graph_->operations.size(); ++i)
      positions.emplace(graph_->operations[i].key, static_cast<int>(i));
    bool all_known = true;
    for (const TimelineCell& cell : loop().cells) {
      if (cell.resource != resource_) continue;
      const auto found = positions.find(cell.operation);
      const std::int64_t cycle = found == positions.end() ? unplaced : schedule.cycles[at(found->second)];
      all_known = all_known && cell.length == 1 && cycle != unplaced;
      if (cell.length != 1 || cycle == unplaced) continue;
      const Window window = legality.window(schedule, found->second);
      if (window.has_row_of(cycle + phase - cell.begin, loop().length))
        reason_.movable.push_back(cell.label);
      else if (!reason_.held)
        reason_.held = held(problem, schedule, found->second, window);
    }
    if (!all_known || !reason_.movable.empty()) reason_.held.reset();
  }

  void find_circle(const Problem& problem) {
    std::vector<int> circle;
    reason_.allowed = recurrence_bound(Graph(problem), std::max<std::int64_t>(1, reason_.allowed), circle);
    if (reason_.allowed != loop().length) return;
    for (const int operation : circle) reason_.circle.push_back(problem.operations[at(operation)].name);
  }

  // All dependences that leave the operation no more than its window, not just the first of them.
  static IdleReason::Held held(const Problem& problem, const Schedule& schedule, int operation, const Window& window) {
    IdleReason::Held held{problem.operations[at(operation)].name, *window.earliest, *window.latest, {}, {}};
    for (const Dependence& d : problem.dependences) {
      if (d.from == d.to || schedule.cycles[at(d.from)] == unplaced || schedule.cycles[at(d.to)] == unplaced) continue;
      const std::int64_t apart = d.distance - d.iterations * schedule.initiation_interval;
      if (d.to == operation && schedule.cycles[at(d.from)] + apart == held.earliest)
        add_once(problem.operations[at(d.from)].name, held.after);
      if (d.from == operation && schedule.cycles[at(d.to)] - apart == held.latest)
        add_once(problem.operations[at(d.to)].name, held.before);
    }
    return held;
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
