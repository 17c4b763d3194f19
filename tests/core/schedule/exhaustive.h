#pragma once
// The least interval by trying everything: the reference for exact schedulers. Shares no code with them, nor with the
// verifier.

#include <cstdint>
#include <optional>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule::test {

enum class Found { yes, no, given_up };

/// Whether any schedule has this interval: every operation in every row, in turn (the first in row 0: rows can be
/// turned), with whole intervals between them by relaxation. Exponential; gives up after so many rows looked at.
Found has_schedule(const Problem& problem, std::int64_t interval, std::int64_t& looks);

/// The least interval up to `largest`, 0 if there is none; nothing if it takes more looks.
std::optional<std::int64_t> least_interval(const Problem& problem, std::int64_t largest, std::int64_t looks);

}  // namespace convscope::schedule::test
