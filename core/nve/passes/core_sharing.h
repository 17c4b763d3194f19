#pragma once
// What several cores share: a layer's programs, and the way to DRAM (thesis, sections 7.1.2 and 9.2.3).

#include <cstdint>
#include <vector>

#include "core/nve/architecture/machine.h"

namespace convscope::nve {

/// Cores, and what they wait for together, in clock cycles of one of them. Those of transfers are rates: parts of a
/// cycle count.
struct Sharing {
  int cores = 1;
  double word_cycles = 0;        ///< a word over the bus
  double pixel_word_cycles = 0;  ///< besides, for a word of pixels: the host's copy
  double column_cycles = 0;      ///< besides, for what lies together in DRAM: a descriptor
};
Sharing sharing_of(const Machine& machine);

/// Cycles of the core that works longest. Longest program first, each to the core that is free first: heuristic, within
/// a third of the least. Precondition: a core.
std::int64_t busiest_core(std::vector<std::int64_t> program_cycles, int cores);

}  // namespace convscope::nve
