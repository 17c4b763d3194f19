#include "core/nve/passes/schedule_structure.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/passes/circular_packing.h"
#include "core/nve/passes/coefficient_packing.h"
#include "core/nve/passes/loop_problem.h"
#include "core/nve/passes/pipeline_loop.h"
#include "core/nve/passes/schedule_body.h"
#include "core/nve/passes/schedule_loop.h"

namespace convscope::nve {
namespace {

// Steps are not limited: the thesis's steps end by themselves.
schedule::Budget budget_of(const target::PassRun& run) {
  return schedule::Budget(schedule::Budget::unlimited, run.stop);
}

// A result that may be kept: work that was stopped has none.
schedule::Result unless_stopped(schedule::Result result) {
  if (!result && result.failure().kind == schedule::FailureKind::stopped) throw Cancelled();
  return result;
}

StructureProgram refused(const schedule::Failure& failure) {
  StructureProgram program;
  program.reason = "can't be scheduled: " + failure.message;
  return program;
}

// A body and its schedule depend on how many inputs it has, not on which.
Body body_alone(const target::PassRun&, int connections, const Window& window, const std::vector<int>& packing,
                const SchedulingMachine& machine, bool pixels_beside_bias) {
  return build_body(window, connections, packing, machine, pixels_beside_bias);
}

constexpr target::Pass body_graph{"nve.body", body_alone};

schedule::Result schedule_alone(const target::PassRun& run, const target::Remembered<Body>& body) {
  schedule::Budget budget = budget_of(run);
  return unless_stopped(schedule_body(*body, budget));
}

constexpr target::Pass scheduled_body{"nve.body_schedule", schedule_alone};

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
  std::vector<std::vector<int>> words;
  std::vector<target::Remembered<Body>> graphs;
  std::vector<std::shared_ptr<const Body>> bodies;
  for (const auto& inputs : structure.maps) {
    const int connections = static_cast<int>(inputs.size());
    words.push_back(word_starts(pack_coefficients(window, connections, machine, packing)));
    graphs.push_back(body_graph(run, connections, window, words.back(), machine, false));
    bodies.push_back(graphs.back().pointer());
  }
  Loop loop = loop_problem(bodies, structure, window, machine);
  std::vector<std::shared_ptr<const schedule::Schedule>> body_cycles;
  for (const auto& graph : graphs) {
    const auto scheduled = scheduled_body(run, graph);
    if (!*scheduled) return refused(scheduled->failure());
    body_cycles.emplace_back(scheduled.pointer(), &scheduled->schedule());
  }
  schedule::Budget budget = budget_of(run);
  const schedule::Result result = unless_stopped(schedule_loop(loop, body_cycles, modulo, machine, budget));
  if (!result) return refused(result.failure());
  return make_program(std::move(loop), result.schedule(), structure, window, std::move(words), false, machine);
}

constexpr target::Pass structure_program{"nve.structure", compute};

// Steps that the general scheduler may take for a loop whose order of operations doesn't reach the bound.
constexpr std::int64_t search_steps = 2'000'000;

std::vector<std::vector<int>> packing_of(const Structure& structure, const Window& window, const Switches& switches,
                                         const SchedulingMachine& machine) {
  if (switches.circular) return pack_circular(window, structure, machine).starts;
  std::vector<std::vector<int>> starts;
  for (const auto& inputs : structure.maps)
    starts.push_back(
        word_starts(pack_coefficients(window, static_cast<int>(inputs.size()), machine, switches.packing)));
  return starts;
}

StructureProgram compute_exactly(const target::PassRun& run, const Structure& structure, const Window& window,
                                 const Switches& switches, const SchedulingMachine& machine) {
  auto starts = packing_of(structure, window, switches, machine);
  std::vector<std::shared_ptr<const Body>> bodies;
  for (std::size_t map = 0; map < starts.size(); ++map)
    bodies.push_back(
        body_graph(run, static_cast<int>(structure.maps[map].size()), window, starts[map], machine, true).pointer());
  Loop loop = loop_problem(bodies, structure, window, machine);
  schedule::Budget budget(search_steps, run.stop);
  PipelinedLoop pipelined = pipeline_loop(loop, machine, budget);
  throw_if_stopped(run.stop);
  StructureProgram program = make_program(std::move(loop), pipelined.schedule, structure, window, std::move(starts),
                                          switches.peeling, machine);
  program.certificate = std::move(pipelined.certificate);
  return program;
}

constexpr target::Pass exact_program{"nve.exact", compute_exactly};

}  // namespace

std::vector<std::int64_t> uses_of_iteration(const StructureProgram& program) {
  const schedule::Problem& problem = program.loop.problem;
  std::vector<std::int64_t> uses(problem.resources.size(), 0);
  for (std::size_t i = 0; i < problem.operations.size(); ++i) {
    const bool of_pass = program.loop.operations[i].stretch == 1;
    for (const schedule::ResourceUse& use : problem.operations[i].uses)
      uses[static_cast<std::size_t>(use.resource)] += of_pass ? program.passes - 1 : 1;
  }
  return uses;
}

StructureProgram make_program(Loop loop, const schedule::Schedule& schedule, const Structure& structure,
                              const Window& window, std::vector<std::vector<int>> packing, bool peeling,
                              const SchedulingMachine& machine) {
  StructureProgram result;
  loop.cycles = schedule.cycles;
  loop.initiation_interval = schedule.initiation_interval;
  std::vector<int> words_of_map;
  for (const auto& words : packing) words_of_map.push_back(static_cast<int>(words.size()));
  result.layout = allocate_buffer(loop, window, structure.inputs, words_of_map, machine);
  if (result.layout.fits())
    result.emitted = emit_program(loop, structure, window, packing, result.layout, peeling, machine);
  result.loop = std::move(loop);
  result.packing = std::move(packing);
  result.reason = overflow(result, machine);
  return result;
}

target::Remembered<StructureProgram> schedule_structure(const target::PassRun& run, const Structure& structure,
                                                        const Window& window, const Switches& switches,
                                                        const SchedulingMachine& machine) {
  if (!switches.exact) return structure_program(run, structure, window, switches.packing, switches.modulo, machine);
  // Only what this chain looks at may be in its key.
  const Switches looked_at{
      .packing = switches.packing, .exact = true, .circular = switches.circular, .peeling = switches.peeling};
  return exact_program(run, structure, window, looked_at, machine);
}

}  // namespace convscope::nve
