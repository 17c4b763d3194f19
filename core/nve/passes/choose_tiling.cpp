#include "core/nve/passes/choose_tiling.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "core/nve/passes/circular_packing.h"

namespace convscope::nve {
namespace {

std::int64_t instructions_of(const Program& program, int columns, int peeled) {
  return program.initial_size + std::int64_t{program.repeat_size} * (columns - peeled);
}

// Whether a program gives out its columns and none beside: those of another tile would leave twice.
bool keeps_to_its_columns(const Emitted& emitted) {
  const auto peeled = [&](const OutputWord& output) { return output.iteration < emitted.peeled; };
  const auto looped = [&](const OutputWord& output) { return output.iteration == emitted.peeled; };
  const Program& program = emitted.program;
  return std::all_of(program.initial.outputs.begin(), program.initial.outputs.end(), peeled) &&
         std::all_of(program.repeat.outputs.begin(), program.repeat.outputs.end(), looped);
}

}  // namespace

MapGroup best_tiling(const target::PassRun& run, const MapGroup& group, const Window& window, const Switches& switches,
                     const OutputSize& output, const SchedulingMachine& machine) {
  const auto alone = schedule_structure(run, group.structure, window, switches, machine);
  MapGroup best = group;
  // Nothing but the loads of coefficient words can be shared out better.
  if (alone->loop.initiation_interval <= chain_length(window, group.structure, machine)) return best;
  std::int64_t least = instructions_of(alone->emitted.program, output.columns, alone->emitted.peeled);
  for (int tiles = 2; tiles <= std::min(machine.coefficients_per_set(), output.columns); ++tiles) {
    throw_if_stopped(run.stop);
    MapGroup candidate = tiled(group, tiles);
    const int columns = tile_columns(output.columns, tiles);
    const PackedLoop packed = pack_circular(window, candidate.structure, machine);
    if (packed.interval * columns >= least) continue;
    const auto program = schedule_structure(run, candidate.structure, window, switches, machine);
    if (!program->reason.empty() || !keeps_to_its_columns(program->emitted)) continue;
    const std::int64_t instructions = instructions_of(program->emitted.program, columns, program->emitted.peeled);
    if (instructions >= least) continue;
    least = instructions;
    best = std::move(candidate);
  }
  return best;
}

}  // namespace convscope::nve
