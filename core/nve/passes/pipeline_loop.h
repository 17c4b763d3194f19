#pragma once
// The exact schedule of a loop, with the proof that no shorter interval exists.

#include "core/nve/passes/loop.h"
#include "core/schedule/bounds/certificate.h"
#include "core/schedule/problem/budget.h"

namespace convscope::nve {

struct PipelinedLoop {
  schedule::Schedule schedule;
  schedule::Certificate certificate;  ///< of the interval, for the loop's packing
};

/// Operations in program order first (place_in_order.h). Where their interval is above the bound of resources and
/// recurrences, the general scheduler looks for a shorter one, or proves that there is none, within the budget's steps.
/// Optimal if the certificate says so; otherwise it states the gap.
PipelinedLoop pipeline_loop(const Loop& loop, const SchedulingMachine& machine, schedule::Budget& budget);

}  // namespace convscope::nve
