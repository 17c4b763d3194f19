#pragma once
// The thesis's schedule of a loop, in its three steps over the complete problem (sections 4.3, 5.2 and 5.3).

#include <memory>
#include <vector>

#include "core/nve/passes/loop.h"
#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/result.h"

namespace convscope::nve {

/// 1. The scheduled bodies, `body_cycles` for each map, one after the other, each as early as registers, ports and
/// issue
///    fields allow: the next map starts before the one before has finished.
/// 2. Writes, each in the latest cycle of the write port that is free and soon enough for its first read; those needed
///    last come first (Fig. 17).
/// 3. The interval, and with it the activations, as soon as possible. With `overlap`, iterations overlap and the search
///    starts at the span of the busiest issue field; without, at the whole iteration's length. It grows until no
///    dependence across iterations and no resource is violated.
/// Heuristic: neither the least length nor the least interval.
/// Fails with `interval_limit` (never seen: at twice its length nothing of an iteration meets the next), `budget`,
/// `stopped`.
schedule::Result schedule_loop(const Loop& loop,
                               const std::vector<std::shared_ptr<const schedule::Schedule>>& body_cycles, bool overlap,
                               const SchedulingMachine& machine, schedule::Budget& budget);

}  // namespace convscope::nve
