#pragma once
// Loops of made-up structures, as far as single passes need them.

#include <memory>
#include <vector>

#include "core/nve/passes/body_graph.h"

namespace convscope::nve::test {

/// What the passes of a loop's problem start from: each map's coefficient words, packed, and its body.
struct Parts {
  Structure structure;
  Window window;
  std::vector<std::vector<int>> packing;  ///< by map: where words start
  std::vector<std::shared_ptr<const Body>> bodies;

  std::vector<int> words_of_map() const;
};

/// A 3x3 kernel over one input, or whatever is given.
Parts parts(Structure structure = {1, {{0}}}, Window window = {3, 3, 1, 1}, const SchedulingMachine& machine = {});

/// The complete problem of the parts, scheduled in program order.
Loop scheduled_loop(const Parts& parts, const SchedulingMachine& machine = {});

int operations_of(const Loop& loop, LoopOperationKind kind);

}  // namespace convscope::nve::test
