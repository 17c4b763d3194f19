#include "core/nve/passes/insert_activations.h"

#include <fmt/format.h>

namespace convscope::nve {
namespace {

constexpr int halves = 2;  // the activation unit is half as wide as the vector (thesis, section 3.1)

}  // namespace

void insert_activations(Loop& loop, const Window& window, const SchedulingMachine& machine) {
  loop.first_activation = static_cast<int>(loop.operations.size());
  const int bodies = static_cast<int>(loop.set_bias.size());
  for (int body = 0; body < bodies; ++body) {
    const int releases = loop.set_bias[static_cast<std::size_t>((body + 1) % bodies)];
    const int overwrites = loop.set_bias[static_cast<std::size_t>((body + 2) % bodies)];
    for (int half = window.half_vector ? 1 : 0; half < halves; ++half) {
      const int operation =
          loop.add({.kind = LoopOperationKind::activate, .field = Field::act, .map = body, .half = half}, {},
                   fmt::format("act {}", half));
      loop.depend(releases, operation, machine.output_latency, -((body + 1) / bodies));
      loop.depend(operation, overwrites, 1 - machine.output_latency, (body + 2) / bodies);
    }
  }
}

}  // namespace convscope::nve
