#include "core/snowflake/code/layer_program.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/snowflake/plan/prefetch.h"

namespace convscope::snowflake {
namespace {

constexpr std::int64_t boundary = 64;

std::int64_t align(std::int64_t word) {
  return (word + boundary - 1) / boundary * boundary;
}

// From positions among all layers to those among the layers that are in the program; `before`: of each layer, those of
// them that come before it.
void renumber(std::vector<Region>& regions, const std::vector<int>& before) {
  for (Region& region : regions) {
    const auto of = [&](int layer) { return before[std::min(static_cast<std::size_t>(layer), before.size() - 1)]; };
    region.first_layer = std::min(of(region.first_layer), std::max(0, before.back() - 1));
    region.last_layer = std::max(region.first_layer, of(region.last_layer + 1) - 1);
  }
}

// Why blocks can't be code; empty if they can.
std::string refusal_of(const LayerBlocks& blocks, const ComputeMachine& machine) {
  if (!blocks.refused.empty() || !layer_code(blocks, machine, 0).empty()) return blocks.refused;
  return fmt::format("the traces of one output don't fit an instruction bank of {}; give it more",
                     machine.instruction_bank);
}

}  // namespace

std::vector<PlacedAtom> layer_code(const LayerBlocks& blocks, const ComputeMachine& machine, int layer) {
  std::vector<PlacedAtom> atoms;
  const auto add_loads = [&](const FirstLoads& loads, int tile) {
    for (Atom& atom : first_loads_code(loads, machine)) atoms.push_back({std::move(atom), layer, tile});
  };
  add_loads(blocks.first, 0);
  for (const Block& block : blocks.blocks) {
    for (const FirstLoads& loads : block.before) add_loads(loads, block.map_tile);
    std::vector<Atom> more = block_code(block, machine);
    if (more.empty()) return {};
    for (Atom& atom : more) atoms.push_back({std::move(atom), layer, block.map_tile});
  }
  return atoms;
}

std::int64_t place_in_order(std::vector<Region>& regions) {
  std::int64_t at = 0;
  for (Region& region : regions) {
    region.first_word = at;
    at = align(at + region.words);
  }
  return at;
}

Program make_program(const std::string& name, const Machine& machine, std::vector<Region> regions,
                     std::vector<PlannedLayer>& layers) {
  Program program;
  program.name = name;
  program.machine = machine;
  std::vector<PlacedAtom> atoms;
  std::vector<int> position;
  LayerBlocks before;  // the layer whose code comes next, once it is known what is loaded during it
  const auto put = [&] {
    if (before.blocks.empty()) return;
    auto code = layer_code(before, machine, static_cast<int>(program.layers.size()) - 1);
    std::move(code.begin(), code.end(), std::back_inserter(atoms));
  };
  for (PlannedLayer& planned : layers) {
    position.push_back(static_cast<int>(program.layers.size()));
    if (!planned.refused.empty()) continue;
    const LayerShape shape = shape_of(planned.layer, regions, machine, planned.mapping.by_position);
    const bool prefetch = planned.mapping.prefetch && !before.blocks.empty();
    LayerBlocks blocks =
        layer_blocks(shape, planned.mapping, machine, prefetch ? start_behind(before.end, machine) : LayerStart{});
    planned.refused = refusal_of(blocks, machine);
    if (!planned.refused.empty()) continue;
    if (prefetch)
      load_ahead(before, blocks, machine);
    else
      blocks.first.fillers = !before.blocks.empty();
    put();
    before = std::move(blocks);
    program.layers.push_back(planned.layer);
  }
  put();
  position.push_back(static_cast<int>(program.layers.size()));
  renumber(regions, position);
  std::int64_t end = 0;
  for (const Region& region : regions) end = std::max(end, align(region.first_word + region.words));
  Banks banks = pack(atoms, machine, end);
  const auto words = static_cast<std::int64_t>(banks.code.size()) * instruction_words;
  regions.push_back(
      {"code", RegionKind::instructions, end, words, 0, std::max(0, static_cast<int>(program.layers.size()) - 1)});
  program.regions = std::move(regions);
  program.code = std::move(banks.code);
  program.blocks = std::move(banks.blocks);
  program.ranges = std::move(banks.ranges);
  program.dram_words = align(end + words);
  return program;
}

}  // namespace convscope::snowflake
