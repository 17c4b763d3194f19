#include "core/snowflake/code/layer_program.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/snowflake/plan/interleave.h"
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
  const auto add_loads = [&](const FirstLoads& loads, int of, int tile) {
    for (Atom& atom : first_loads_code(loads, machine)) atoms.push_back({std::move(atom), of, tile});
  };
  add_loads(blocks.first, layer, 0);
  for (const Block& block : blocks.blocks) {
    for (const FirstLoads& loads : block.before) add_loads(loads, layer + block.layer, block.map_tile);
    std::vector<Atom> more = block_code(block, machine);
    if (more.empty()) return {};
    for (Atom& atom : more) atoms.push_back({std::move(atom), layer + block.layer, block.map_tile});
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

namespace {

// Layers one behind the other: the code of one is written when it is known what is loaded during it.
class Chain {
 public:
  explicit Chain(const ComputeMachine& machine) : machine_(machine) {}

  /// False if it is refused, with the reason in it.
  bool add(PlannedLayer& planned, int position, const std::vector<Region>& regions) {
    const LayerShape shape = shape_of(planned.layer, regions, machine_, planned.mapping.by_position);
    const bool prefetch = planned.mapping.prefetch && !blocks_.blocks.empty();
    LayerBlocks blocks =
        layer_blocks(shape, planned.mapping, machine_, prefetch ? start_behind(blocks_.end, machine_) : LayerStart{});
    planned.refused = refusal_of(blocks, machine_);
    if (!planned.refused.empty()) return false;
    if (takes_turns(planned, shape)) {
      blocks_ =
          interleaved(std::move(blocks_), {shape_, mapping_}, std::move(blocks), {shape, planned.mapping}, machine_);
      mapping_.interleaving.words = 0;  // nothing more takes turns with it
      return true;
    }
    if (prefetch)
      load_ahead(blocks_, blocks, machine_);
    else
      blocks.first.fillers = !blocks_.blocks.empty();
    put();
    blocks_ = std::move(blocks);
    shape_ = shape;
    mapping_ = planned.mapping;
    position_ = position;
    return true;
  }

  std::vector<PlacedAtom> take() {
    put();
    return std::move(atoms_);
  }

 private:
  bool takes_turns(const PlannedLayer& planned, const LayerShape& shape) const {
    return planned.mapping.interleaving.pool && !blocks_.blocks.empty() &&
           refused_interleaving({shape_, mapping_}, {shape, planned.mapping}).empty();
  }

  void put() {
    if (blocks_.blocks.empty()) return;
    auto code = layer_code(blocks_, machine_, position_);
    std::move(code.begin(), code.end(), std::back_inserter(atoms_));
  }

  const ComputeMachine& machine_;
  std::vector<PlacedAtom> atoms_;
  LayerBlocks blocks_;  // those of the last layer, or of a convolution and its pool
  LayerShape shape_;
  Mapping mapping_;
  int position_ = 0;
};

}  // namespace

Program make_program(const std::string& name, const Machine& machine, std::vector<Region> regions,
                     std::vector<PlannedLayer>& layers) {
  Program program;
  program.name = name;
  program.machine = machine;
  Chain chain(machine);
  std::vector<int> position;
  for (PlannedLayer& planned : layers) {
    position.push_back(static_cast<int>(program.layers.size()));
    if (planned.refused.empty() && chain.add(planned, position.back(), regions))
      program.layers.push_back(planned.layer);
  }
  const std::vector<PlacedAtom> atoms = chain.take();
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
