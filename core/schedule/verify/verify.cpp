#include "core/schedule/verify/verify.h"

#include <algorithm>
#include <map>
#include <set>
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

bool chooses(const Problem& problem, int resource) {
  return !problem.resources[static_cast<std::size_t>(resource)].any_of.empty();
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
  for (const Resource& resource : problem.resources)
    for (const int member : resource.any_of)
      if (!inside(member, problem.resources.size()) || chooses(problem, member))
        result.push_back({fmt::format("choice '{}' has resource {}, which doesn't exist or is a choice itself",
                                      resource.name, member)});
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

namespace {

// A unit that an operation takes in a row.
struct Taking {
  std::int64_t row = 0;
  int resource = 0, operation = 0;
};

std::vector<Taking> takings(const Problem& problem, const Schedule& schedule) {
  std::vector<Taking> result;
  result.reserve(2 * schedule.cycles.size());
  for (std::size_t i = 0; i < schedule.cycles.size(); ++i)
    for (const ResourceUse& use : problem.operations[i].uses)
      result.push_back(
          {row(schedule.cycles[i] + use.offset, schedule.initiation_interval), use.resource, static_cast<int>(i)});
  return result;
}

std::string where(std::int64_t row, std::int64_t interval) {
  return fmt::format("cycle {}{}", row, interval == 0 ? std::string() : fmt::format(" modulo {}", interval));
}

std::string quoted(const Problem& problem, const std::vector<int>& operations) {
  std::vector<std::string> names;
  for (const int operation : operations) names.push_back(named(problem, operation));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Violation> overused_alone(const Problem& problem, std::vector<Taking> takings, std::int64_t interval) {
  std::stable_sort(takings.begin(), takings.end(), [](const Taking& a, const Taking& b) {
    return std::pair(a.resource, a.row) < std::pair(b.resource, b.row);
  });
  std::vector<Violation> result;
  for (std::size_t i = 0, end = 0; i < takings.size(); i = end) {
    std::vector<int> operations;
    for (; end < takings.size() && takings[end].resource == takings[i].resource && takings[end].row == takings[i].row;)
      ++end;
    const Resource& resource = problem.resources[static_cast<std::size_t>(takings[i].resource)];
    if (chooses(problem, takings[i].resource) || static_cast<std::int64_t>(end - i) <= resource.capacity) continue;
    for (std::size_t k = i; k < end; ++k) operations.push_back(takings[k].operation);
    result.push_back(
        {fmt::format("resource '{}' is used {} times in {} by {}; its capacity is {}", resource.name, operations.size(),
                     where(takings[i].row, interval), quoted(problem, operations), resource.capacity),
         operations.front(), operations.back()});
  }
  return result;
}

// Uses of one row take one resource each, by augmenting paths. Where one finds none, the resources that its search saw
// are full of uses that can go nowhere else.
class Seating {
 public:
  Seating(const Problem& problem, const std::vector<Taking>& takings) : problem_(problem), takings_(takings) {}

  bool seat(std::size_t use) {
    const auto own = static_cast<std::size_t>(takings_[use].resource);
    const std::vector<int> alone{takings_[use].resource};
    for (const int option : chooses(problem_, takings_[use].resource) ? problem_.resources[own].any_of : alone) {
      if (!seen_.insert(option).second) continue;
      std::vector<std::size_t>& users = users_[option];
      const auto free = [&] {
        return static_cast<std::int64_t>(users.size()) < problem_.resources[static_cast<std::size_t>(option)].capacity;
      };
      for (std::size_t i = 0; i < users.size() && !free(); ++i)
        if (seat(users[i])) users.erase(users.begin() + static_cast<std::ptrdiff_t>(i));
      if (!free()) continue;
      users.push_back(use);
      return true;
    }
    return false;
  }
  void begin() { seen_.clear(); }

  Violation overused(std::size_t use, std::int64_t interval) const {
    std::vector<int> operations{takings_[use].operation};
    std::vector<std::string> names;
    std::int64_t capacity = 0;
    for (const int resource : seen_) {
      names.push_back(fmt::format("'{}'", problem_.resources[static_cast<std::size_t>(resource)].name));
      capacity += problem_.resources[static_cast<std::size_t>(resource)].capacity;
      if (const auto found = users_.find(resource); found != users_.end())
        for (const std::size_t user : found->second) operations.push_back(takings_[user].operation);
    }
    return {fmt::format("resources {} are used {} times in {} by {}; their capacity is {}", fmt::join(names, ", "),
                        operations.size(), where(takings_[use].row, interval), quoted(problem_, operations), capacity),
            operations.front(), operations.back()};
  }

 private:
  const Problem& problem_;
  const std::vector<Taking>& takings_;
  std::map<int, std::vector<std::size_t>> users_;
  std::set<int> seen_;
};

std::vector<Violation> overused_together(const Problem& problem, std::vector<Taking> takings, std::int64_t interval) {
  std::stable_sort(takings.begin(), takings.end(), [](const Taking& a, const Taking& b) { return a.row < b.row; });
  std::vector<Violation> result;
  for (std::size_t i = 0, end = 0; i < takings.size(); i = end) {
    Seating seating(problem, takings);
    for (bool broken = false; end < takings.size() && takings[end].row == takings[i].row; ++end) {
      if (broken) continue;
      seating.begin();
      broken = !seating.seat(end);
      if (broken) result.push_back(seating.overused(end, interval));
    }
  }
  return result;
}

}  // namespace

std::vector<Violation> overused_resources(const Problem& problem, const Schedule& schedule) {
  std::vector<Taking> all = takings(problem, schedule);
  std::vector<Violation> result = overused_alone(problem, all, schedule.initiation_interval);
  const bool any_choice = std::any_of(problem.resources.begin(), problem.resources.end(),
                                      [](const Resource& resource) { return !resource.any_of.empty(); });
  if (result.empty() && any_choice) result = overused_together(problem, std::move(all), schedule.initiation_interval);
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
