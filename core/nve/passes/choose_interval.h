#pragma once
// The initiation interval (thesis, section 5.2).

#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Sets loop.initiation_interval and the activations' cycles. With `overlap`, iterations overlap and the search starts
/// at the span of the busiest issue field; without, at the whole iteration's length. The interval grows until no
/// dependence across iterations and no resource is violated. Heuristic: not the least interval.
void choose_interval(Loop& loop, const std::vector<int>& set_bias, bool overlap, const SchedulingMachine& machine);

}  // namespace convscope::nve
