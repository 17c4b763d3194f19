#pragma once
// Why a slot of a schedule is empty, as far as timeline and task graph prove it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/artifact/task_graph.h"
#include "core/artifact/timeline.h"

namespace convscope::schedule {

/// Facts, for people to be told in words. What a machine reserves besides the timeline's resources is in no artifact,
/// so it is never claimed.
struct IdleReason {
  enum class Slot { unknown, before_first, after_last, in_loop } slot = Slot::unknown;

  /// Outside the loop: the operation that has this slot in it, and the first or last cycle of the run in which it
  /// stands there.
  std::string occupant;
  std::int64_t occupied = 0;

  /// In the loop: in how many of its cycles the resource works, and the resources that work in all of them, which
  /// leave no room for a shorter loop.
  std::int64_t busy = 0, length = 0;
  std::vector<int> full;
  /// Operations of the resource that dependences alone would let stand here.
  std::vector<std::string> movable;
  /// If there are none: one operation, what it must follow, and what it must go before.
  struct Held {
    std::string operation, after, before;
  };
  std::optional<Held> held;
};

/// `graph` may be null: nothing is known about moves then. The slot must be empty. Without a loop nothing can be proved
/// (unknown). Cost: the size of graph and loop.
IdleReason idle_reason(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource,
                       std::int64_t cycle);

}  // namespace convscope::schedule
