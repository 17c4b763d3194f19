#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/snowflake/artifacts/program_view.h"

namespace convscope::snowflake {
namespace {

using artifact::Memory;
using artifact::MemoryBlock;
using artifact::OperationClass;

OperationClass class_of(RegionKind kind) {
  switch (kind) {
    case RegionKind::kernels:
      return OperationClass::coefficients;
    case RegionKind::instructions:
      return OperationClass::transfer;
    case RegionKind::output:
      return OperationClass::write;
    case RegionKind::input:
    case RegionKind::maps:
    case RegionKind::zeros:
      return OperationClass::pixels;
  }
  return OperationClass::other;
}

std::int64_t end_of(const SimulationResult& run, int layer) {
  if (layer < 0 || run.layers.empty()) return 0;
  const auto last = std::min(static_cast<std::size_t>(layer), run.layers.size() - 1);
  return std::llround(run.layers[last].end_cycle);
}

Memory dram(const Program& program, const SimulationResult& run) {
  Memory memory{"DRAM", program.dram_words, 0, 8 * word_bytes, {}};
  for (const Region& region : program.regions) {
    memory.used += region.words;
    memory.blocks.push_back({region.name, class_of(region.kind), region.first_word, region.words,
                             end_of(run, region.first_layer - 1), end_of(run, region.last_layer)});
  }
  return memory;
}

Memory instructions(const Program& program) {
  Memory memory{"instruction blocks", static_cast<std::int64_t>(program.code.size()), 0, 32, {}};
  memory.used = memory.capacity;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const CodeBlock& block = program.blocks[b];
    memory.blocks.push_back(
        {fmt::format("block {}, bank {}", b, b % 2), OperationClass::control, block.first, block.count, 0, 0});
  }
  return memory;
}

}  // namespace

std::shared_ptr<const artifact::MemoryMap> make_memory_map(const Program& program, const SimulationResult& run) {
  auto map = std::make_shared<artifact::MemoryMap>();
  map->memories = {dram(program, run), instructions(program)};
  for (MemoryBlock& block : map->memories[1].blocks) block.live_to = std::llround(run.cycles);
  return map;
}

}  // namespace convscope::snowflake
