#include "core/nve/passes/loop_problem.h"

#include "core/nve/passes/combine_bodies.h"
#include "core/nve/passes/hold_ports.h"
#include "core/nve/passes/insert_activations.h"
#include "core/nve/passes/insert_writes.h"

namespace convscope::nve {

Loop loop_problem(const std::vector<std::shared_ptr<const Body>>& bodies, const Structure& structure,
                  const Window& window, const SchedulingMachine& machine) {
  Loop loop = combine_bodies(bodies, structure, machine);
  insert_writes(loop, window, machine);
  insert_activations(loop, window, machine);
  hold_ports(loop);
  return loop;
}

}  // namespace convscope::nve
