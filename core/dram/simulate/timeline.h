#pragma once
// The commands of a simulated DRAM as a picture: banks as rows.

#include <memory>

#include "core/artifact/timeline.h"
#include "core/dram/simulate/simulate.h"

namespace convscope::dram {

/// Rows "rank 0 bank 3" (with more than one channel "channel 1 rank 0 bank 3"), every bank whether it is used or not;
/// in cycles of the command clock. A cell lasts as long as its command keeps the bank from the next step: an activate
/// tRCD, a precharge tRP, a refresh tRFC in all banks of its rank, a read or write as long as its data are on the bus.
/// Null if there are no commands.
std::shared_ptr<const artifact::Timeline> make_timeline(const std::vector<Command>& log, const Parameters& parameters);

}  // namespace convscope::dram
