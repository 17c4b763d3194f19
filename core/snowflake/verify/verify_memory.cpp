#include "core/snowflake/verify/verify_memory.h"

#include <algorithm>

namespace convscope::snowflake::verification {
RegionIndex::RegionIndex(const Program& program, KindSet kinds) {
  std::vector<const Region*> regions;
  for (const Region& region : program.regions)
    if ((kind_bit(region.kind) & kinds) != 0) regions.push_back(&region);
  std::sort(regions.begin(), regions.end(),
            [](const Region* a, const Region* b) { return a->first_word < b->first_word; });
  const auto end = [](const Region* region) { return region->first_word + region->words; };
  for (const Region* region : regions) {
    const bool longer = entries_.empty() || end(region) > end(entries_.back().longest);
    entries_.push_back({region->first_word, longer ? region : entries_.back().longest});
  }
}

const Region* RegionIndex::find(std::int64_t first, std::int64_t words) const {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), first,
                                      [](std::int64_t wanted, const Entry& entry) { return wanted < entry.first; });
  if (after == entries_.begin()) return nullptr;
  const Region* const region = (after - 1)->longest;
  return first + words <= region->first_word + region->words ? region : nullptr;
}

Memory::Memory(const Program& program)
    : maps(program, maps_kinds),
      kernels(program, kernel_kinds),
      outputs(program, written_kinds),
      blocks_(program.blocks),
      written_(program.dram_words) {
  std::sort(blocks_.begin(), blocks_.end(),
            [](const CodeBlock& a, const CodeBlock& b) { return a.dram_word < b.dram_word; });
  // What the host provides is there from the start, also where maps will lie later.
  for (const Region& region : program.regions)
    if ((kind_bit(region.kind) & written_kinds) == 0) written_.add(region.first_word, region.words);
}

int Memory::instruction_at(std::int64_t word) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), word,
                       [](std::int64_t wanted, const CodeBlock& block) { return wanted < block.dram_word; });
  if (after == blocks_.begin()) return -1;
  const CodeBlock& block = *(after - 1);
  const std::int64_t offset = word - block.dram_word;
  if (offset % instruction_words != 0 || offset / instruction_words >= block.count) return -1;
  return block.first + static_cast<int>(offset / instruction_words);
}

}  // namespace convscope::snowflake::verification
