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
  /// `in_run`: of no loop, or empty in the loop as well.
  enum class Slot { unknown, before_first, after_last, in_loop, in_run } slot = Slot::unknown;

  /// Outside the loop: the operation that has this slot in it, and the first or last cycle of the run in which it
  /// stands there.
  std::string occupant;
  std::int64_t occupied = 0;

  /// In how many cycles of the loop, or of the run, the resource works.
  std::int64_t busy = 0, length = 0;
  /// In the loop: the resources that work in all of its cycles, which leave no room for a shorter one; and operations
  /// of a circle of dependences that takes as long as the loop, in its order.
  std::vector<int> full;
  std::vector<std::string> circle;
  /// Cycles of a loop that dependences and the timeline's resources would allow if there were two of each in `full`: a
  /// lower bound. 0: unknown.
  std::int64_t allowed = 0;
  /// Operations of the resource that dependences alone would let stand here.
  std::vector<std::string> movable;
  /// If there are none: one operation, the cycles of its iteration that dependences leave it, and all that it must
  /// follow, or go before, to stand in no other.
  struct Held {
    std::string operation;
    std::int64_t earliest = 0, latest = 0;
    std::vector<std::string> after, before;
  };
  std::optional<Held> held;

  /// Without a graph, and in a run: what the resource did last and does next.
  struct Neighbour {
    std::string label;
    std::int64_t cycle = 0;  ///< its last or first cycle
  };
  std::optional<Neighbour> last, next;
};

/// `graph` may be null: nothing is known about moves then. The slot must be empty. Cost: the size of timeline and
/// graph, and a search for circles in the graph (Bellman-Ford).
IdleReason idle_reason(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource,
                       std::int64_t cycle);

}  // namespace convscope::schedule
