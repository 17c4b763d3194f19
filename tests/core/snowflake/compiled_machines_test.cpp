// The same planner for all machines: what is compiled passes the verifier and computes what the reference computes;
// what can't be compiled is refused with a reason.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "compiled_layer.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/plan/bound.h"
#include "core/snowflake/plan/candidates.h"
#include "core/snowflake/plan/refused_mapping.h"
#include "core/snowflake/plan/tiles.h"
#include "core/snowflake/plan/windows.h"
#include "core/snowflake/simulate/simulator.h"
#include "random_layers.h"

namespace convscope::snowflake {
namespace {

TEST(CompiledMachines, LayersEqualTheReferenceOrAreRefused) {
  Random random(11);
  int compiled_layers = 0;
  for (int i = 0; i < 600; ++i) {
    const Machine machine = random_machine(random);
    const LayerSpec spec = random_layer(random);
    const SingleLayer single = single_layer(spec, machine);
    std::vector<Mapping> mappings = candidates(single.layer, single.regions, machine);
    const Decision paper = paper_mapping(single.layer, single.regions, machine);
    if (paper.refused.empty()) mappings.push_back(paper.mapping);
    if (mappings.empty()) continue;
    const Mapping& mapping = mappings[static_cast<std::size_t>(random.from(0, static_cast<int>(mappings.size()) - 1))];
    const CompiledSingle compiled = compile_single(spec, machine, mapping);
    if (!compiled.refused.empty()) continue;
    ++compiled_layers;
    for (const CodeBlock& block : compiled.program.blocks) ASSERT_LE(block.count, machine.instruction_bank);
    ASSERT_EQ(run_single(compiled.program, 3), "equal")
        << i << ": " << spec.text() << "; " << mapping_name(mapping) << "; " << machine.cus << " CUs " << machine.vmacs
        << " vMACs " << machine.macs << " MACs " << machine.maps_bank_words << " " << machine.kernel_bank_words
        << " words, queue " << machine.queue << " slots " << machine.delay_slots << " bank "
        << machine.instruction_bank;
  }
  EXPECT_GE(compiled_layers, 400);
}

// Output words of a tile, by its strips alone.
void add_outputs(const LayerShape& s, const Mapping& m, const Machine& machine, const MapTile& tile,
                 std::multiset<std::int64_t>& words) {
  const Steps x = x_step(s, tile), y = y_step(s, tile);
  const std::int64_t base = (std::int64_t{tile.row} * s.out.width + tile.column) * s.out.pitch;
  const std::int64_t cu_step = m.split ? std::int64_t{tile.rows} * s.out.width * s.out.pitch : 0;
  const auto every = static_cast<std::uint8_t>(m.split ? 0 : 1);
  for (const Strip& strip : strips(s, m, machine, tile, every))
    for (int row = 0; row < strip.rows; ++row)
      for (int output = 0; output < strip.outputs(); ++output)
        for (int cu = 0; cu < machine.cus; ++cu)
          if ((configuration(strip.configuration).cus >> cu & 1) != 0)
            words.insert(base + strip.out + row * y.out + output * x.out + cu * cu_step);
}

TEST(CompiledMachines, WindowsCoverEveryOutputOnceAndTilesFit) {
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    const Machine machine = random_machine(random);
    const LayerSpec spec = random_layer(random);
    const SingleLayer single = single_layer(spec, machine);
    for (const Mapping& mapping : candidates(single.layer, single.regions, machine)) {
      const LayerShape s = shape_of(single.layer, single.regions, machine, mapping.by_position);
      if (!refused_mapping(s, mapping, machine).empty() || mapping.channels > 0) continue;
      std::multiset<std::int64_t> words;
      for (const MapTile& tile : map_tiles(s, mapping, machine)) {
        EXPECT_LE(tile.words(), map_slots(s, mapping, machine).words);
        add_outputs(s, mapping, machine, tile, words);
      }
      const auto outputs = static_cast<std::size_t>(s.out.height) * static_cast<std::size_t>(s.out.width);
      ASSERT_EQ(words.size(), outputs) << spec.text() << "; " << mapping_name(mapping);
      ASSERT_EQ(std::set<std::int64_t>(words.begin(), words.end()).size(), outputs) << spec.text();
    }
  }
}

TEST(CompiledMachines, NoProgramIsFasterThanItsBound) {
  Random random(13);
  const Machine machine;
  for (int i = 0; i < 20; ++i) {
    const LayerSpec spec = random_layer(random);
    const SingleLayer single = single_layer(spec, machine);
    const Choice choice = choose(single.layer, single.regions, machine, CompileLevel::best);
    ASSERT_EQ(choice.refused.empty(), choice.chosen >= 0);
    for (const Alternative& a : choice.alternatives) {
      if (a.cycles == 0) continue;
      EXPECT_GE(a.cycles, a.bound) << spec.text() << "; " << a.name;
      EXPECT_GE(a.cycles, choice.alternatives[static_cast<std::size_t>(choice.chosen)].cycles);
    }
  }
}

TEST(CompiledMachines, WhatDoesntFitIsRefusedWithAReason) {
  Machine machine;
  machine.vmacs = 3;
  EXPECT_NE(compile_single({}, machine).refused.find("doesn't divide"), std::string::npos);
  machine = {};
  LayerSpec pool;
  pool.kind = LayerKind::max_pool;
  pool.channels = pool.outputs = 3;
  pool.raw_input = true;
  EXPECT_NE(compile_single(pool, machine).refused.find("whole vectors"), std::string::npos);
  machine.maps_bank_words = 512;
  LayerSpec wide;
  wide.channels = 512;
  EXPECT_NE(compile_single(wide, machine).refused.find("doesn't fit"), std::string::npos);
}

}  // namespace
}  // namespace convscope::snowflake
