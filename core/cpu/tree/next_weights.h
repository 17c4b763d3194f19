#pragma once
// Calls of a microkernel that read the same weights one after the other: those of the innermost loops over pixels. Each
// may ask memory for its share of the weights that come next; of more calls than lines of an iteration the first ones
// do.

#include <cstdint>
#include <string>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Bytes of a line that is prefetched.
inline constexpr std::int64_t prefetched_line = 64;

/// Cache lines that a call asks for in an iteration of the microkernel's unrolled loop over channels: calls that read
/// the same weights together those that the iteration reads. Below 1, the average of calls of which some ask for one.
/// Precondition: the order of loops is chosen.
double next_weights_lines(const Plan& plan);
/// Why a plan can't ask for them; empty if it can.
std::string next_weights_fault(const Plan& plan);

}  // namespace convscope::cpu
