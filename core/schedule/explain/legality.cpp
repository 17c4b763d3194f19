#include "core/schedule/explain/legality.h"

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/schedule/problem/reservation_table.h"

namespace convscope::schedule {
namespace {

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

std::string iterations_later(const Dependence& dependence) {
  return dependence.iterations == 0 ? std::string() : fmt::format(" ({} iterations later)", dependence.iterations);
}

}  // namespace

bool Window::has_row_of(std::int64_t cycle, std::int64_t interval) const {
  if (!earliest || !latest) return true;
  const std::int64_t first = cycle - floor_divided(cycle - *earliest, interval) * interval;
  return first <= *latest;
}

Legality::Legality(const Problem& problem)
    : problem_(problem), incoming_(problem.operations.size()), outgoing_(problem.operations.size()) {
  for (std::size_t i = 0; i < problem.dependences.size(); ++i) {
    outgoing_[at(problem.dependences[i].from)].push_back(static_cast<int>(i));
    incoming_[at(problem.dependences[i].to)].push_back(static_cast<int>(i));
  }
}

Window Legality::window(const Schedule& schedule, int operation) const {
  Window window;
  const auto bounds = [&](int other, const Dependence& dependence) {
    return other != operation && schedule.cycles[at(other)] != unplaced &&
           (dependence.iterations == 0 || schedule.initiation_interval > 0);
  };
  for (const int index : incoming_[at(operation)]) {
    const Dependence& d = problem_.dependences[at(index)];
    if (!bounds(d.from, d)) continue;
    const std::int64_t cycle = schedule.cycles[at(d.from)] + d.distance - d.iterations * schedule.initiation_interval;
    if (!window.earliest || cycle > *window.earliest) window.earliest = cycle, window.after = index;
  }
  for (const int index : outgoing_[at(operation)]) {
    const Dependence& d = problem_.dependences[at(index)];
    if (!bounds(d.to, d)) continue;
    const std::int64_t cycle = schedule.cycles[at(d.to)] - d.distance + d.iterations * schedule.initiation_interval;
    if (!window.latest || cycle < *window.latest) window.latest = cycle, window.before = index;
  }
  return window;
}

std::vector<Obstacle> Legality::obstacles(const Schedule& schedule, int operation, std::int64_t cycle) const {
  std::vector<Obstacle> result;
  add_broken_dependences(schedule, operation, cycle, result);
  add_taken_resources(schedule, operation, cycle, result);
  return result;
}

void Legality::add_broken_dependences(const Schedule& schedule, int operation, std::int64_t cycle,
                                      std::vector<Obstacle>& result) const {
  const auto cycle_of = [&](int other) { return other == operation ? cycle : schedule.cycles[at(other)]; };
  const auto add = [&](Obstacle::Kind kind, int other, const Dependence& d) {
    const std::int64_t from = cycle_of(d.from), to = cycle_of(d.to);
    if (from == unplaced || to == unplaced || (d.iterations != 0 && schedule.initiation_interval == 0)) return;
    const std::int64_t missing = from + d.distance - d.iterations * schedule.initiation_interval - to;
    if (missing <= 0) return;
    result.push_back(
        {kind, other, missing, -1,
         fmt::format("'{}' would issue in cycle {}, {} cycles too {}: '{}' must come {} cycles or more "
                     "{} '{}' in cycle {}{}",
                     problem_.operations[at(operation)].name, cycle, missing,
                     kind == Obstacle::Kind::too_early ? "early" : "late", problem_.operations[at(operation)].name,
                     d.distance, kind == Obstacle::Kind::too_early ? "after" : "before",
                     problem_.operations[at(other)].name, cycle_of(other), iterations_later(d))});
  };
  for (const int index : incoming_[at(operation)])
    add(Obstacle::Kind::too_early, problem_.dependences[at(index)].from, problem_.dependences[at(index)]);
  for (const int index : outgoing_[at(operation)])
    if (problem_.dependences[at(index)].to != operation)
      add(Obstacle::Kind::too_late, problem_.dependences[at(index)].to, problem_.dependences[at(index)]);
}

void Legality::add_taken_resources(const Schedule& schedule, int operation, std::int64_t cycle,
                                   std::vector<Obstacle>& result) const {
  const std::int64_t interval = schedule.initiation_interval;
  for (const ResourceUse& use : problem_.operations[at(operation)].uses) {
    int taken = 0, holder = -1;
    for (std::size_t other = 0; other < problem_.operations.size(); ++other) {
      const bool itself = static_cast<int>(other) == operation;
      const std::int64_t issue = itself ? cycle : schedule.cycles[other];
      if (issue == unplaced) continue;
      for (const ResourceUse& theirs : problem_.operations[other].uses) {
        if (theirs.resource != use.resource || !same_row(issue + theirs.offset, cycle + use.offset, interval)) continue;
        ++taken;
        if (!itself || holder < 0) holder = static_cast<int>(other);
      }
    }
    const Resource& resource = problem_.resources[at(use.resource)];
    if (taken <= resource.capacity) continue;
    result.push_back(
        {Obstacle::Kind::taken, holder, 0, use.resource,
         fmt::format("'{}' in cycle {} would be one of {} that use '{}' in cycle {}{}, with '{}'; its "
                     "capacity is {}",
                     problem_.operations[at(operation)].name, cycle, taken, resource.name, cycle + use.offset,
                     interval == 0 ? std::string() : fmt::format(" modulo {}", interval),
                     problem_.operations[at(holder)].name, resource.capacity)});
  }
}

}  // namespace convscope::schedule
