#include "core/nve/passes/insert_writes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;
using Word = std::tuple<int, int, int>;  // input, column, word

// Reads of each word, in the order of the bodies.
std::map<Word, std::vector<int>> pixel_reads(const Loop& loop) {
  std::map<Word, std::vector<int>> reads;
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    const LoopOperation& o = loop.operations[i];
    if (o.kind == Kind::read_pixels) reads[{o.input, o.column, o.word}].push_back(static_cast<int>(i));
  }
  return reads;
}

// A column that is written in this iteration is read in it and, further left in the window, in later ones.
void depend_on_write(Loop& loop, int write, const std::map<Word, std::vector<int>>& reads, const Word& word,
                     const Window& window, const SchedulingMachine& machine) {
  const auto [input, column, index] = word;
  const int step = window.new_columns();
  for (int later = 0; column - later * step >= 0; ++later) {
    const auto found = reads.find({input, column - later * step, index});
    if (found == reads.end()) continue;
    for (int read : found->second) loop.depend(write, read, machine.write_to_read, later);
  }
}

}  // namespace

void insert_writes(Loop& loop, const Window& window, const SchedulingMachine& machine) {
  const auto reads = pixel_reads(loop);
  const int initial = window.initial_columns(), step = window.new_columns();
  // With map, position and word of the first read: in this iteration or, of columns that a dilated kernel leaves out in
  // it, in the next one that reads them.
  std::map<Word, std::tuple<int, int, int>> first_reads;
  for (const auto& [word, readers] : reads) {
    const auto [input, column, index] = word;
    const int later = column < initial ? (initial - column + step - 1) / step : 0;
    const LoopOperation& first = loop.operations[static_cast<std::size_t>(readers.front())];
    first_reads[{input, column + later * step, index}] = {first.map, first.position, first.word};
  }
  std::vector<std::pair<Word, std::tuple<int, int, int>>> writes(first_reads.begin(), first_reads.end());
  std::sort(writes.begin(), writes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [word, first] : writes) {
    const auto [input, column, index] = word;
    const int write = loop.add(
        {.kind = Kind::write_pixels, .field = write_field(machine), .input = input, .column = column, .word = index},
        {}, fmt::format("wr s{}.{} word {}", input, column, index));
    depend_on_write(loop, write, reads, word, window, machine);
  }
}

}  // namespace convscope::nve
