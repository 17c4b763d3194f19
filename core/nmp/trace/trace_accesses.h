#pragma once
// Which elements a cycle read and wrote.

#include <cstdint>
#include <vector>

#include "core/nmp/trace/trace_blocks.h"

namespace convscope::nmp {

/// Of the cycle that the run has done last. Data that transfers and computations read are told where they end, as the
/// simulator reads them then.
std::vector<artifact::StateAccess> accesses_of(TraceRun& run, const TraceBlocks& blocks, const Program& program);

}  // namespace convscope::nmp
