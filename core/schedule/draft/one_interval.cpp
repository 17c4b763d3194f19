#include "core/schedule/draft/one_interval.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/modulo_table.h"
#include "core/schedule/schedulers/component_first.h"
#include "core/schedule/schedulers/exact_modulo.h"

namespace convscope::schedule {
namespace {

using Kind = OneInterval::Kind;

constexpr int ejection_tries = 12;
constexpr ExactLimits first_limits{60'000, 2'000}, last_limits{1'000'000, 50'000};

OneInterval never(std::string why) {
  return {Kind::impossible, {}, std::move(why)};
}

std::string circle_text(const Problem& problem, const std::vector<int>& circle, std::int64_t interval) {
  std::string text = "The circle of ";
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < circle.size() && i < shown; ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", problem.operations[at(circle[i])].name);
  if (circle.size() > shown) text += fmt::format(" and {} more", circle.size() - shown);
  return text + fmt::format(" asks for more than {} cycle{}.", interval, interval == 1 ? "" : "s");
}

// What needs no search.
std::optional<OneInterval> by_bounds(const Problem& problem, const Graph& graph, std::int64_t interval) {
  if (auto failure = infeasible_operation(problem, interval)) return never(failure->message + ".");
  int resource = -1;
  const std::int64_t by_resources = resource_bound(problem, &resource);
  if (by_resources > interval && resource >= 0)
    return never(fmt::format("'{}' is used in {} cycles of each iteration.", problem.resources[at(resource)].name,
                             by_resources));
  std::vector<int> circle;
  if (recurrence_bound(graph, interval, circle) <= interval) return std::nullopt;
  if (circle.empty()) circle = unmet_circle(problem);
  return never(circle_text(problem, circle, interval));
}

}  // namespace

OneInterval schedule_at(const Problem& problem, std::int64_t interval, Budget& budget) {
  if (auto failure = malformed(problem)) return {Kind::open, {}, failure->message + "."};
  const Graph graph(problem);
  if (auto known = by_bounds(problem, graph, interval)) return *std::move(known);
  if (!ModuloTable::can_hold(problem, interval))
    return {Kind::open, {}, fmt::format("a table of {} rows would be too large.", interval)};
  const RecurrenceWindows windows(graph, interval);
  const AtInterval here{problem, graph, windows, interval};
  const auto found = [](const Result& result) { return OneInterval{Kind::found, result.schedule(), {}}; };
  if (const Result result = topological(here, budget)) return found(result);
  if (const Result result = component_first(here, budget)) return found(result);
  for (const ExactLimits& limits : {first_limits, last_limits}) {
    ExactAnswer exact = exact_modulo_at(here, limits, budget);
    if (exact.kind == ExactAnswer::Kind::impossible) return never("Every placement was ruled out by search.");
    if (exact.schedule) return {Kind::found, std::move(exact.schedule), {}};
    if (const Result result = ejection(here, ejection_tries, budget)) return found(result);
  }
  return {Kind::open, {}, fmt::format("{} steps were used.", budget.taken())};
}

}  // namespace convscope::schedule
