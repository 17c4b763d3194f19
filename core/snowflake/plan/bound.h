#pragma once
// The fewest cycles that blocks can take: what the MACs need, and what the memory needs.

#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/plan/blocks.h"

namespace convscope::snowflake {

struct LowerBound {
  double vector_cycles = 0;  ///< of MACs and write-backs, one after another
  double memory_cycles = 0;  ///< of all bytes that maps, kernels and outputs move, at the shared memory's best
  double bytes = 0;
  double cycles() const { return vector_cycles > memory_cycles ? vector_cycles : memory_cycles; }
};

/// Exact in what it counts; bookkeeping, waiting and instructions are left out, so no program is faster.
/// `output_words`: that the layer writes.
LowerBound lower_bound(const FirstLoads& first, const std::vector<Block>& blocks, std::int64_t output_words,
                       const Machine& machine);

}  // namespace convscope::snowflake
