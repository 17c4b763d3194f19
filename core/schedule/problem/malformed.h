#pragma once
// What no scheduler takes, so that none of them has to look.

#include <optional>

#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// Indices that point at nothing, negative capacities, choices among choices, and distances so large that times could
/// not be added up in 64 bits. Not for untrusted schedules: `verify` looks for itself.
std::optional<Failure> malformed(const Problem& problem);

}  // namespace convscope::schedule
