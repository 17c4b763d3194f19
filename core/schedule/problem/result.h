#pragma once
// What a scheduler answers: a schedule, or the one way in which it failed.

#include <cassert>
#include <string>
#include <utility>
#include <variant>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// Every way in which a scheduler can fail. Which of them a scheduler knows stands in its comment.
enum class FailureKind {
  malformed,       ///< indices of what doesn't exist, negative capacities, numbers too large to add up
  circle,          ///< dependences form a circle that no interval meets, or that the method can't take
  over_capacity,   ///< an operation alone takes more of a resource in a cycle than there is
  unconnected,     ///< no dependences lead from an operation to where the method begins
  interval_limit,  ///< no interval within the given limits holds the operations
  budget,          ///< the steps are used up; there may be a schedule
  stopped          ///< asked to stop
};

struct Failure {
  FailureKind kind = FailureKind::stopped;
  std::string message;  ///< names operations, resources, cycles, counts and limits
  int operation = -1;   ///< one that it is about; -1 if it is about none
};

/// A schedule of every operation, or a failure.
class Result {
 public:
  Result(Schedule schedule) : value_(std::move(schedule)) {}  // NOLINT(google-explicit-constructor): return either
  Result(Failure failure) : value_(std::move(failure)) {}     // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<Schedule>(value_); }
  /// Preconditions (asserted): it is a schedule, or it is a failure.
  const Schedule& schedule() const {
    assert(*this);
    return *std::get_if<Schedule>(&value_);
  }
  const Failure& failure() const {
    assert(!*this);
    return *std::get_if<Failure>(&value_);
  }

 private:
  std::variant<Schedule, Failure> value_;
};

}  // namespace convscope::schedule
