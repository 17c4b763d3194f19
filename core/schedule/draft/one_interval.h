#pragma once
// Whether a problem has a schedule at one given interval.

#include <optional>
#include <string>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

struct OneInterval {
  enum class Kind {
    found,       ///< `schedule` is one
    impossible,  ///< proven, by a bound or by exhaustion
    open         ///< neither, within the steps
  } kind = Kind::open;
  std::optional<Schedule> schedule;
  std::string text;  ///< a sentence: what makes it impossible, or why it stayed open
};

/// Bounds first, then the portfolio's quick methods, then exact search within the budget. Exact but for the budget and
/// for limits on memory, which `text` names. Preconditions: the problem isn't `malformed` and has no choices; the
/// interval is at least 1.
OneInterval schedule_at(const Problem& problem, std::int64_t interval, Budget& budget);

}  // namespace convscope::schedule
