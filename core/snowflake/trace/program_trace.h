#pragma once
// The run of a program cycle by cycle: the simulator's timing, watched, and its words, moved when what was watched
// says.

#include <memory>
#include <stop_token>

#include "core/base/diagnostic.h"
#include "core/snowflake/architecture/program.h"
#include "core/snowflake/host/run.h"
#include "core/target/trace.h"

namespace convscope::snowflake {

/// Instructions of the longest run that is traced.
inline constexpr std::int64_t most_traced_instructions = 200'000'000;

/// `data` must fit the program, whose layers have passed `check_layers`. A program that the simulator refuses is traced
/// until there. Throws Cancelled.
std::shared_ptr<const target::Trace> trace_program(Program program, const ProgramData& data,
                                                   std::int64_t checkpoint_bytes, const std::stop_token& stop);

}  // namespace convscope::snowflake
