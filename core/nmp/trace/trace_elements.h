#pragma once
// What the blocks of a trace hold.

#include <cstdint>
#include <string>

#include "core/nmp/trace/trace_blocks.h"

namespace convscope::nmp {

/// An element of a block that holds numbers, as the run stands.
std::int64_t trace_element(TraceRun& run, const TraceBlocks& blocks, const Program& program, int block,
                           std::int64_t index);
/// Of one that holds text: who wrote the bytes of a TLT's memory.
std::string trace_text_element(const TraceRun& run, const TraceBlocks& blocks, const Program& program, int block,
                               std::int64_t index);

}  // namespace convscope::nmp
