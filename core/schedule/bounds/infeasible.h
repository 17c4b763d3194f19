#pragma once
// What no schedule can meet, whatever the method.

#include <cstdint>
#include <optional>

#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// An operation that takes more of a resource in one cycle (modulo the interval, if it isn't 0) than there is: it fits
/// nowhere, not even alone. Exact.
std::optional<Failure> infeasible_operation(const Problem& problem, std::int64_t interval = 0);

/// A circle of dependences that no interval meets: its distances are positive and its iterations 0. Exact.
std::optional<Failure> infeasible_circle(const Problem& problem);

}  // namespace convscope::schedule
