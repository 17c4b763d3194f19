#include "core/nve/passes/insert_activations.h"

#include <set>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;
constexpr int halves = 2;  // the activation unit is half as wide as the vector (thesis, section 3.1)

}  // namespace

void insert_activations(Combined& combined, const SchedulingMachine& machine) {
  Loop& loop = combined.loop;
  const int bodies = static_cast<int>(combined.set_bias.size());
  for (int body = 0; body < bodies; ++body) {
    const int releases = combined.set_bias[static_cast<std::size_t>((body + 1) % bodies)];
    const int overwrites = combined.set_bias[static_cast<std::size_t>((body + 2) % bodies)];
    for (int half = 0; half < halves; ++half) {
      const int operation = loop.add({.kind = Kind::activate, .field = Field::act, .map = body, .half = half}, {},
                                     fmt::format("act {}", half));
      loop.cycles.push_back(0);
      loop.depend(releases, operation, machine.output_latency, -((body + 1) / bodies));
      loop.depend(operation, overwrites, 1 - machine.output_latency, (body + 2) / bodies);
    }
  }
}

void place_activations(Loop& loop, const std::vector<int>& set_bias, std::int64_t interval,
                       const SchedulingMachine& machine) {
  const int bodies = static_cast<int>(set_bias.size());
  std::set<std::int64_t> taken;
  std::int64_t after = INT64_MIN;
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    if (loop.operations[i].kind != Kind::activate) continue;
    const int next = loop.operations[i].map + 1;
    std::int64_t cycle = loop.cycles[static_cast<std::size_t>(set_bias[static_cast<std::size_t>(next % bodies)])] +
                         next / bodies * interval + machine.output_latency;
    if (cycle <= after) cycle = after + 1;
    while (!taken.insert(((cycle % interval) + interval) % interval).second) {
      ++cycle;
      if (static_cast<std::int64_t>(taken.size()) >= interval) break;
    }
    loop.cycles[i] = after = cycle;
  }
}

}  // namespace convscope::nve
