#pragma once
// What a nest issues.

#include "core/cpu/generate/nest.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Fills body, iterations, fma_lanes and calls. `nest` has its loops and its tile. Iterations are those of the largest
/// tile's body that would issue all FMAs, smaller tiles and taps left out at the edges counted by what they take.
void count_instructions(const Plan& plan, Nest& nest);

}  // namespace convscope::cpu
