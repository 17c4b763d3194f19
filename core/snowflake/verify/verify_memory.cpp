#include "core/snowflake/verify/verify_memory.h"

#include <algorithm>

namespace convscope::snowflake::verification {
namespace {

bool holds(const Region& region, std::int64_t first, std::int64_t words) {
  return first >= region.first_word && first + words <= region.first_word + region.words;
}

constexpr std::size_t kind_sets = 64;

}  // namespace

Memory::Memory(const Program& program)
    : program_(program), blocks_(program.blocks), last_(kind_sets), written_(program.dram_words) {
  std::sort(blocks_.begin(), blocks_.end(),
            [](const CodeBlock& a, const CodeBlock& b) { return a.dram_word < b.dram_word; });
}

const Region* Memory::region_of(std::int64_t first, std::int64_t words, KindSet kinds) {
  const Region*& last = last_[kinds];
  if (last && holds(*last, first, words)) return last;
  for (const Region& region : program_.regions)
    if ((kind_bit(region.kind) & kinds) != 0 && holds(region, first, words)) return last = &region;
  return nullptr;
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
