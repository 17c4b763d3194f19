#include "core/snowflake/compile/pool_turns.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "core/snowflake/plan/bound.h"
#include "core/snowflake/plan/interleave.h"
#include "core/snowflake/plan/refused_mapping.h"
#include "core/snowflake/plan/tiles.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake {
namespace {

constexpr int eighths[] = {2, 3, 4, 5};  ///< of the maps buffer, for the pool

class Possible {
 public:
  Possible(const ProgramLayer& convolution, const ProgramLayer& pool, const Machine& machine)
      : parsed_(pair_of(convolution, pool)), machine_(machine) {}

  std::vector<PoolTurns> all(const Mapping& convolution) {
    if (!convolution.maps_loop && !convolution.parts)
      for (const int share : eighths) divide(convolution, share);
    return std::move(list_);
  }

 private:
  LayerShape shape(std::size_t layer, const Mapping& mapping) const {
    return shape_of(parsed_.layers[layer].layer, parsed_.regions, machine_, mapping.by_position);
  }

  int pooled_rows() const { return parsed_.layers[1].layer.out.height; }

  // Where unrolled traces keep the CUs busy, pools take as long as their stores.
  Mapping pool_from(int first) const {
    Mapping m;
    m.split = m.undivided = m.prefetch = true;
    m.interleaving = {first, 2 * machine_.maps_bank_words - first, true};
    m.form = TraceForm::unrolled;
    m.outputs_per_turn = 3;
    m.columns = parsed_.layers[1].layer.out.width;
    m.rows = divide_up(pooled_rows(), machine_.cus);
    return m;
  }

  void divide(Mapping convolution, int share) {
    const int words = 2 * machine_.maps_bank_words;
    const int first = (words - words / 8 * share) / maps_region_words * maps_region_words;
    Mapping pool = pool_from(first);
    if (first < 2 * maps_region_words || !fit_rows(pool)) return;
    convolution.interleaving = {0, first, false};
    const int tiles = divide_up(pooled_rows(), pool.rows * machine_.cus);
    for (const int count : {tiles, tiles + tiles / 2}) add_tiles(convolution, pool, count);
  }

  // As many as fit with all tiles alike.
  bool fit_rows(Mapping& pool) const {
    const LayerShape s = shape(1, pool);
    const auto alike = [&] { return map_tiles(s, pool, machine_).front().rows == pool.rows; };
    while (pool.rows > 1 && !(alike() && tiles_fit(s, pool, machine_))) --pool.rows;
    return refused_mapping(s, pool, machine_).empty();
  }

  // Few units for the pool's loads leave the store port more of the memory.
  void add_tiles(Mapping convolution, Mapping pool, int count) {
    const LayerShape s = shape(0, convolution);
    convolution.columns = s.out.width;
    convolution.rows = divide_up(s.out.height, count * (convolution.split ? machine_.cus : 1));
    if (!refused_mapping(s, convolution, machine_).empty()) return;
    if (!refused_interleaving({s, convolution}, {shape(1, pool), pool}).empty()) return;
    for (const int units : {machine_.load_units, 2}) {
      pool.units.maps.clear();
      for (int unit = 0; units < machine_.load_units && unit < units; ++unit) pool.units.maps.push_back(unit);
      add(convolution, pool);
    }
  }

  void add(const Mapping& convolution, const Mapping& pool) {
    const auto same = [&](const PoolTurns& t) { return t.convolution == convolution && t.pool == pool; };
    if (std::none_of(list_.begin(), list_.end(), same)) list_.push_back({convolution, pool});
  }

  ParsedNetwork parsed_;
  const Machine& machine_;
  std::vector<PoolTurns> list_;
};

// Of all blocks, in any order.
double bound(const ParsedNetwork& pair, const PoolTurns& turns, const Machine& machine) {
  double vectors = 0, memory = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Mapping& mapping = i == 0 ? turns.convolution : turns.pool;
    const LayerShape s = shape_of(pair.layers[i].layer, pair.regions, machine, mapping.by_position);
    const LayerBlocks blocks = layer_blocks(s, mapping, machine);
    const LowerBound low =
        lower_bound(blocks.first, blocks.blocks, std::int64_t{s.out.height} * s.out.width * s.channels, machine);
    vectors += low.vector_cycles;
    memory += low.memory_cycles;
  }
  return std::max(vectors, memory);
}

// 0 if it can't be.
double cycles_of(const ParsedNetwork& pair, const Mapping& convolution, const Mapping& pool, const Machine& machine,
                 const std::stop_token& stop) {
  if (stop.stop_requested()) throw Cancelled();
  const CompiledProgram compiled =
      compile_network("pair", pair, {Choice::only(convolution), Choice::only(pool)}, machine);
  for (const std::string& refused : compiled.refused)
    if (!refused.empty()) return 0;
  const SimulationResult result = simulate(compiled.program, {}, stop);
  return result.refusal ? 0 : result.cycles;
}

}  // namespace

bool pools_all(const ProgramLayer& convolution, const ProgramLayer& pool) {
  return convolution.kind == LayerKind::convolution && pool.kind == LayerKind::max_pool && pool.in == convolution.out;
}

ParsedNetwork pair_of(const ProgramLayer& convolution, const ProgramLayer& pool) {
  ParsedNetwork pair;
  ProgramLayer first = convolution, second = pool;
  const auto place = [&](MapsPlace& maps, RegionKind kind, int first_layer, int last_layer) {
    const std::int64_t words = maps.offset + std::int64_t{maps.height} * maps.width * maps.pitch;
    maps.region = static_cast<int>(pair.regions.size());
    pair.regions.push_back({"maps", kind, 0, words, first_layer, last_layer});
  };
  place(first.in, RegionKind::input, 0, 0);
  if (first.bypass.region >= 0) place(first.bypass, RegionKind::input, 0, 0);
  place(first.out, RegionKind::maps, 0, 1);
  second.in = first.out;
  place(second.out, RegionKind::output, 1, 1);
  pair.layers.push_back({first, Dependency::sequential, 0, {}});
  pair.layers.push_back({second, Dependency::sequential, 1, {}});
  return pair;
}

std::vector<PoolTurns> possible_turns(const ProgramLayer& convolution, const ProgramLayer& pool, const Mapping& chosen,
                                      const Machine& machine) {
  return Possible(convolution, pool, machine).all(chosen);
}

PoolTurns take_turns(const ProgramLayer& convolution, const ProgramLayer& pool, const Mapping& convolution_mapping,
                     const Mapping& pool_mapping, const Machine& machine, const std::stop_token& stop) {
  const ParsedNetwork pair = pair_of(convolution, pool);
  PoolTurns best;
  best.one_by_one = cycles_of(pair, convolution_mapping, pool_mapping, machine, stop);
  double least = best.one_by_one;
  for (PoolTurns& turns : possible_turns(convolution, pool, convolution_mapping, machine)) {
    if (bound(pair, turns, machine) >= least) continue;
    turns.cycles = cycles_of(pair, turns.convolution, turns.pool, machine, stop);
    if (turns.cycles <= 0 || turns.cycles >= least) continue;
    turns.one_by_one = best.one_by_one;
    best = turns;
    least = best.cycles;
  }
  return best;
}

}  // namespace convscope::snowflake
