#pragma once
// What a run on NVE's simulator answers, as figures.

#include "core/nve/check_program.h"
#include "core/target/simulate.h"

namespace convscope::nve {

/// Of programs from a file.
target::SimulationResult program_result(const ProgramCheck& check);

/// Of a layer with its derived figures. If the whole layer was run, the simulated cycles take the place of the derived
/// ones; seconds and utilization follow in proportion. The simulator counts the cycles of all cores together, a layer's
/// cycles are those of the busiest core: both shrink or grow alike.
target::SimulationResult layer_result(const ProgramCheck& check, const artifact::Metrics& derived, bool whole);

}  // namespace convscope::nve
