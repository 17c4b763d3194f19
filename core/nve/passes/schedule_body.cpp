#include "core/nve/passes/schedule_body.h"

#include "core/schedule/schedulers/bottom_up.h"
#include "core/schedule/schedulers/modulo_wrap.h"

namespace convscope::nve {

schedule::Result schedule_body(const Body& body, schedule::Budget& budget) {
  schedule::Result result = schedule::bottom_up(body.problem, body.bottom, {port_a_output}, budget);
  if (!result || schedule::fits_interval(body.problem, result.schedule().cycles, 0)) return result;
  return schedule::as_late_as_possible(body.problem, budget);
}

}  // namespace convscope::nve
