#pragma once
// Why a slot of a schedule is empty, in words: the same in the window and on the command line.

#include <cstdint>
#include <string>

#include "core/artifact/task_graph.h"
#include "core/artifact/timeline.h"

namespace convscope::schedule {

/// What `idle_reason` finds, as lines for people, not ended; empty if nothing can be proved.
std::string idle_text(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource,
                      std::int64_t cycle);

}  // namespace convscope::schedule
