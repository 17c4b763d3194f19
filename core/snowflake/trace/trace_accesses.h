#pragma once
// What a cycle reads and writes, from what the log knows of it.

#include <vector>

#include "core/snowflake/simulate/decoded_code.h"
#include "core/snowflake/trace/trace_blocks.h"
#include "core/snowflake/trace/trace_log.h"

namespace convscope::snowflake {

std::vector<artifact::StateAccess> accesses_of(std::int64_t cycle, const TraceLog& log,
                                               const simulation::DecodedCode& code, const TraceBlocks& blocks,
                                               const Machine& machine);

}  // namespace convscope::snowflake
