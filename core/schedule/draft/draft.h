#pragma once
// A schedule on its way, made by hand: a value. Every edit is a function from a draft to the next; whoever keeps the
// former one can undo it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/draft/draft_problem.h"

namespace convscope::schedule {

/// Where a draft's operations may stand, and how long its interval may be: far beyond any buffer of instructions.
inline constexpr std::int64_t furthest_cycle = 1'000'000, longest_interval = 100'000;

/// Some operations stand in a cycle, others are `unplaced`; rules may be broken (draft_rules.h).
struct Draft {
  std::shared_ptr<const DraftProblem> problem;
  Schedule schedule;  ///< a cycle within +-furthest_cycle, or `unplaced`, for each; 1 to longest_interval

  std::int64_t interval() const { return schedule.initiation_interval; }
  std::int64_t cycle(int operation) const { return schedule.cycles[static_cast<std::size_t>(operation)]; }
  bool is_placed(int operation) const { return cycle(operation) != unplaced; }
  int placed() const;
  bool complete() const { return placed() == problem->operations(); }
  /// Row of the loop that a cycle stands for: 0 to interval - 1.
  std::int64_t row(std::int64_t cycle) const;
};

/// Of the problem and all places: equal drafts, equal hashes, on every machine.
std::uint64_t hash(const Draft& draft);
/// Same problem (by hash), same places, same interval.
bool operator==(const Draft& a, const Draft& b);

/// Nothing placed. The interval is brought into its limits.
Draft empty_draft(std::shared_ptr<const DraftProblem> problem, std::int64_t interval);

/// An operation with the cycle that it gets, or `unplaced`.
struct Place {
  int operation = 0;
  std::int64_t cycle = unplaced;
};

/// The next draft, or why there is none: the draft stays as it is then.
struct Edited {
  std::optional<Draft> draft;
  std::string refused;  ///< for people; empty if there is a draft
};

/// Gives operations their cycles, all at once. Refused: an operation that doesn't exist, a cycle beyond the limits.
Edited placed(const Draft& draft, const std::vector<Place>& places);
/// Moves placed operations by so many cycles; those without a cycle stay where they are.
Edited moved(const Draft& draft, const std::vector<int>& operations, std::int64_t by);
/// Takes operations out.
Edited removed(const Draft& draft, const std::vector<int>& operations);
/// Two placed operations change places.
Edited swapped(const Draft& draft, int one, int other);
/// Cycles stay as they are, so that rows change.
Edited with_interval(const Draft& draft, std::int64_t interval);
/// Opens an empty row in front of one of the loop, in every iteration: the interval grows by one, and no two operations
/// come closer to each other. `row` up to the interval itself: behind the last.
Edited with_row_inserted(const Draft& draft, std::int64_t row);
/// Closes a row of the loop in which nothing issues. Refused if something does, naming it, or if it is the only one.
Edited with_row_closed(const Draft& draft, std::int64_t row);

/// The operations with all that are tied to them, ascending.
std::vector<int> with_tied(const DraftProblem& problem, const std::vector<int>& operations);
/// Places of an operation and of all that are tied to it, if it stood in `cycle`.
std::vector<Place> tied_places(const DraftProblem& problem, int operation, std::int64_t cycle);

}  // namespace convscope::schedule
