#pragma once
// Third step of the thesis's schedule: the initiation interval and the activations (section 5.2).

#include <vector>

#include "core/nve/passes/loop.h"
#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/result.h"

namespace convscope::nve {

/// The interval for an iteration whose bodies and writes stand, and with it the cycles of the activations: the first
/// that the accumulators' arrival and the ACT field, modulo the interval, allow. See schedule_loop.h.
schedule::Result choose_interval(const Loop& loop, std::vector<std::int64_t> cycles, bool overlap,
                                 const SchedulingMachine& machine, schedule::Budget& budget);

}  // namespace convscope::nve
