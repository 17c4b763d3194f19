#include "core/schedule/schedulers/modulo_wrap.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/explain/legality.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/reservation_table.h"

namespace convscope::schedule {
namespace {

Failure too_long(const Problem& problem, const Schedule& schedule, IntervalRange range) {
  Failure failure{FailureKind::interval_limit,
                  fmt::format("no interval from {} to {} cycles holds the iteration", range.first, range.last)};
  if (const auto alone = infeasible_operation(problem, range.last)) {
    failure.operation = alone->operation;
    failure.message += fmt::format("; at {}, {}", range.last, alone->message);
    return failure;
  }
  const Legality legality(problem);
  for (std::size_t i = 0; i < schedule.cycles.size(); ++i) {
    const auto obstacles = legality.obstacles(schedule, static_cast<int>(i), schedule.cycles[i]);
    if (obstacles.empty()) continue;
    failure.operation = static_cast<int>(i);
    failure.message += fmt::format("; at {}, {}", range.last, obstacles.front().text);
    break;
  }
  return failure;
}

}  // namespace

std::int64_t longest_span(const Problem& problem, const std::vector<std::int64_t>& cycles,
                          const std::vector<int>& resources) {
  std::int64_t longest = 1;
  for (int resource : resources)
    if (const auto used = span(problem, cycles, resource)) longest = std::max(longest, used->length());
  return longest;
}

bool fits_interval(const Problem& problem, const std::vector<std::int64_t>& cycles, std::int64_t interval) {
  for (const Dependence& d : problem.dependences) {
    if (interval == 0 && d.iterations > 0) continue;
    const std::int64_t earliest = cycles[static_cast<std::size_t>(d.from)] + d.distance - d.iterations * interval;
    if (cycles[static_cast<std::size_t>(d.to)] < earliest) return false;
  }
  ReservationTable table(problem, interval);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (!table.fits(static_cast<int>(i), cycles[i])) return false;
    table.place(static_cast<int>(i), cycles[i]);
  }
  return true;
}

Result wrap(const Problem& problem, std::vector<std::int64_t> cycles, IntervalRange range, const PlaceAt& place,
            Budget& budget) {
  if (auto failure = malformed(problem)) return *std::move(failure);
  if (range.first < 1 || cycles.size() != problem.operations.size())
    return Failure{FailureKind::malformed, fmt::format("{} cycles for {} operations, from an interval of {} on",
                                                       cycles.size(), problem.operations.size(), range.first)};
  Schedule schedule{std::move(cycles), range.first};
  for (; schedule.initiation_interval <= range.last; ++schedule.initiation_interval) {
    if (!budget.take(static_cast<std::int64_t>(problem.operations.size()))) return budget.failure();
    place(schedule.initiation_interval, schedule.cycles);
    if (fits_interval(problem, schedule.cycles, schedule.initiation_interval)) return schedule;
  }
  schedule.initiation_interval = range.last;
  return too_long(problem, schedule, range);
}

}  // namespace convscope::schedule
