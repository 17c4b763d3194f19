#pragma once
// The simulator's state as elements of the trace's blocks.

#include "core/nve/simulate/strip_simulator.h"
#include "core/nve/trace/trace_observer.h"

namespace convscope::nve {

using TracedSimulator = simulation::StripSimulator<TraceObserver>;

/// An element of a block of numbers that is no image; artifact::no_value if it holds nothing.
std::int64_t state_element(const TracedSimulator& simulator, const TraceBlocks& blocks, int block, std::int64_t index);
/// "initial", "repeat", "final" or "done".
const char* control_state(const TracedSimulator& simulator);
/// Whether an instruction gives a field something to do.
bool has_operation(const Instruction& instruction, Field field);

}  // namespace convscope::nve
