#pragma once
// How many parts of its maps a program computes at once.

#include "core/nve/passes/estimate_program.h"
#include "core/nve/passes/schedule_structure.h"
#include "core/nve/passes/tile_maps.h"

namespace convscope::nve {

/// The group in as many tiles as executes the fewest instructions over a strip, up to those that fill a coefficient
/// word; as it is where its interval has nothing to gain, or no tiled program that is better fits the machine.
/// Precondition: the group's program fits.
MapGroup best_tiling(const target::PassRun& run, const MapGroup& group, const Window& window, const Switches& switches,
                     const OutputSize& output, const SchedulingMachine& machine);

}  // namespace convscope::nve
