#pragma once
// Calls of a microkernel that read the same weights one after the other: those of the innermost loops over pixels. Each
// may ask memory for its share of the weights that come next.

#include <string>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Calls one after the other that read the same weights. Precondition: the order of loops is chosen.
std::int64_t calls_with_same_weights(const Plan& plan);
/// Cache lines that each of them asks for in an iteration of the microkernel's unrolled loop over channels: together
/// those that the iteration reads.
std::int64_t next_weights_lines(const Plan& plan);
/// Why a plan can't ask for them; empty if it can.
std::string next_weights_fault(const Plan& plan);

}  // namespace convscope::cpu
