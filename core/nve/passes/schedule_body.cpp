#include "core/nve/passes/schedule_body.h"

#include "core/schedule/bottom_up.h"
#include "core/schedule/modulo_wrap.h"

namespace convscope::nve {

void schedule_body(Body& body) {
  Loop& loop = body.loop;
  loop.cycles = schedule::bottom_up(loop.problem, body.bottom, {port_a_output});
  if (!schedule::fits_interval(loop.problem, loop.cycles, 0)) loop.cycles = schedule::as_late_as_possible(loop.problem);
}

}  // namespace convscope::nve
