#include "core/schedule/bounds/infeasible.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/problem/reservation_table.h"

namespace convscope::schedule {
namespace {

// Units of a use's resource that its operation takes in the use's cycle.
int units(const Operation& operation, const ResourceUse& use, std::int64_t interval) {
  int count = 0;
  for (const ResourceUse& other : operation.uses)
    count += other.resource == use.resource && same_row(other.offset, use.offset, interval);
  return count;
}

std::vector<std::string> quoted(const Problem& problem, const std::vector<int>& operations) {
  std::vector<std::string> names;
  for (const int operation : operations)
    names.push_back(fmt::format("'{}'", problem.operations[static_cast<std::size_t>(operation)].name));
  return names;
}

}  // namespace

std::optional<Failure> infeasible_operation(const Problem& problem, std::int64_t interval) {
  for (std::size_t i = 0; i < problem.operations.size(); ++i) {
    const Operation& operation = problem.operations[i];
    for (const ResourceUse& use : operation.uses) {
      const Resource& resource = problem.resources[static_cast<std::size_t>(use.resource)];
      const int count = units(operation, use, interval);
      if (count <= resource.capacity) continue;
      return Failure{
          FailureKind::over_capacity,
          fmt::format("'{}' alone takes {} of resource '{}' in cycle {} after its issue{}; its capacity is {}",
                      operation.name, count, resource.name, use.offset,
                      interval == 0 ? std::string() : fmt::format(" modulo {}", interval), resource.capacity),
          static_cast<int>(i)};
    }
  }
  return std::nullopt;
}

std::optional<Failure> infeasible_circle(const Problem& problem) {
  const std::vector<int> circle = unmet_circle(problem);
  if (circle.empty()) return std::nullopt;
  return Failure{
      FailureKind::circle,
      fmt::format("no interval is long enough: within one iteration {} must come later than {}",
                  fmt::join(quoted(problem, circle), ", then "), circle.size() > 1 ? "the first of them" : "itself"),
      circle.front()};
}

}  // namespace convscope::schedule
