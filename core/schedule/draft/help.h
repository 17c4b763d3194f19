#pragma once
// 'Help me': what can be made of a draft, or the proof that nothing can.

#include <optional>
#include <string>
#include <vector>

#include "core/schedule/draft/draft.h"
#include "core/schedule/problem/budget.h"

namespace convscope::schedule {

struct Help {
  enum class Kind {
    found,       ///< `draft` is complete and breaks no rule
    impossible,  ///< proven: there is none
    broken,      ///< the placed operations break rules among themselves already
    open         ///< neither was found within the steps
  } kind = Kind::open;
  std::optional<Draft> draft;
  /// Of impossible: placed operations that together rule out the interval. Empty: no schedule has it at all.
  std::vector<int> conflict;
  /// Whether none of `conflict` can be left out, i.e. without any one of them there is a schedule.
  bool is_minimal = false;
  std::string text;  ///< for people: what was found, or why there is nothing
};

/// Steps that a person waits for: one to three seconds at worst.
inline constexpr std::int64_t help_steps = 20'000'000;

/// Gives the unplaced operations their cycles; the placed ones stay, and so does the interval. Placed operations are
/// tied to each other by their distances, which leaves a problem that the schedulers solve as any other: bounds first,
/// quick methods, then exact search. So `impossible` is a proof, by a bound or by exhaustion, and `open` says that the
/// steps were used up. Never throws; a stop of the budget is `open`.
Help place_rest(const Draft& draft, Budget& budget);

/// The next better draft. Of one that is complete and breaks nothing: with the largest smaller interval that has a
/// schedule, or the proof that its own is the least. Of any other: completed at its interval, with as few placed
/// operations taken out as the search needed (not proven least), or at the least larger interval if its own is
/// impossible.
Help next_better(const Draft& draft, Budget& budget);

}  // namespace convscope::schedule
