#include "core/schedule/schedulers/published.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/alternatives.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/modulo_table.h"

namespace convscope::schedule {
namespace {

constexpr int tries = 6;

Result from_the_bound_plain(const Problem& problem, AtOneInterval method, Budget& budget) {
  if (auto failure = infeasible_operation(problem)) return *std::move(failure);
  if (auto failure = infeasible_circle(problem)) return *std::move(failure);
  const Graph graph(problem);
  std::vector<int> circle;
  const std::int64_t bound = recurrence_bound(graph, std::max<std::int64_t>(1, resource_bound(problem)), circle);
  const std::int64_t last = 4 * bound + 64;
  for (std::int64_t interval = bound; interval <= last && ModuloTable::can_hold(problem, interval); ++interval) {
    Result result = method(problem, graph, interval, tries, budget);
    if (result || result.failure().kind != FailureKind::interval_limit) return result;
  }
  return Failure{FailureKind::interval_limit, fmt::format("no schedule found at intervals from {} to {}", bound, last)};
}

}  // namespace

Result from_the_bound(const Problem& problem, AtOneInterval method, Budget& budget) {
  if (auto failure = malformed(problem)) return *std::move(failure);
  if (!has_choices(problem)) return from_the_bound_plain(problem, method, budget);
  auto plain = without_choices(problem);
  if (auto* failure = std::get_if<Failure>(&plain)) return *std::move(failure);
  return from_the_bound_plain(std::get_if<PlainProblem>(&plain)->problem, method, budget);
}

}  // namespace convscope::schedule
