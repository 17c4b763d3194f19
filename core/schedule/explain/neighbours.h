#pragma once
// What a resource does last before, and first after, a cycle in which it does nothing.

#include <optional>

#include "core/schedule/explain/idle_slot.h"

namespace convscope::schedule {

/// The last cell of the resource that ends before the cycle, with its last cycle. Cost: all cells of the timeline.
std::optional<IdleReason::Neighbour> last_before(const artifact::Timeline& timeline, int resource, std::int64_t cycle);

/// The first cell of the resource that begins after the cycle, with its first cycle.
std::optional<IdleReason::Neighbour> first_after(const artifact::Timeline& timeline, int resource, std::int64_t cycle);

}  // namespace convscope::schedule
