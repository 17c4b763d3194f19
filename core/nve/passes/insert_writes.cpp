#include "core/nve/passes/insert_writes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/schedule/reservation_table.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;
using Word = std::tuple<int, int, int>;  // input, column, word

std::map<Word, std::vector<int>> pixel_reads(const Loop& loop) {
  std::map<Word, std::vector<int>> reads;
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    const LoopOperation& o = loop.operations[i];
    if (o.kind == Kind::read_pixels) reads[{o.input, o.column, o.word}].push_back(static_cast<int>(i));
  }
  return reads;
}

struct PendingWrite {
  Word word;
  std::int64_t deadline = INT64_MAX;        // relative to the iteration
  std::vector<schedule::Dependence> reads;  // from: filled in when the write exists
};

// A column that is written in this iteration is read in it and, further left in the window, in later ones.
PendingWrite pending(const std::map<Word, std::vector<int>>& reads, const Word& word, const Loop& loop,
                     const Window& window, const SchedulingMachine& machine) {
  PendingWrite result{word, INT64_MAX, {}};
  const auto [input, column, index] = word;
  const int step = window.new_columns();
  for (int later = 0; column - later * step >= 0; ++later) {
    const auto found = reads.find({input, column - later * step, index});
    if (found == reads.end()) continue;
    for (int read : found->second) {
      result.reads.push_back({-1, read, machine.write_to_read, later});
      if (later == 0)
        result.deadline =
            std::min(result.deadline, loop.cycles[static_cast<std::size_t>(read)] - machine.write_to_read);
    }
  }
  return result;
}

}  // namespace

void insert_writes(Loop& loop, const Window& window, const SchedulingMachine& machine) {
  const auto reads = pixel_reads(loop);
  std::vector<PendingWrite> writes;
  for (const auto& [word, unused] : reads)
    if (std::get<1>(word) >= window.initial_columns()) writes.push_back(pending(reads, word, loop, window, machine));
  std::stable_sort(writes.begin(), writes.end(), [](const PendingWrite& a, const PendingWrite& b) {
    return std::tie(b.deadline, b.word) < std::tie(a.deadline, a.word);
  });
  schedule::ReservationTable table(loop.problem);
  for (std::size_t i = 0; i < loop.cycles.size(); ++i) table.place(static_cast<int>(i), loop.cycles[i]);
  for (PendingWrite& write : writes) {
    const auto [input, column, word] = write.word;
    const int operation = loop.add(
        {.kind = Kind::write_pixels, .field = write_field(machine), .input = input, .column = column, .word = word}, {},
        fmt::format("wr s{}.{} word {}", input, column, word));
    std::int64_t cycle = write.deadline;
    while (!table.fits(operation, cycle)) --cycle;
    table.place(operation, cycle);
    loop.cycles.push_back(cycle);
    for (schedule::Dependence read : write.reads) loop.depend(operation, read.to, read.distance, read.iterations);
  }
}

}  // namespace convscope::nve
