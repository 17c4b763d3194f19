#include "core/nve/passes/schedule_loop.h"

#include "core/nve/passes/choose_interval.h"
#include "core/nve/passes/place_bodies.h"
#include "core/nve/passes/place_writes.h"

namespace convscope::nve {

schedule::Result schedule_loop(const Loop& loop,
                               const std::vector<std::shared_ptr<const schedule::Schedule>>& body_cycles, bool overlap,
                               const SchedulingMachine& machine, schedule::Budget& budget) {
  schedule::PartialSchedule partial(loop.problem);
  if (!place_bodies(partial, loop, body_cycles, budget)) return budget.failure();
  if (!place_writes(partial, loop, budget)) return budget.failure();
  return choose_interval(loop, partial.cycles(), overlap, machine, budget);
}

}  // namespace convscope::nve
