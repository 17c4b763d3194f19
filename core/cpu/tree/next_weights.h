#pragma once
// Calls of a microkernel that read the same weights one after the other: those of the innermost loops over pixels. Each
// may ask memory for its share of the weights that come next.

#include <cstdint>
#include <string>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Bytes of a line that is prefetched.
inline constexpr std::int64_t prefetched_line = 64;

/// Cache lines that each call asks for in an iteration of the microkernel's unrolled loop over channels: calls that
/// read the same weights together those that the iteration reads. Precondition: the order of loops is chosen.
std::int64_t next_weights_lines(const Plan& plan);
/// Why a plan can't ask for them; empty if it can.
std::string next_weights_fault(const Plan& plan);

}  // namespace convscope::cpu
