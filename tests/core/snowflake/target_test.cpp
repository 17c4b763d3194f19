// The target as the engine sees it: layers, the linked network, figures, artifacts, what changes when a machine does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/snowflake/snowflake_target.h"
#include "core/target/programs.h"
#include "networks.h"

namespace convscope::snowflake {
namespace {

using testing::HasSubstr;

const char* const residual_block =
    "<input maps='16' height='12' width='12'/><conv name='a' maps='32' kernel='3' pad='1' activation='relu'/>"
    "<conv name='b' maps='32' kernel='1'/><add name='s' from='a b' activation='relu'/>"
    "<max_pool name='p' kernel='2' stride='2'/><global_average_pool name='g'/><fc name='f' maps='10'/>"
    "<softmax name='o'/>";

struct Compiled {
  network::Network network;
  std::shared_ptr<const target::Target> target = make_snowflake_target();
  arch::ParameterValues machine{target->machine()};
  std::shared_ptr<const target::NetworkPlan> plan;
  target::CompiledLayers layers;
  std::shared_ptr<const target::LinkedNetwork> linked;
};

Compiled compile(const std::string& layers, const std::string& level = "paper",
                 const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  Compiled c;
  c.network = test::read(layers);
  Diagnostics diagnostics;
  for (const auto& [name, value] : changes) EXPECT_TRUE(c.machine.set(name, value, diagnostics)) << diagnostics.text();
  target::NoCache cache;
  c.plan = c.target->prepare({&c.network, &c.machine, level}, cache, {});
  for (int i = 0; i < static_cast<int>(c.network.layers.size()); ++i)
    c.layers.push_back(c.target->compile({&c.network, i, &c.machine, level, c.plan.get()}, cache, {}));
  c.linked = c.target->link({&c.network, &c.machine, level}, c.plan.get(), c.layers, cache, {});
  return c;
}

std::size_t index_of(const Compiled& c, const std::string& name) {
  for (std::size_t i = 0; i < c.network.layers.size(); ++i)
    if (c.network.layers[i].name == name) return i;
  ADD_FAILURE() << name;
  return 0;
}

TEST(SnowflakeTarget, LayersOfTheLinkedNetworkAddUp) {
  const Compiled c = compile(residual_block);
  ASSERT_TRUE(c.linked);
  double seconds = 0;
  std::int64_t bytes = 0;
  for (const auto& layer : c.linked->layers()) {
    if (!layer->mapped()) continue;
    seconds += layer->metrics().seconds.value;
    bytes += layer->metrics().bytes_in + layer->metrics().bytes_out + layer->metrics().bytes_weights;
  }
  const artifact::Metrics& total = c.linked->metrics();
  EXPECT_NEAR(seconds, total.seconds.value, 1e-12);
  EXPECT_EQ(bytes, total.bytes_in + total.bytes_out + total.bytes_weights);
  EXPECT_TRUE(total.verified);
  EXPECT_EQ(total.seconds.origin, Origin::simulated);
}

TEST(SnowflakeTarget, WhatIsFoldedCostsNothingAndWhatIsNotMappedSaysWhy) {
  const Compiled c = compile(residual_block);
  const auto& sum = c.layers[index_of(c, "s")];
  EXPECT_TRUE(sum->mapped());
  EXPECT_EQ(sum->metrics().cycles.value, 0);
  EXPECT_THAT(sum->explanation()->summary, HasSubstr("computed by b"));
  EXPECT_THAT(c.layers[index_of(c, "o")]->reason(), HasSubstr("host"));
}

TEST(SnowflakeTarget, LayersAndNetworkRunBitEqualToTheReference) {
  for (const char* level : {"paper", "best"}) {
    const Compiled c = compile(residual_block, level);
    const target::OptionValues options(c.target->simulation_tools()->options());
    Diagnostics diagnostics;
    for (const auto& layer : c.layers) {
      if (layer->program_count() > 0) {
        EXPECT_TRUE(layer->simulate(options, {}, diagnostics)->matches);
      }
    }
    ASSERT_TRUE(c.linked);
    const auto result = c.linked->simulate(options, {}, diagnostics);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->matches) << diagnostics.text();
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  }
}

TEST(SnowflakeTarget, ProgramFilesGoThroughTheTools) {
  const Compiled c = compile(residual_block);
  const target::ProgramTools& tools = *c.target->program_tools();
  const std::string file = c.linked->program_file(0), assembly = c.linked->listing(0)->assembly;
  Diagnostics diagnostics;
  EXPECT_TRUE(tools.recognizes(file));
  EXPECT_TRUE(tools.recognizes(assembly));
  EXPECT_TRUE(tools.verify(file, "p", diagnostics)) << diagnostics.text();
  EXPECT_EQ(tools.assemble(assembly, "p", diagnostics), file);
  const target::OptionValues options(c.target->simulation_tools()->options());
  EXPECT_TRUE(tools.simulate(file, "p", options, {}, diagnostics).matches) << diagnostics.text();
}

TEST(SnowflakeTarget, TilesCoverEveryOutputOnce) {
  for (const char* level : {"paper", "best"}) {
    const Compiled c = compile(residual_block, level);
    for (const char* name : {"a", "b", "p", "f"}) {
      const auto plan = c.layers[index_of(c, name)]->tile_plan();
      ASSERT_TRUE(plan) << name;
      std::int64_t computed = 0;
      for (std::int64_t step = 0; step < plan->steps(); ++step)
        for (const artifact::TileWork& work : plan->step(step).work) computed += work.output.elements();
      const auto& size = plan->tensor(artifact::TileTensor::output).size;
      EXPECT_EQ(computed, size[0] * size[1] * size[2]) << name << ", " << level;
      EXPECT_EQ(plan->names().group, "CU");
    }
  }
}

// A tile of whole rows is one stretch of DRAM, as its LDs are.
TEST(SnowflakeTarget, TilesLieInDramPixelByPixel) {
  const Compiled c = compile(residual_block);
  const auto plan = c.layers[index_of(c, "a")]->tile_plan();
  ASSERT_TRUE(plan);
  bool loaded = false;
  for (const artifact::TileTransfer& transfer : plan->step(0).transfers) {
    EXPECT_EQ(artifact::runs_of(transfer.box, plan->tensor(transfer.box.tensor)).count,
              transfer.box.tensor == artifact::TileTensor::output
                  ? transfer.box.size[1] * transfer.box.size[2]  // a vMAC's maps of each pixel
                  : 1);
    loaded = loaded || transfer.box.tensor == artifact::TileTensor::input;
  }
  EXPECT_TRUE(loaded);
}

TEST(SnowflakeTarget, ArtifactsSpeakOfTheSameProgram) {
  const Compiled c = compile(residual_block);
  const auto& layer = c.layers[index_of(c, "a")];
  const auto timeline = layer->timeline(0);
  EXPECT_EQ(timeline->resources().size(), 7u);
  EXPECT_NEAR(static_cast<double>(timeline->length()), layer->metrics().cycles.value, 1);
  const auto listing = layer->listing(0);
  const Quantity* code = layer->metrics().find("code_instructions");
  ASSERT_TRUE(code);
  EXPECT_EQ(static_cast<double>(listing->lines.size()), code->value);
  const auto map = layer->memory_map(0);
  ASSERT_FALSE(map->memories.empty());
  for (const artifact::MemoryBlock& block : map->memories.front().blocks)
    EXPECT_LE(block.first_word + block.words, map->memories.front().capacity) << block.name;
  double cycles = 0;
  for (const artifact::BreakdownPart& part : layer->metrics().breakdown) cycles += static_cast<double>(part.cycles);
  EXPECT_NEAR(cycles, layer->metrics().cycles.value, 1);
}

TEST(SnowflakeTarget, TheBestLevelIsNeverSlowerAndKeepsWhatItRejected) {
  const Compiled paper = compile(residual_block), best = compile(residual_block, "best");
  for (const char* name : {"a", "b", "f"}) {
    const std::size_t i = index_of(paper, name);
    EXPECT_LE(best.layers[i]->metrics().cycles.value, paper.layers[i]->metrics().cycles.value) << name;
    EXPECT_FALSE(best.layers[i]->explanation()->rejected.empty()) << name;
  }
}

TEST(SnowflakeTarget, TwiceTheBandwidthIsNeverSlower) {
  const Compiled slow = compile(residual_block), fast = compile(residual_block, "paper", {{"bandwidth", "8.4"}});
  ASSERT_TRUE(slow.linked && fast.linked);
  EXPECT_LE(fast.linked->metrics().seconds.value, slow.linked->metrics().seconds.value);
}

}  // namespace
}  // namespace convscope::snowflake
