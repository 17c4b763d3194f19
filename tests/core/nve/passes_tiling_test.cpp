// In-map tiling: several parts of a map in one loop.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/artifact/explanation.h"
#include "core/nve/architecture/assembly.h"
#include "core/nve/check_program.h"
#include "core/nve/passes/tile_maps.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

// One output map over n inputs: n + 1 coefficients, ceil((n + 1) / 4) words for each column alone.
network::Layer one_by_one(int inputs, int width) {
  std::vector<int> all;
  for (int i = 0; i < inputs; ++i) all.push_back(i);
  return make_layer(1, 1, 1, {21, width}, {all}, inputs);
}

Switches without_tiling() {
  Switches switches = optimal;
  switches.tiling = false;
  return switches;
}

TEST(Tiling, FillsCoefficientWordsWhereNothingIsLeftToFuse) {
  const network::Layer layer = one_by_one(4, 96);
  const auto alone = compile(layer, without_tiling()), in_tiles = compile(layer, optimal);
  // Half vectors: 4 writes and 2 words for a column; 8 writes and 3 words for two.
  EXPECT_EQ(figure(*alone, "initiation_interval"), 6);
  EXPECT_EQ(figure(*in_tiles, "initiation_interval"), 11);
  EXPECT_EQ(figure(*in_tiles, "interval_bound"), 11);
  EXPECT_THAT(in_tiles->program_name(0), HasSubstr("in 2 tiles"));
  EXPECT_LT(in_tiles->metrics().cycles.value, 0.93 * alone->metrics().cycles.value);
  EXPECT_EQ(figure(*in_tiles, "strip_macs"), figure(*alone, "strip_macs"));
}

TEST(Tiling, IsBitExactWhateverTheWidth) {
  int in_tiles = 0;
  for (const int inputs : {1, 2, 4, 5, 8})
    for (const int width : {1, 2, 3, 40, 41, 42, 43, 95}) {
      SCOPED_TRACE(testing::Message() << inputs << " inputs, width " << width);
      const network::Layer layer = one_by_one(inputs, width);
      const auto compiled = compile(layer, optimal);
      ASSERT_TRUE(compiled->mapped()) << compiled->reason();
      in_tiles += compiled->program_name(0).find("tiles") != std::string::npos;
      EXPECT_LE(compiled->metrics().cycles.value, compile(layer, without_tiling())->metrics().cycles.value);
      Diagnostics diagnostics;
      const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
      EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
      EXPECT_EQ(counted(result, "outputs"), layer.out.maps * layer.out.size.height * layer.out.size.width);
      EXPECT_EQ(counted(result, "cycles"), compiled->metrics().cycles.value);
    }
  EXPECT_GT(in_tiles, 5);
}

// Tiles look beyond their part: the columns of a neighbour that the kernel reaches.
TEST(Tiling, OfKernelsThatReachIntoTheNextTile) {
  Machine machine;
  machine.weight_registers = 2;
  network::Layer layer = make_layer(1, 3, 1, {16, 50}, {{0}}, 1);
  layer.padding = {0, 1, 0, 1};
  layer.in.size.width -= 2;
  for (const MemoryKind memory : {MemoryKind::true_dual_port, MemoryKind::simple_dual_port, MemoryKind::two_banks}) {
    machine.memory = memory;
    const auto compiled = compile(layer, optimal, machine);
    ASSERT_TRUE(compiled->mapped()) << compiled->reason();
    Diagnostics diagnostics;
    const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
    EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  }
}

TEST(Tiling, IsExplained) {
  const auto explanation = compile(one_by_one(4, 96), optimal)->explanation();
  const auto found = std::find_if(explanation->rejected.begin(), explanation->rejected.end(),
                                  [](const auto& each) { return each.name == "without in-map tiling"; });
  ASSERT_NE(found, explanation->rejected.end());
  EXPECT_THAT(found->reason, testing::StartsWith("+8."));  // 6 against 5.5
}

TEST(Tiling, LeavesAloneWhatHasNothingToGain) {
  for (const network::Layer& layer : sample("face_detection").layers) {
    if (layer.kernel == network::Size{1, 1}) continue;
    EXPECT_EQ(compile(layer, optimal)->program_name(0).find("tiles"), std::string::npos) << layer.name;
  }
}

// Each tile's operations are things of their own, and its program is one that anybody can check.
TEST(Tiling, ProgramsStandOnTheirOwn) {
  const auto compiled = compile(one_by_one(4, 96), optimal);
  std::set<artifact::OperationKey> keys;
  const auto graph = compiled->task_graph(0);
  for (const auto& node : graph->operations) keys.insert(node.key);
  EXPECT_EQ(keys.size(), graph->operations.size());
  Diagnostics diagnostics;
  const auto program = read_program_file(compiled->program_file(0), "p", diagnostics);
  ASSERT_TRUE(program) << diagnostics.text();
  const network::Layer layer = layer_of(*program);
  EXPECT_EQ(layer.inputs, (std::vector<std::vector<int>>{{0, 1, 2, 3}}));
  const ProgramCheck check = check_programs({*program}, layer, {}, {}, diagnostics);
  EXPECT_TRUE(check.ran && check.matches) << diagnostics.text();
}

TEST(Tiling, MovesEachTileBehindTheOneBefore) {
  const MapGroup group = tiled(make_group({{0, 1}, {1}}, {0, 1}), 3);
  EXPECT_EQ(group.maps, (std::vector<int>{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(group.inputs, (std::vector<int>{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(group.structure.maps[4], (std::vector<int>{4, 5}));
  EXPECT_EQ(group.structure.maps[5], (std::vector<int>{5}));
  EXPECT_EQ(group.tile_of_map(1), 0);
  EXPECT_EQ(group.tile_of_map(4), 2);
  EXPECT_EQ(group.tile_of_input(3), 1);
  EXPECT_EQ(tile_columns(10, 3), 4);
}

}  // namespace
}  // namespace convscope::nve::test
