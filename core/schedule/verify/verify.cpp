#include "core/schedule/verify/verify.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::schedule {
namespace {

std::string named(const Problem& problem, int operation) {
  return fmt::format("'{}'", problem.operations[static_cast<std::size_t>(operation)].name);
}

std::string intervals(const Dependence& dependence, const Schedule& schedule) {
  if (dependence.iterations == 0) return {};
  return fmt::format(" - {} iterations * {}", dependence.iterations, schedule.initiation_interval);
}

bool inside(int index, std::size_t size) {
  return index >= 0 && static_cast<std::size_t>(index) < size;
}

// Without these nothing else can be asked: every index points at something.
std::vector<Violation> malformed(const Problem& problem, const Schedule& schedule) {
  std::vector<Violation> result;
  if (schedule.cycles.size() != problem.operations.size())
    result.push_back({fmt::format("the schedule has {} cycles for {} operations", schedule.cycles.size(),
                                  problem.operations.size())});
  if (schedule.initiation_interval < 0)
    result.push_back(
        {fmt::format("the initiation interval is {}; it must not be negative", schedule.initiation_interval)});
  for (const Dependence& dependence : problem.dependences)
    if (!inside(dependence.from, problem.operations.size()) || !inside(dependence.to, problem.operations.size()))
      result.push_back({fmt::format("a dependence from operation {} to {}: there are {} operations", dependence.from,
                                    dependence.to, problem.operations.size())});
  for (const Operation& operation : problem.operations)
    for (const ResourceUse& use : operation.uses)
      if (!inside(use.resource, problem.resources.size()))
        result.push_back({fmt::format("'{}' uses resource {}: there are {} resources", operation.name, use.resource,
                                      problem.resources.size())});
  return result;
}

// The row of the modulo table, never negative; the cycle itself if there is no interval.
std::int64_t row(std::int64_t cycle, std::int64_t interval) {
  if (interval == 0) return cycle;
  const std::int64_t rest = cycle % interval;
  return rest < 0 ? rest + interval : rest;
}

}  // namespace

std::vector<Violation> broken_dependences(const Problem& problem, const Schedule& schedule) {
  std::vector<Violation> result;
  const std::int64_t interval = schedule.initiation_interval;
  for (const Dependence& dependence : problem.dependences) {
    // Iterations that don't overlap are one after the other: what spans them holds.
    if (interval == 0 && dependence.iterations > 0) continue;
    const std::int64_t from = schedule.cycles[static_cast<std::size_t>(dependence.from)];
    const std::int64_t to = schedule.cycles[static_cast<std::size_t>(dependence.to)];
    const std::int64_t earliest = from + dependence.distance - dependence.iterations * interval;
    if (to >= earliest) continue;
    result.push_back({fmt::format("{} at cycle {} must be at {} or later: {} cycles after {} at cycle {}{}",
                                  named(problem, dependence.to), to, earliest, dependence.distance,
                                  named(problem, dependence.from), from, intervals(dependence, schedule)),
                      dependence.from, dependence.to});
  }
  return result;
}

std::vector<Violation> overused_resources(const Problem& problem, const Schedule& schedule) {
  const std::int64_t interval = schedule.initiation_interval;
  std::map<std::pair<int, std::int64_t>, std::vector<int>> users;  // by resource and row
  for (std::size_t i = 0; i < problem.operations.size(); ++i)
    for (const ResourceUse& use : problem.operations[i].uses)
      users[{use.resource, row(schedule.cycles[i] + use.offset, interval)}].push_back(static_cast<int>(i));

  std::vector<Violation> result;
  for (const auto& [place, operations] : users) {
    const Resource& resource = problem.resources[static_cast<std::size_t>(place.first)];
    if (static_cast<std::int64_t>(operations.size()) <= resource.capacity) continue;
    std::vector<std::string> names;
    for (const int operation : operations) names.push_back(named(problem, operation));
    result.push_back({fmt::format("resource '{}' is used {} times in cycle {}{} by {}; its capacity is {}",
                                  resource.name, operations.size(), place.second,
                                  interval == 0 ? std::string() : fmt::format(" modulo {}", interval),
                                  fmt::join(names, ", "), resource.capacity),
                      operations.front(), operations.back()});
  }
  return result;
}

std::vector<Violation> verify(const Problem& problem, const Schedule& schedule) {
  std::vector<Violation> result = malformed(problem, schedule);
  if (!result.empty()) return result;
  result = broken_dependences(problem, schedule);
  for (Violation& violation : overused_resources(problem, schedule)) result.push_back(std::move(violation));
  return result;
}

}  // namespace convscope::schedule
