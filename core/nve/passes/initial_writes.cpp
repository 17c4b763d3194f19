#include "core/nve/passes/initial_writes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;
/// Kind (0 coefficients, 1 pixels), index, column and word.
using PlacedWord = std::tuple<int, int, int, int>;

PlacedWord word_of(const StreamWord& item) {
  return {item.kind == StreamWord::Kind::pixels ? 1 : 0, item.index, item.column, item.word};
}

std::vector<InitialWrite> all_writes(const Structure& structure, const Window& window,
                                     const std::vector<std::vector<int>>& packing, const BufferLayout& layout) {
  std::vector<InitialWrite> writes;
  for (std::size_t map = 0; map < packing.size(); ++map)
    for (std::size_t word = 0; word < packing[map].size(); ++word) {
      const int address = layout.coefficient_address(static_cast<int>(map), static_cast<int>(word));
      writes.push_back({{StreamWord::Kind::coefficients, address, 0, 0}, address, 0});
    }
  for (int column = 0; column < window.initial_columns(); ++column)
    for (int input = 0; input < structure.inputs; ++input)
      for (int word = 0; word < static_cast<int>(layout.place.size()); ++word)
        if (layout.place[static_cast<std::size_t>(word)] >= 0)
          writes.push_back({{StreamWord::Kind::pixels, input, column, word},
                            layout.offset(input, column, word) + layout.update(0, column),
                            0});
  return writes;
}

// First cycle in which a word that is written initially is read.
std::map<PlacedWord, std::int64_t> first_reads(const Loop& loop, const std::vector<bool>& leads, const Window& window,
                                               const BufferLayout& layout) {
  std::map<PlacedWord, std::int64_t> reads;
  const auto note = [&](const PlacedWord& word, std::int64_t cycle) {
    const auto [entry, is_new] = reads.try_emplace(word, cycle);
    if (!is_new) entry->second = std::min(entry->second, cycle);
  };
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    const LoopOperation& o = loop.operations[i];
    if (o.kind == Kind::read_coefficients)
      note({0, layout.coefficient_address(o.map, o.word), 0, 0},
           loop.cycles[i] - (leads[i] ? loop.initiation_interval : 0));
    if (o.kind != Kind::read_pixels) continue;
    for (int column = o.column, later = 0; column < window.initial_columns(); column += layout.step, ++later)
      note({1, o.input, column, o.word}, loop.cycles[i] + later * loop.initiation_interval);
  }
  return reads;
}

}  // namespace

std::vector<InitialWrite> initial_writes(const Loop& loop, const std::vector<bool>& leads, const Structure& structure,
                                         const Window& window, const std::vector<std::vector<int>>& packing,
                                         const BufferLayout& layout) {
  const auto reads = first_reads(loop, leads, window, layout);
  std::vector<InitialWrite> writes = all_writes(structure, window, packing, layout);
  std::erase_if(writes, [&](InitialWrite& write) {
    const auto found = reads.find(word_of(write.item));
    if (found != reads.end()) write.read = found->second;
    return found == reads.end();
  });
  return writes;
}

}  // namespace convscope::nve
