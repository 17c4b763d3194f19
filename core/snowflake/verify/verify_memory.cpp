#include "core/snowflake/verify/verify_memory.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake::verification {
namespace {

std::int64_t end_of(const Region& region) {
  return region.first_word + region.words;
}

bool overlap(const Region& a, const Region& b) {
  return a.first_word < end_of(b) && b.first_word < end_of(a);
}

bool machine_writes(const Region& region) {
  return (kind_bit(region.kind) & written_kinds) != 0;
}

/// As the report names layers: the range that begins last before an instruction, if it reaches so far.
std::vector<int> layers_of(const Program& program) {
  std::vector<int> layers(program.code.size(), -1);
  const std::vector<CodeRange>& ranges = program.ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto end =
        std::min(layers.size(), static_cast<std::size_t>(ranges[i].first) + static_cast<std::size_t>(ranges[i].count));
    if (i + 1 < ranges.size()) end = std::min(end, static_cast<std::size_t>(ranges[i + 1].first));
    for (auto at = static_cast<std::size_t>(ranges[i].first); at < end; ++at) layers[at] = ranges[i].layer;
  }
  return layers;
}

}  // namespace

RegionIndex::RegionIndex(const Program& program, KindSet kinds) : program_(program) {
  for (std::size_t i = 0; i < program.regions.size(); ++i)
    if ((kind_bit(program.regions[i].kind) & kinds) != 0)
      entries_.push_back({program.regions[i].first_word, end_of(program.regions[i]), static_cast<int>(i)});
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < entries_.size(); ++i)
    entries_[i].last_end = std::max(entries_[i].last_end, entries_[i - 1].last_end);
}

std::size_t RegionIndex::entries_up_to(std::int64_t first) const {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), first,
                                      [](std::int64_t wanted, const Entry& entry) { return wanted < entry.first; });
  return static_cast<std::size_t>(after - entries_.begin());
}

bool RegionIndex::any(std::int64_t first, std::int64_t words) const {
  const std::size_t entries = entries_up_to(first);
  return entries > 0 && entries_[entries - 1].last_end >= first + words;
}

bool RegionIndex::meets(std::int64_t first, std::int64_t words) const {
  const std::size_t entries = entries_up_to(first + words - 1);
  return entries > 0 && entries_[entries - 1].last_end > first;
}

Memory::Memory(const Program& program)
    : program_(program),
      regions_{RegionIndex(program, maps_kinds), RegionIndex(program, kernel_kinds),
               RegionIndex(program, written_kinds)},
      states_(program.regions.size()),
      layers_(layers_of(program)),
      blocks_(program.blocks),
      written_(program.dram_words) {
  std::sort(blocks_.begin(), blocks_.end(),
            [](const CodeBlock& a, const CodeBlock& b) { return a.dram_word < b.dram_word; });
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Region& region = program.regions[i];
    states_[i].holds = !machine_writes(region);
    states_[i].has_code = has_code(region.first_word, region.words);
  }
}

const Region* Memory::find(Access access, int address, std::int64_t first, std::int64_t words) {
  const auto which = static_cast<std::size_t>(access);
  const int layer = layers_[static_cast<std::size_t>(address)];
  const Region* found = found_[which];
  const auto fits = [&](const Region& region) {
    return layer < 0 || (region.first_layer <= layer && layer <= region.last_layer);
  };
  if (found && first >= found->first_word && first + words <= end_of(*found) && fits(*found) && state(*found).holds)
    return found;
  found = nullptr;
  regions_[which].each(first, words, [&](const Region& region) {
    ++work;
    if (!fits(region) || (found && !state(region).holds)) return true;
    found = &region;
    return !state(region).holds;
  });
  return found_[which] = found;
}

void Memory::write(const Region& region, std::int64_t first, std::int64_t words) {
  if (!state(region).holds) begin(region);
  written_.add(first, words);
}

void Memory::begin(const Region& region) {
  work += static_cast<std::int64_t>(states_.size()) + region.words / 64;
  const auto number = static_cast<int>(&region - program_.regions.data());
  for (const Region& other : program_.regions)
    if (&other == &region || (state(other).holds && overlap(region, other)))
      state(other) = {&other == &region, number, state(other).has_code};
  written_.remove(region.first_word, region.words);
}

bool Memory::holds(const Region& region, std::int64_t first, std::int64_t words) const {
  return state(region).holds && (!machine_writes(region) || written_.has_all(first, words));
}

std::string Memory::missing(const Region& region, std::int64_t first, std::int64_t words) const {
  const State& now = state(region);
  const std::string place =
      fmt::format("word {} of region '{}', ", first_missing(region, first, words) - region.first_word, region.name);
  if (now.holds || now.taken_by < 0) return place + "which nothing has written";
  return place + fmt::format("whose place region '{}' has taken",
                             program_.regions[static_cast<std::size_t>(now.taken_by)].name);
}

bool Memory::has_code(std::int64_t first, std::int64_t words) const {
  const auto after = std::lower_bound(blocks_.begin(), blocks_.end(), first + words,
                                      [](const CodeBlock& block, std::int64_t end) { return block.dram_word < end; });
  if (after == blocks_.begin()) return false;
  const CodeBlock& block = *(after - 1);
  return block.dram_word + std::int64_t{instruction_words} * block.count > first;
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
