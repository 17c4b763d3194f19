#pragma once
// A bound on work that is counted in steps, so that the same input gives the same drawing on every machine.

#include <stop_token>
#include <utility>

#include "core/base/cancellation.h"

namespace convscope::ui::layout {

class StepBudget {
 public:
  StepBudget(long steps, std::stop_token stop) : left_(steps), stop_(std::move(stop)) {}

  /// False once the budget is used up. Throws Cancelled if asked to stop.
  bool spend(long steps) {
    left_ -= steps;
    since_poll_ += steps;
    if (since_poll_ > steps_between_polls) {
      since_poll_ = 0;
      throw_if_stopped(stop_);
    }
    return left_ > 0;
  }

 private:
  static constexpr long steps_between_polls = 20'000;
  long left_, since_poll_ = 0;
  std::stop_token stop_;
};

}  // namespace convscope::ui::layout
