#pragma once
// Which max pools take turns with the convolution before them, and how the two share the maps buffer. Decided by time.

#include <stop_token>
#include <vector>

#include "core/snowflake/compile/compiler.h"

namespace convscope::snowflake {

/// A convolution and the max pool behind it.
struct PoolTurns {
  Mapping convolution, pool;
  double cycles = 0;      ///< of both, in turns; 0: one behind the other is faster, and no mappings are given
  double one_by_one = 0;  ///< cycles of both as they were chosen
  bool faster() const { return cycles > 0; }
};

/// Whether a layer is a max pool of all that the one before it computes.
bool pools_all(const ProgramLayer& convolution, const ProgramLayer& pool);

/// The convolution as it was chosen, but for a smaller part of the maps buffer, and the pool in the rest of it, with as
/// many rows as fit; tiles of the one complete about one of the other's. Cycles aren't known. Regions need no places.
std::vector<PoolTurns> possible_turns(const ProgramLayer& convolution, const ProgramLayer& pool, const Mapping& chosen,
                                      const Machine& machine);

/// The fastest of the possible ones, if it takes less time than both layers one behind the other: the best that is
/// tried, not the best there is. Pure; polls `stop` and throws Cancelled.
PoolTurns take_turns(const ProgramLayer& convolution, const ProgramLayer& pool, const Mapping& convolution_mapping,
                     const Mapping& pool_mapping, const Machine& machine, const std::stop_token& stop = {});

/// Both layers alone, with regions of their own.
ParsedNetwork pair_of(const ProgramLayer& convolution, const ProgramLayer& pool);

}  // namespace convscope::snowflake
