#include "core/nve/passes/pipeline_loop.h"

#include <algorithm>

#include "core/nve/passes/place_in_order.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/modulo_schedule.h"

namespace convscope::nve {

PipelinedLoop pipeline_loop(const Loop& loop, const SchedulingMachine& machine, schedule::Budget& budget) {
  PipelinedLoop result{place_in_order(loop, machine), {}};
  const std::int64_t interval = result.schedule.initiation_interval;
  int resource = -1;
  const std::int64_t by_resources = schedule::resource_bound(loop.problem, &resource);
  result.certificate = {interval, by_resources, schedule::BoundKind::resource, {resource}, {}, {}};
  if (result.certificate.optimal()) return result;
  const auto other = schedule::modulo_schedule(loop.problem, {.largest_interval = interval}, budget);
  if (other) {
    const schedule::Pipelined& found = other.pipelined();
    if (found.schedule.initiation_interval < interval) return {found.schedule, found.certificate};
    result.certificate = found.certificate;
  } else {
    result.certificate.bound = std::max(by_resources, schedule::recurrence_bound(loop.problem));
    result.certificate.kind = schedule::BoundKind::recurrence;
    result.certificate.reason = other.failure().message;
  }
  return result;
}

}  // namespace convscope::nve
