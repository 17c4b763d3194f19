#pragma once
// The run of a program cycle by cycle: the simulator's own run, watched.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/nmp/architecture/program.h"
#include "core/target/trace.h"

namespace convscope::nmp {

/// `dram` is the DRAM before the run, as Program::dram_bytes says; the program must be one that can be run with data
/// (`why_not_with_data`). `followed` is the TLT, as in Program::data, whose instructions CycleChanges::address has. A
/// program that the simulator refuses is traced until there. Cycles are those of the clock; what happens between two
/// belongs to the earlier one. Throws Cancelled.
std::shared_ptr<const target::Trace> trace_program(Program program, std::vector<std::uint8_t> dram, int followed,
                                                   std::int64_t checkpoint_bytes, const std::stop_token& stop);

}  // namespace convscope::nmp
