#pragma once
// What is written before the first iteration (thesis, section 4.3).

#include <cstdint>
#include <vector>

#include "core/nve/architecture/program.h"
#include "core/nve/passes/allocate_buffer.h"
#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// A write before the first iteration.
struct InitialWrite {
  StreamWord item;
  int address = 0;
  std::int64_t read = 0;  ///< cycle in which the word is first read
};

/// All coefficient words, and the pixels of columns that no iteration writes but some iteration reads: a dilated kernel
/// that moves by several columns leaves some out for good. `leads` has the operations that belong to the iteration
/// before (emit_program.cpp); `packing` has the word starts of each map.
std::vector<InitialWrite> initial_writes(const Loop& loop, const std::vector<bool>& leads, const Structure& structure,
                                         const Window& window, const std::vector<std::vector<int>>& packing,
                                         const BufferLayout& layout);

}  // namespace convscope::nve
