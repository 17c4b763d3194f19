#include "tests/core/nve/loops.h"

#include <algorithm>

#include "core/nve/passes/coefficient_packing.h"
#include "core/nve/passes/loop_problem.h"
#include "core/nve/passes/place_in_order.h"

namespace convscope::nve::test {

std::vector<int> Parts::words_of_map() const {
  std::vector<int> words;
  for (const auto& starts : packing) words.push_back(static_cast<int>(starts.size()));
  return words;
}

Parts parts(Structure structure, Window window, const SchedulingMachine& machine) {
  Parts result{std::move(structure), window, {}, {}};
  for (const auto& inputs : result.structure.maps) {
    const int connections = static_cast<int>(inputs.size());
    result.packing.push_back(word_starts(pack_coefficients(window, connections, machine, true)));
    result.bodies.push_back(
        std::make_shared<const Body>(build_body(window, connections, result.packing.back(), machine)));
  }
  return result;
}

Loop scheduled_loop(const Parts& parts, const SchedulingMachine& machine) {
  Loop loop = loop_problem(parts.bodies, parts.structure, parts.window, machine);
  const schedule::Schedule schedule = place_in_order(loop, machine);
  loop.cycles = schedule.cycles;
  loop.initiation_interval = schedule.initiation_interval;
  return loop;
}

int operations_of(const Loop& loop, LoopOperationKind kind) {
  return static_cast<int>(std::count_if(loop.operations.begin(), loop.operations.end(),
                                        [&](const LoopOperation& operation) { return operation.kind == kind; }));
}

}  // namespace convscope::nve::test
