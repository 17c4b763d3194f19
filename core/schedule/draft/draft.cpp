#include "core/schedule/draft/draft.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/key.h"

namespace convscope::schedule {
namespace {

std::int64_t quotient_down(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

bool is_operation(const Draft& draft, int operation) {
  return operation >= 0 && operation < draft.problem->operations();
}

Edited refused(std::string why) {
  return {std::nullopt, std::move(why)};
}

const std::string& named(const Draft& draft, int operation) {
  return draft.problem->problem().operations[at(operation)].name;
}

std::string beyond(const Draft& draft, int operation, std::int64_t cycle) {
  return fmt::format("'{}' would stand in cycle {}; cycles from {} to {} are possible", named(draft, operation), cycle,
                     -furthest_cycle, furthest_cycle);
}

bool is_within(std::int64_t cycle) {
  return cycle >= -furthest_cycle && cycle <= furthest_cycle;
}

// Every placed operation gets the cycle that `next` makes of its own.
template <typename Next>
Edited each_moved(Draft draft, std::int64_t interval, const Next& next) {
  draft.schedule.initiation_interval = interval;
  for (int i = 0; i < draft.problem->operations(); ++i) {
    std::int64_t& cycle = draft.schedule.cycles[at(i)];
    if (cycle == unplaced) continue;
    const std::int64_t moved = next(cycle);
    if (!is_within(moved)) return refused(beyond(draft, i, moved));
    cycle = moved;
  }
  return {std::move(draft), {}};
}

}  // namespace

int Draft::placed() const {
  return static_cast<int>(std::count_if(schedule.cycles.begin(), schedule.cycles.end(),
                                        [](std::int64_t cycle) { return cycle != unplaced; }));
}

std::int64_t Draft::row(std::int64_t cycle) const {
  const std::int64_t rest = cycle % interval();
  return rest < 0 ? rest + interval() : rest;
}

std::uint64_t hash(const Draft& draft) {
  return hash64(KeyBuilder()
                    .add(draft.problem->hash())
                    .add(draft.schedule.cycles)
                    .add(draft.schedule.initiation_interval)
                    .take());
}

bool operator==(const Draft& a, const Draft& b) {
  return (a.problem == b.problem || a.problem->hash() == b.problem->hash()) && a.schedule.cycles == b.schedule.cycles &&
         a.interval() == b.interval();
}

Draft empty_draft(std::shared_ptr<const DraftProblem> problem, std::int64_t interval) {
  Draft draft{std::move(problem), {}};
  draft.schedule.cycles.assign(draft.problem->problem().operations.size(), unplaced);
  draft.schedule.initiation_interval = std::clamp<std::int64_t>(interval, 1, longest_interval);
  return draft;
}

Edited placed(const Draft& draft, const std::vector<Place>& places) {
  Draft next = draft;
  for (const Place& place : places) {
    if (!is_operation(draft, place.operation))
      return refused(
          fmt::format("there is no operation {}; there are {}", place.operation, draft.problem->operations()));
    if (place.cycle != unplaced && !is_within(place.cycle)) return refused(beyond(draft, place.operation, place.cycle));
    next.schedule.cycles[at(place.operation)] = place.cycle;
  }
  return {std::move(next), {}};
}

Edited moved(const Draft& draft, const std::vector<int>& operations, std::int64_t by) {
  if (by < -2 * furthest_cycle || by > 2 * furthest_cycle)
    return refused(fmt::format("nothing can be moved by {} cycles", by));
  std::vector<Place> places;
  for (const int operation : operations) {
    if (!is_operation(draft, operation)) return placed(draft, {{operation, 0}});
    if (draft.is_placed(operation)) places.push_back({operation, draft.cycle(operation) + by});
  }
  return placed(draft, places);
}

Edited removed(const Draft& draft, const std::vector<int>& operations) {
  std::vector<Place> places;
  for (const int operation : operations) places.push_back({operation, unplaced});
  return placed(draft, places);
}

Edited swapped(const Draft& draft, int one, int other) {
  for (const int operation : {one, other}) {
    if (!is_operation(draft, operation)) return placed(draft, {{operation, 0}});
    if (!draft.is_placed(operation)) return refused(fmt::format("'{}' has no place yet", named(draft, operation)));
  }
  return placed(draft, {{one, draft.cycle(other)}, {other, draft.cycle(one)}});
}

Edited with_interval(const Draft& draft, std::int64_t interval) {
  if (interval < 1 || interval > longest_interval)
    return refused(fmt::format("the interval would be {}; 1 to {} cycles are possible", interval, longest_interval));
  Draft next = draft;
  next.schedule.initiation_interval = interval;
  return {std::move(next), {}};
}

Edited with_row_inserted(const Draft& draft, std::int64_t row) {
  const std::int64_t interval = draft.interval();
  if (row < 0 || row > interval) return refused(fmt::format("there is no row {}; the loop has {}", row, interval));
  if (interval == longest_interval) return with_interval(draft, interval + 1);
  return each_moved(draft, interval + 1, [&](std::int64_t cycle) {
    const std::int64_t turns = quotient_down(cycle, interval), own = cycle - turns * interval;
    return turns * (interval + 1) + own + (own >= row ? 1 : 0);
  });
}

Edited with_row_closed(const Draft& draft, std::int64_t row) {
  const std::int64_t interval = draft.interval();
  if (row < 0 || row >= interval) return refused(fmt::format("there is no row {}; the loop has {}", row, interval));
  if (interval == 1) return with_interval(draft, 0);
  for (int i = 0; i < draft.problem->operations(); ++i)
    if (draft.is_placed(i) && draft.row(draft.cycle(i)) == row)
      return refused(fmt::format("'{}' stands in row {}; only an empty one can be closed", named(draft, i), row));
  return each_moved(draft, interval - 1, [&](std::int64_t cycle) {
    const std::int64_t turns = quotient_down(cycle, interval), own = cycle - turns * interval;
    return turns * (interval - 1) + own - (own > row ? 1 : 0);
  });
}

std::vector<int> with_tied(const DraftProblem& problem, const std::vector<int>& operations) {
  std::vector<int> groups, result;
  for (const int operation : operations) groups.push_back(problem.group_of(operation));
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const int group : groups) {
    const TiedGroup& members = problem.groups()[at(group)];
    result.insert(result.end(), members.operations.begin(), members.operations.end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Place> tied_places(const DraftProblem& problem, int operation, std::int64_t cycle) {
  const TiedGroup& group = problem.groups()[at(problem.group_of(operation))];
  const auto own = std::find(group.operations.begin(), group.operations.end(), operation) - group.operations.begin();
  const std::int64_t first = cycle - group.offsets[static_cast<std::size_t>(own)];
  std::vector<Place> places;
  for (std::size_t i = 0; i < group.operations.size(); ++i)
    places.push_back({group.operations[i], first + group.offsets[i]});
  return places;
}

}  // namespace convscope::schedule
