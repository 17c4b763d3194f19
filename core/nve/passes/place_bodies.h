#pragma once
// First step of the thesis's schedule: bodies one after the other (section 5.3).

#include <memory>
#include <vector>

#include "core/nve/passes/loop.h"
#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/partial_schedule.h"

namespace convscope::nve {

/// Places every body as a whole, `cycles` for each, in order, as early as the bodies before it allow. False if the
/// budget ends before.
bool place_bodies(schedule::PartialSchedule& partial, const Loop& loop,
                  const std::vector<std::shared_ptr<const schedule::Schedule>>& cycles, schedule::Budget& budget);

}  // namespace convscope::nve
