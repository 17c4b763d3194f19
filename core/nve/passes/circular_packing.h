#pragma once
// Which coefficients share a buffer word when words may straddle bodies and iterations.

#include <cstdint>
#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Words of a whole loop, with the interval that they lead to.
struct PackedLoop {
  std::vector<std::vector<int>> starts;  ///< by map: positions of coefficients that start a word (body_graph.h)
  std::int64_t interval = 0;             ///< least for this packing, operations in program order
  std::int64_t bound = 0;                ///< least for any packing: registers alone, and words filled to the last place
  int words = 0;
};

/// The coefficients of all bodies form a circle, as the last body is followed by the next iteration's first. Loading a
/// word costs a cycle where the image register takes port A for all of the time between two vector operations, and none
/// elsewhere. Shortest paths around the circle: fewest lost cycles, then fewest words; where reads and writes of port A
/// are the bound, fewest words first; between the two, fewest words for each number of lost cycles, as far as the
/// effort is bearable. Optimal if `interval` equals `bound`.
PackedLoop pack_circular(const Window& window, const Structure& structure, const SchedulingMachine& machine);

/// Cycles between vector operations, in program order, without any word's load.
std::int64_t chain_length(const Window& window, const Structure& structure, const SchedulingMachine& machine);

}  // namespace convscope::nve
