#include "core/nve/passes/choose_interval.h"

#include <algorithm>
#include <cassert>

#include "core/nve/passes/insert_activations.h"
#include "core/schedule/modulo_wrap.h"

namespace convscope::nve {
namespace {

// First to last issue of anything but activations, which overlap the next iteration by nature.
std::int64_t length_of(const Loop& loop) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    if (loop.operations[i].kind == LoopOperationKind::activate) continue;
    first = std::min(first, loop.cycles[i]);
    last = std::max(last, loop.cycles[i]);
  }
  return last - first + 1;
}

}  // namespace

void choose_interval(Loop& loop, const std::vector<int>& set_bias, bool overlap, const SchedulingMachine& machine) {
  const std::int64_t length = length_of(loop);
  // At twice the length, iterations are so far apart that nothing can meet; only the output's latency is left to add.
  const std::int64_t limit = 2 * length + 2 * machine.output_latency + 8;
  std::int64_t interval = overlap ? schedule::longest_span(loop.problem, loop.cycles, interval_fields()) : length;
  for (; interval <= limit; ++interval) {
    place_activations(loop, set_bias, interval, machine);
    if (schedule::fits_interval(loop.problem, loop.cycles, interval)) break;
  }
  assert(interval <= limit);
  loop.initiation_interval = interval;
}

}  // namespace convscope::nve
