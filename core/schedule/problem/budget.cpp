#include "core/schedule/problem/budget.h"

#include <fmt/format.h>

namespace convscope::schedule {

Failure Budget::failure() const {
  if (stop_.stop_requested()) return {FailureKind::stopped, fmt::format("stopped after {} steps", taken_)};
  return {FailureKind::budget, fmt::format("the budget of {} steps is used up", steps_)};
}

}  // namespace convscope::schedule
