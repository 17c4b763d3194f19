#pragma once
// Published methods from the bound on, as their papers run them: peers to compare with.

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// A method at one interval: iterative_modulo_at, slack_modulo_at.
using AtOneInterval = Result (*)(const Problem&, const Graph&, std::int64_t interval, int tries, Budget&);

/// The first interval from the bounds on, one after the other, at which the method succeeds; 6 placements an operation.
/// Heuristic. Choices are taken as Hall's sets (alternatives.h).
/// Fails with `malformed`, `circle`, `over_capacity`, `interval_limit` (none up to four times the bound and 64),
/// `budget`, `stopped`.
Result from_the_bound(const Problem& problem, AtOneInterval method, Budget& budget);

}  // namespace convscope::schedule
