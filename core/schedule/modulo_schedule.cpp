#include "core/schedule/modulo_schedule.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/alternatives.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/modulo_table.h"
#include "core/schedule/schedulers/component_first.h"
#include "core/schedule/schedulers/iterative_modulo.h"
#include "core/schedule/schedulers/stages.h"

namespace convscope::schedule {
namespace {

// The paper's BudgetRatio, and what the patient method may spend on an operation.
constexpr int published_tries = 6, patient_tries = 24;

// From there on, iterations need not overlap at all.
std::int64_t enough(const Problem& problem) {
  std::int64_t sum = 1;
  for (const Dependence& d : problem.dependences) sum += std::max(d.distance, 0);
  for (const Operation& operation : problem.operations) {
    if (operation.uses.empty()) continue;
    const auto [low, high] = std::minmax_element(operation.uses.begin(), operation.uses.end(),
                                                 [](const auto& a, const auto& b) { return a.offset < b.offset; });
    sum += std::int64_t{high->offset} - low->offset + 1;
  }
  return sum;
}

// One problem on its way through the portfolio.
class Portfolio {
 public:
  Portfolio(const Problem& problem, const PipelineOptions& options, Budget& budget)
      : problem_(problem), graph_(problem), options_(options), budget_(budget) {}

  PipelineResult run() {
    if (auto failure = infeasible_operation(problem_)) return *std::move(failure);
    if (auto failure = find_bound()) return *std::move(failure);
    const std::int64_t largest =
        options_.largest_interval > 0 ? options_.largest_interval : std::max(certificate_.bound, enough(problem_));
    for (std::int64_t interval = certificate_.bound; interval <= largest; ++interval) {
      if (!ModuloTable::can_hold(problem_, interval)) return too_many_rows(interval);
      auto found = at(interval);
      if (found) return *std::move(found);
      if (!budget_.take()) return budget_.failure();
    }
    return Failure{FailureKind::interval_limit,
                   fmt::format("no schedule found at intervals from {} to {}", certificate_.bound, largest)};
  }

 private:
  std::optional<Failure> find_bound() {
    int resource = -1;
    certificate_.bound = std::max<std::int64_t>(1, options_.smallest_interval);
    const std::int64_t by_resources = resource_bound(problem_, &resource);
    if (by_resources >= certificate_.bound && resource >= 0) {
      certificate_.bound = by_resources;
      certificate_.kind = BoundKind::resource;
      certificate_.resources = {resource};
    }
    const std::int64_t bound = recurrence_bound(graph_, certificate_.bound, certificate_.circle);
    if (bound == no_interval) return infeasible_circle(problem_);
    if (bound > certificate_.bound) certificate_ = {0, bound, BoundKind::recurrence, {}, certificate_.circle, {}};
    return std::nullopt;
  }

  Failure too_many_rows(std::int64_t interval) const {
    return {FailureKind::interval_limit,
            fmt::format("an interval of {} cycles for {} resources asks for a table of more than {} places", interval,
                        problem_.resources.size(), ModuloTable::most_places)};
  }

  std::optional<Pipelined> at(std::int64_t interval) {
    if (infeasible_operation(problem_, interval)) return std::nullopt;
    const RecurrenceWindows windows(graph_, interval);
    const AtInterval at_interval{problem_, graph_, windows, interval};
    if (const Result result = topological(at_interval, budget_)) return finished(result, "topological order");
    if (const Result result = component_first(at_interval, budget_)) return finished(result, "component first");
    if (const Result result = iterative_modulo_at(problem_, graph_, interval, published_tries, budget_))
      return finished(result, "iterative modulo");
    if (const Result result = ejection(at_interval, patient_tries, budget_)) return finished(result, "ejection");
    return std::nullopt;
  }

  Pipelined finished(const Result& result, const char* method) {
    Pipelined pipelined{with_fewest_stages(graph_, result.schedule()), certificate_, 0, 0, method};
    pipelined.certificate.interval = pipelined.schedule.initiation_interval;
    pipelined.stages = stages_of(pipelined.schedule);
    if (!pipelined.certificate.optimal())
      pipelined.certificate.reason = "smaller intervals were tried, but not proven impossible";
    return pipelined;
  }

  const Problem& problem_;
  Graph graph_;
  PipelineOptions options_;
  Budget& budget_;
  Certificate certificate_;
};

}  // namespace

PipelineResult modulo_schedule(const Problem& problem, const PipelineOptions& options, Budget& budget) {
  if (auto failure = malformed(problem)) return *std::move(failure);
  if (!has_choices(problem)) return Portfolio(problem, options, budget).run();
  auto plain = without_choices(problem);
  if (auto* failure = std::get_if<Failure>(&plain)) return *std::move(failure);
  const auto& [expanded, members] = *std::get_if<PlainProblem>(&plain);
  PipelineResult result = Portfolio(expanded, options, budget).run();
  if (!result) return result;
  Pipelined pipelined = result.pipelined();
  auto& resources = pipelined.certificate.resources;
  if (!resources.empty()) resources = members[static_cast<std::size_t>(resources.front())];
  return pipelined;
}

}  // namespace convscope::schedule
