#include "core/nve/passes/hold_ports.h"

namespace convscope::nve {
namespace {

bool is_read(const Loop& loop, int operation) {
  const LoopOperationKind kind = loop.operations[static_cast<std::size_t>(operation)].kind;
  return kind == LoopOperationKind::read_coefficients || kind == LoopOperationKind::read_pixels;
}

}  // namespace

void hold_ports(Loop& loop) {
  const std::size_t count = loop.problem.dependences.size();
  for (std::size_t i = 0; i < count; ++i) {
    const schedule::Dependence d = loop.problem.dependences[i];
    if (is_read(loop, d.from)) loop.depend(d.to, d.from, -d.distance, -d.iterations);
  }
}

bool holds_port(const Loop& loop, const schedule::Dependence& dependence) {
  return is_read(loop, dependence.to) &&
         loop.operations[static_cast<std::size_t>(dependence.from)].kind != LoopOperationKind::write_pixels;
}

}  // namespace convscope::nve
