#pragma once
// Activations, as soon as possible (thesis, section 4.3).

#include <vector>

#include "core/nve/passes/combine_bodies.h"

namespace convscope::nve {

/// Adds two activations per body. The accumulators of body b leave with the `set rb` of body b+1, those of the last
/// body with the next iteration's first, so that a cycle can only be given once the initiation interval is known.
/// Their cycles stay 0 until place_activations.
void insert_activations(Combined& combined, const SchedulingMachine& machine);

/// Gives the activations the first cycles that the accumulators' arrival and the ACT field, modulo the interval, allow.
void place_activations(Loop& loop, const std::vector<int>& set_bias, std::int64_t interval,
                       const SchedulingMachine& machine);

}  // namespace convscope::nve
