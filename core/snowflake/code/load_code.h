#pragma once
// Loads as instructions, and the vector instructions that make them safe.

#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/code/instructions.h"
#include "core/snowflake/plan/blocks.h"

namespace convscope::snowflake {

/// Vector instructions that do nothing, so that none before them still reads a buffer: "issue 16 vector instructions
/// that will fill the trace buffer" (section 5.2). Register 26 is 0 behind them.
void put_fillers(Code& code, int count);

void put_map_loads(Code& code, const std::vector<MapLoad>& loads);

/// Pointers that take turns so that no LD waits for the update of its address.
int kernel_pointers(const KernelLoad& load);
void set_kernel_pointers(Code& code, const KernelLoad& load);
/// The LDs by the pointers, into the buffer word that `buffer` holds; `go_on`: the pointers then stand behind the tile.
void put_kernel_loads(Code& code, const KernelLoad& load, const ComputeMachine& machine, int buffer, bool go_on);
/// The LDs with their pointers and place.
void put_placed_loads(Code& code, const PlacedKernels& kernels, const ComputeMachine& machine);

}  // namespace convscope::snowflake
