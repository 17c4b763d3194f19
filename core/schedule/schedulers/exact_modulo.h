#pragma once
// Exact modulo scheduling at one interval: satisfiability over the operations that bound it.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/schedule/problem/budget.h"
#include "core/schedule/schedulers/component_first.h"

namespace convscope::schedule {

/// What is known about an interval after a search.
struct ExactAnswer {
  enum class Kind {
    scheduled,    ///< `schedule` is one
    impossible,   ///< proven: there is none at this interval
    too_large,    ///< the formula would have more literals than asked for
    out_of_steps  ///< conflicts or the budget are used up, or a stop was asked for
  } kind = Kind::out_of_steps;
  std::optional<Schedule> schedule;
};

/// What a conflict of the solver costs: it looks at some thousand operations in one cycle each.
inline constexpr std::int64_t steps_per_conflict = 2000;

struct ExactLimits {
  std::int64_t literals = 2'000'000;
  std::int64_t conflicts = 100'000;
};

/// Literals that the formula would have: how much freedom the operations have.
std::int64_t literals_of(const AtInterval& at_interval);

/// Exact but for its limits. An operation of a circle has a variable for each cycle of its window around the
/// component's anchor (order encoding), another for each row that it takes resources in; operations that are free
/// (component_first.h) have none, as counting finds rows for them. The largest component's anchor stands in row 0, as
/// rows can be turned.
ExactAnswer exact_modulo_at(const AtInterval& at_interval, const ExactLimits& limits, Budget& budget);

}  // namespace convscope::schedule
