#pragma once
// Circular local-buffer allocation (thesis, section 4.4, Figs 18 and 19, eqs 3.1 and 3.2).

#include <cstdint>
#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Where everything lies. Coefficient words come first. Pixels follow as a ring of `columns` columns; a column holds
/// all inputs side by side, so that one inc and toggle serve every input:
///
///   address = base(word) + (stored column mod columns) * pitch + input * words of the bank + place of the word
///
/// Stored columns are numbered without the columns that a stride wider than the kernel skips. `columns` is a multiple
/// of the columns that an iteration adds: eq. 3.2 tests for equality and must meet the toggle exactly.
struct BufferLayout {
  std::vector<int> first_coefficient_word;  ///< for each map; one more for the end
  int columns = 0;
  int pitch = 0;                    ///< words from a column to the next
  int words_per_input[2] = {0, 0};  ///< of one column, in each bank
  int base[2] = {0, 0};             ///< first pixel word of each bank
  std::vector<int> bank, place;     ///< for each word of a column; place -1: nobody reads it, so it isn't stored
  int used[2] = {0, 0};             ///< words of each bank that hold something
  int capacity[2] = {0, 0};
  int step = 1;  ///< columns that an iteration adds

  bool fits() const { return used[0] <= capacity[0] && used[1] <= capacity[1]; }
  int used_words() const { return used[0] + used[1]; }
  int increment() const { return step * pitch; }
  int toggle() const { return columns * pitch; }
  int coefficient_address(int map, int word) const {
    return first_coefficient_word[static_cast<std::size_t>(map)] + word;
  }
  /// eq. 3.1's offset for a kernel column: constant over iterations.
  int offset(int input, int kernel_column, int word) const;
  /// eq. 3.1's update in an iteration.
  int update(std::int64_t iteration, int kernel_column) const;
};

/// `words_of_map` is the number of coefficient words of each map. The ring is the smallest in which no column is
/// overwritten before its last read, over all maps and iterations: optimal for this order of operations and
/// interleaving.
BufferLayout allocate_buffer(const Loop& loop, const Window& window, int inputs, const std::vector<int>& words_of_map,
                             const SchedulingMachine& machine);

}  // namespace convscope::nve
