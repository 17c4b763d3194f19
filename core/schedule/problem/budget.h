#pragma once
// What a scheduler may spend: steps, never seconds, so that the same problem has the same answer on every machine.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>

#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// A step is one look at one operation in one cycle: well below a microsecond. One budget serves a chain of schedulers,
/// which draw on it one after the other.
class Budget {
 public:
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

  explicit Budget(std::int64_t steps = unlimited, std::stop_token stop = {}) : steps_(steps), stop_(std::move(stop)) {}

  /// Takes steps. False, from then on, once there are none left or somebody asked to stop, which is looked at every
  /// 1,024 steps.
  bool take(std::int64_t steps = 1) {
    taken_ += steps;
    return taken_ <= pause_ || go_on();
  }

  std::int64_t taken() const { return taken_; }
  /// Steps that are left; 0 if there are none or somebody asked to stop.
  std::int64_t left() const { return stop_.stop_requested() || taken_ >= steps_ ? 0 : steps_ - taken_; }
  const std::stop_token& stop() const { return stop_; }
  /// Why `take` answered no.
  Failure failure() const;

 private:
  static constexpr std::int64_t between_polls = 1024;

  bool go_on() {
    if (taken_ > steps_ || stop_.stop_requested()) return false;
    pause_ = std::min(steps_, taken_ + between_polls);
    return true;
  }

  std::int64_t steps_, taken_ = 0;
  std::int64_t pause_ = 0;  // up to here nothing has to be looked at; the first step looks
  std::stop_token stop_;
};

}  // namespace convscope::schedule
