#include "core/nve/passes/choose_interval.h"

#include <algorithm>
#include <set>

#include "core/schedule/schedulers/modulo_wrap.h"

namespace convscope::nve {
namespace {

// First to last issue of anything but activations, which overlap the next iteration by nature.
std::int64_t length_of(const Loop& loop, const std::vector<std::int64_t>& cycles) {
  const auto [first, last] = std::minmax_element(cycles.begin(), cycles.begin() + loop.first_activation);
  return *last - *first + 1;
}

void place_activations(const Loop& loop, std::int64_t interval, const SchedulingMachine& machine,
                       std::vector<std::int64_t>& cycles) {
  const int bodies = static_cast<int>(loop.set_bias.size());
  std::set<std::int64_t> taken;
  std::int64_t after = INT64_MIN;
  for (std::size_t i = static_cast<std::size_t>(loop.first_activation); i < loop.operations.size(); ++i) {
    const int next = loop.operations[i].map + 1;
    std::int64_t cycle = cycles[static_cast<std::size_t>(loop.set_bias[static_cast<std::size_t>(next % bodies)])] +
                         next / bodies * interval + machine.output_latency;
    if (cycle <= after) cycle = after + 1;
    while (!taken.insert(((cycle % interval) + interval) % interval).second) {
      ++cycle;
      if (static_cast<std::int64_t>(taken.size()) >= interval) break;
    }
    cycles[i] = after = cycle;
  }
}

}  // namespace

schedule::Result choose_interval(const Loop& loop, std::vector<std::int64_t> cycles, bool overlap,
                                 const SchedulingMachine& machine, schedule::Budget& budget) {
  const std::int64_t length = length_of(loop, cycles);
  // At twice the length, iterations are so far apart that nothing can meet; only the output's latency is left to add.
  const std::int64_t limit = 2 * length + 2 * machine.output_latency + 8;
  const std::int64_t first = overlap ? schedule::longest_span(loop.problem, cycles, interval_fields()) : length;
  return schedule::wrap(
      loop.problem, std::move(cycles), {first, limit},
      [&](std::int64_t interval, std::vector<std::int64_t>& at) { place_activations(loop, interval, machine, at); },
      budget);
}

}  // namespace convscope::nve
