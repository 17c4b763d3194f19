#pragma once
// Second step of the thesis's schedule: pixel writes, as late as possible (section 4.3 and Fig. 17).

#include "core/nve/passes/loop.h"
#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/partial_schedule.h"

namespace convscope::nve {

/// Places every write in the latest free cycle of its field that is soon enough for the reads of its own iteration.
/// Words needed last are placed first. False if the budget ends before. Precondition: the bodies stand.
bool place_writes(schedule::PartialSchedule& partial, const Loop& loop, schedule::Budget& budget);

}  // namespace convscope::nve
