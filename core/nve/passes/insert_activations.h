#pragma once
// Activations of an iteration (thesis, section 4.3).

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Adds an activation per body for each half of the vector that is used. The accumulators of body b leave with the `set
/// rb` of body b+1, those of the last body with the next iteration's first, and are overwritten by the `set rb` after
/// that.
void insert_activations(Loop& loop, const Window& window, const SchedulingMachine& machine);

}  // namespace convscope::nve
