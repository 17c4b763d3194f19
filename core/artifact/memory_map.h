#pragma once
// What lies where in a machine's memories, and when.

#include <cstdint>
#include <string>
#include <vector>

#include "core/artifact/operation.h"

namespace convscope::artifact {

struct MemoryBlock {
  std::string name;                             ///< e.g. "coefficients of map 3", "input 0, column 2"
  OperationClass kind = OperationClass::other;  ///< coefficients or pixels
  std::int64_t first_word = 0, words = 0;
  std::int64_t live_from = 0, live_to = 0;  ///< cycles in the unrolled run; [from, to)
};

struct Memory {
  std::string name;                     ///< "local buffer", "instruction buffer"
  std::int64_t capacity = 0, used = 0;  ///< words
  int word_bits = 0;
  std::vector<MemoryBlock> blocks;
};

struct MemoryMap {
  std::vector<Memory> memories;
};

}  // namespace convscope::artifact
