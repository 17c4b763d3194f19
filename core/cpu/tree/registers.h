#pragma once
// What the innermost loop of a plan is made of, before there is a tree.

#include <cstdint>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Vector registers that a register tile keeps alive.
int registers_of(const Plan& plan, int pixels, int vectors);
/// Of the loop that is unrolled: C, or M for kernels whose innermost loop runs over it; before unrolling.
std::int64_t innermost_iterations(const Plan& plan);

}  // namespace convscope::cpu
