#include "core/schedule/modulo_schedule.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/modulo_table.h"
#include "core/schedule/schedulers/iterative_modulo.h"

namespace convscope::schedule {
namespace {

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The smallest interval that resources, recurrences and the caller allow; circles and names come with it.
Certificate first_bound(const Problem& problem, const PipelineOptions& options) {
  Certificate certificate;
  certificate.bound = std::max<std::int64_t>(1, options.smallest_interval);
  int resource = -1;
  const std::int64_t by_resources = resource_bound(problem, &resource), by_circles = recurrence_bound(problem);
  if (by_circles > certificate.bound) certificate.bound = by_circles, certificate.kind = BoundKind::recurrence;
  if (by_resources >= certificate.bound && resource >= 0) {
    certificate.bound = by_resources;
    certificate.kind = BoundKind::resource;
    certificate.resources = {resource};
  }
  return certificate;
}

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

void begin_in_the_first_stage(Schedule& schedule) {
  if (schedule.cycles.empty()) return;
  const std::int64_t first = *std::min_element(schedule.cycles.begin(), schedule.cycles.end());
  const std::int64_t shift = floor_divided(first, schedule.initiation_interval) * schedule.initiation_interval;
  for (std::int64_t& cycle : schedule.cycles) cycle -= shift;
}

std::int64_t stages_of(const Schedule& schedule) {
  if (schedule.cycles.empty()) return 0;
  return *std::max_element(schedule.cycles.begin(), schedule.cycles.end()) / schedule.initiation_interval + 1;
}

}  // namespace

PipelineResult modulo_schedule(const Problem& problem, const PipelineOptions& options, Budget& budget) {
  if (auto failure = malformed(problem)) return *std::move(failure);
  if (auto failure = infeasible_operation(problem)) return *std::move(failure);
  if (auto failure = infeasible_circle(problem)) return *std::move(failure);
  Certificate certificate = first_bound(problem, options);
  const std::int64_t largest =
      options.largest_interval > 0 ? options.largest_interval : std::max(certificate.bound, enough(problem));
  for (std::int64_t interval = certificate.bound; interval <= largest; ++interval) {
    if (!ModuloTable::can_hold(problem, interval)) break;
    Result result = iterative_modulo_at(problem, interval, 6, budget);
    if (!result && result.failure().kind != FailureKind::interval_limit) return result.failure();
    if (!result) continue;
    certificate.interval = interval;
    if (!certificate.optimal()) certificate.reason = "smaller intervals were tried, but not proven impossible";
    Pipelined pipelined{result.schedule(), certificate, 0, 0, "iterative modulo"};
    begin_in_the_first_stage(pipelined.schedule);
    pipelined.stages = stages_of(pipelined.schedule);
    return pipelined;
  }
  return Failure{FailureKind::interval_limit,
                 fmt::format("no schedule found at intervals from {} to {}", certificate.bound, largest)};
}

}  // namespace convscope::schedule
