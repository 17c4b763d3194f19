#include "core/nve/passes/schedule_structure.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/nve/passes/choose_interval.h"
#include "core/nve/passes/coefficient_packing.h"
#include "core/nve/passes/combine_bodies.h"
#include "core/nve/passes/insert_activations.h"
#include "core/nve/passes/insert_writes.h"
#include "core/nve/passes/schedule_body.h"

namespace convscope::nve {
namespace {

// A body's schedule depends on how many inputs it has, not on which.
Body schedule_alone(const target::PassRun&, int connections, const Window& window, const std::vector<int>& packing,
                    const SchedulingMachine& machine) {
  std::vector<int> inputs(static_cast<std::size_t>(connections));
  std::iota(inputs.begin(), inputs.end(), 0);
  Body body = build_body(window, inputs, packing, machine);
  schedule_body(body);
  return body;
}

constexpr target::Pass scheduled_body{"nve.body", schedule_alone};

Body with_inputs(Body body, const std::vector<int>& inputs) {
  for (LoopOperation& operation : body.loop.operations)
    if (operation.input >= 0) operation.input = inputs[static_cast<std::size_t>(operation.input)];
  return body;
}

std::string overflow(const StructureProgram& p, const SchedulingMachine& machine) {
  if (p.layout.used[0] > p.layout.capacity[0] || p.layout.used[1] > p.layout.capacity[1]) {
    const int bank = p.layout.used[0] > p.layout.capacity[0] ? 0 : 1;
    return fmt::format("needs {} of {} words of the local buffer{}", p.layout.used[bank], p.layout.capacity[bank],
                       machine.memory == MemoryKind::two_banks ? fmt::format("'s bank {}", bank) : "");
  }
  if (p.instructions() > machine.instruction_buffer_words)
    return fmt::format("needs {} of {} words of the instruction buffer", p.instructions(),
                       machine.instruction_buffer_words);
  return {};
}

StructureProgram compute(const target::PassRun& run, const Structure& structure, const Window& window, bool packing,
                         bool modulo, const SchedulingMachine& machine) {
  StructureProgram result;
  std::vector<Body> bodies;
  std::vector<int> words_of_map;
  for (const auto& inputs : structure.maps) {
    const int connections = static_cast<int>(inputs.size());
    result.packing.push_back(pack_coefficients(window, connections, machine, packing));
    words_of_map.push_back(static_cast<int>(result.packing.back().size()));
    bodies.push_back(with_inputs(*scheduled_body(run, connections, window, result.packing.back(), machine), inputs));
  }
  Combined combined = combine_bodies(bodies, machine);
  insert_writes(combined.loop, window, machine);
  insert_activations(combined, machine);
  choose_interval(combined.loop, combined.set_bias, modulo, machine);
  result.layout = allocate_buffer(combined.loop, window, structure.inputs, words_of_map, machine);
  if (result.layout.fits())
    result.emitted = emit_program(combined.loop, structure, window, result.packing, result.layout, machine);
  result.loop = std::move(combined.loop);
  result.reason = overflow(result, machine);
  return result;
}

constexpr target::Pass structure_program{"nve.structure", compute};

}  // namespace

target::Remembered<StructureProgram> schedule_structure(const target::PassRun& run, const Structure& structure,
                                                        const Window& window, const Switches& switches,
                                                        const SchedulingMachine& machine) {
  return structure_program(run, structure, window, switches.packing, switches.modulo, machine);
}

}  // namespace convscope::nve
