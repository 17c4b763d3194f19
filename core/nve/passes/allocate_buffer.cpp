#include "core/nve/passes/allocate_buffer.h"

#include <algorithm>
#include <map>
#include <utility>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// Write cycle of each (input, word) of the columns that an iteration adds, by column modulo step.
using WriteCycles = std::map<std::pair<int, int>, std::vector<std::pair<int, std::int64_t>>>;

WriteCycles write_cycles(const Loop& loop) {
  WriteCycles cycles;
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    const LoopOperation& o = loop.operations[i];
    if (o.kind == Kind::write_pixels) cycles[{o.input, o.word}].emplace_back(o.column, loop.cycles[i]);
  }
  return cycles;
}

// Column y + C is written (C / step) iterations after column y would be if it were written where C = 0 puts it; the
// least C for which that is later than every read of y.
int ring_columns(const Loop& loop, const Window& window) {
  const int step = window.new_columns();
  const WriteCycles writes = write_cycles(loop);
  std::int64_t turns = (window.initial_columns() + step - 1) / step;
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    const LoopOperation& read = loop.operations[i];
    if (read.kind != Kind::read_pixels) continue;
    for (const auto& [column, cycle] : writes.at({read.input, read.word})) {
      if ((column - read.column) % step != 0) continue;
      const std::int64_t late = floor_divide(loop.cycles[i] - cycle, loop.initiation_interval) + 1;
      turns = std::max(turns, late + (column - read.column) / step);
    }
  }
  return static_cast<int>(std::max<std::int64_t>(turns, 1)) * step;
}

// Half a vector leaves words of a column unread.
std::vector<bool> words_read(const Loop& loop, int words) {
  std::vector<bool> read(static_cast<std::size_t>(words));
  for (const LoopOperation& o : loop.operations)
    if (o.kind == Kind::read_pixels) read[static_cast<std::size_t>(o.word)] = true;
  return read;
}

void place_words(BufferLayout& layout, const Loop& loop, const Window& window, const SchedulingMachine& machine) {
  const StoredColumn column = window.column(machine);
  const std::vector<bool> read = words_read(loop, column.words());
  for (int word = 0; word < column.words(); ++word) {
    const int bank = machine.memory == MemoryKind::two_banks ? column.port(word) : 0;
    layout.bank.push_back(bank);
    layout.place.push_back(read[static_cast<std::size_t>(word)] ? layout.words_per_input[bank]++ : -1);
  }
}

}  // namespace

int BufferLayout::offset(int input, int kernel_column, int word) const {
  const int in_bank = bank[static_cast<std::size_t>(word)];
  return base[in_bank] + kernel_column % step * pitch + input * words_per_input[in_bank] +
         place[static_cast<std::size_t>(word)];
}

int BufferLayout::update(std::int64_t iteration, int kernel_column) const {
  const std::int64_t column = (iteration + kernel_column / step) * step;
  return static_cast<int>(column % columns) * pitch;
}

BufferLayout allocate_buffer(const Loop& loop, const Window& window, int inputs, const std::vector<int>& words_of_map,
                             const SchedulingMachine& machine) {
  BufferLayout layout;
  layout.step = window.new_columns();
  layout.columns = ring_columns(loop, window);
  place_words(layout, loop, window, machine);
  layout.pitch = inputs * std::max(layout.words_per_input[0], layout.words_per_input[1]);
  layout.first_coefficient_word.push_back(0);
  for (int words : words_of_map) layout.first_coefficient_word.push_back(layout.first_coefficient_word.back() + words);
  const bool two = machine.memory == MemoryKind::two_banks;
  const int half = machine.local_buffer_words / 2;
  layout.base[0] = layout.first_coefficient_word.back();
  layout.base[1] = half;
  const int ring = layout.columns * layout.pitch;
  layout.used[0] = layout.base[0] + ring;
  layout.used[1] = two && layout.words_per_input[1] > 0 ? ring : 0;
  layout.capacity[0] = two ? half : machine.local_buffer_words;
  layout.capacity[1] = two ? half : 0;
  return layout;
}

}  // namespace convscope::nve
