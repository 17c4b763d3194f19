#include "core/schedule/problem/malformed.h"

#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

namespace convscope::schedule {
namespace {

bool inside(int index, std::size_t size) {
  return index >= 0 && static_cast<std::size_t>(index) < size;
}

Failure failure(std::string message, int operation = -1) {
  return {FailureKind::malformed, std::move(message), operation};
}

std::optional<Failure> malformed_resource(const Problem& problem) {
  for (const Resource& resource : problem.resources) {
    if (resource.capacity < 0)
      return failure(
          fmt::format("resource '{}' has a capacity of {}; 0 is the least", resource.name, resource.capacity));
    for (const int member : resource.any_of) {
      if (!inside(member, problem.resources.size()))
        return failure(fmt::format("choice '{}' has resource {}: there are {} resources", resource.name, member,
                                   problem.resources.size()));
      if (problem.resources[static_cast<std::size_t>(member)].is_choice())
        return failure(fmt::format("choice '{}' has '{}', which is a choice itself", resource.name,
                                   problem.resources[static_cast<std::size_t>(member)].name));
    }
  }
  return std::nullopt;
}

std::optional<Failure> malformed_use(const Problem& problem) {
  for (std::size_t i = 0; i < problem.operations.size(); ++i)
    for (const ResourceUse& use : problem.operations[i].uses)
      if (!inside(use.resource, problem.resources.size()))
        return failure(fmt::format("'{}' uses resource {}: there are {} resources", problem.operations[i].name,
                                   use.resource, problem.resources.size()),
                       static_cast<int>(i));
  return std::nullopt;
}

// A path visits an edge once; its cycles are bounded by the sum of distances and by iterations at the largest interval
// that those distances can ask for.
std::optional<Failure> too_large(const Problem& problem) {
  long double distances = 0, iterations = 0;
  for (const Dependence& d : problem.dependences) {
    distances += std::abs(static_cast<long double>(d.distance));
    iterations += std::abs(static_cast<long double>(d.iterations));
  }
  constexpr long double limit = 1LL << 61, longest_table = 1LL << 26;
  if (distances + iterations * (distances + longest_table) < limit) return std::nullopt;
  return failure(
      fmt::format("distances sum to {:.0f} cycles and {:.0f} iterations: too much for 64 bits", distances, iterations));
}

}  // namespace

std::optional<Failure> malformed(const Problem& problem) {
  for (const Dependence& d : problem.dependences)
    if (!inside(d.from, problem.operations.size()) || !inside(d.to, problem.operations.size()))
      return failure(fmt::format("a dependence from operation {} to {}: there are {} operations", d.from, d.to,
                                 problem.operations.size()));
  if (auto wrong = malformed_resource(problem)) return wrong;
  if (auto wrong = malformed_use(problem)) return wrong;
  return too_large(problem);
}

}  // namespace convscope::schedule
