// Why a layer of NMP takes as long as it does, and the way between a timeline's cells and a tile plan's steps.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/nmp/architecture/machine.h"
#include "networks.h"
#include "oracle.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

using Settings = std::vector<std::pair<std::string, std::string>>;

arch::ParameterValues small_board(const Settings& settings) {
  arch::ParameterValues machine(machine_description());
  Diagnostics diagnostics;
  for (const auto& [name, value] :
       Settings{{"bandwidth", "16"}, {"mac_efficiency", "0.75"}, {"command_cost", "630"}, {"borders", "exact"}})
    EXPECT_TRUE(machine.set(name, value, diagnostics));
  for (const auto& [name, value] : settings) EXPECT_TRUE(machine.set(name, value, diagnostics)) << diagnostics.text();
  return machine;
}

std::shared_ptr<const target::CompiledLayer> compile(const network::Layer& layer, const Settings& settings = {},
                                                     const std::string& level = "burst") {
  network::Network network;
  network.layers = {layer};
  const arch::ParameterValues machine = small_board(settings);
  target::NoCache cache;
  return catalogue::standard()->find_target("nmp")->compile({&network, 0, &machine, level}, cache, {});
}

network::Layer small() {
  return convolution(5, {9, 11}, 14, {3, 3}, 1, true);
}

const artifact::ExplainedBound* find(const artifact::Explanation& explanation, const std::string& kind) {
  for (const auto& bound : explanation.bounds)
    if (bound.bound.kind == kind) return &bound;
  return nullptr;
}

TEST(NmpExplanation, NamesWhatBindsAndWhatOtherStrategiesCost) {
  const auto layer = compile(paper_networks()[0].layers[4]);
  const auto explanation = layer->explanation();
  ASSERT_TRUE(explanation);
  ASSERT_GE(explanation->bounds.size(), 4U);
  for (std::size_t i = 1; i < explanation->bounds.size(); ++i)
    EXPECT_GE(explanation->bounds[i - 1].seconds.value, explanation->bounds[i].seconds.value);
  for (const auto& bound : explanation->bounds) {
    EXPECT_TRUE(bound.bound.proven);
    EXPECT_LE(bound.seconds.value, layer->metrics().seconds.value);
  }
  EXPECT_THAT(explanation->summary, testing::StartsWith(explanation->bounds.front().bound.kind));
  EXPECT_THAT(explanation->summary, HasSubstr("No tiling is faster (proven)"));
  const auto& all = explanation->rejected;
  const auto by_level = [](const auto& each) { return each.name.starts_with("level "); };
  EXPECT_EQ(all.size() - static_cast<std::size_t>(std::count_if(all.begin(), all.end(), by_level)), 8U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& rejected = explanation->rejected[i];
    EXPECT_TRUE(rejected.fits) << rejected.name;
    EXPECT_GE(rejected.seconds.value, layer->metrics().seconds.value) << rejected.name;
    EXPECT_THAT(rejected.reason, HasSubstr("slower than the chosen one: "));
    if (i > 0) {
      EXPECT_GE(rejected.seconds.value, explanation->rejected[i - 1].seconds.value);
    }
  }
}

// Each term's least is what walking through every tiling finds.
TEST(NmpExplanation, LeastTermsAreThoseOfTheOracle) {
  const Settings settings{{"tles", "2"},           {"tlts", "2"},           {"input_memory", "128"},
                          {"weight_memory", "64"}, {"output_memory", "64"}, {"burst", "16"}};
  const auto explanation = compile(small(), settings)->explanation();
  std::string reason;
  Machine machine = machine_from(small_board(settings));
  const Convolution c = *convolution_of(small(), reason);
  const double infinity = std::numeric_limits<double>::infinity();
  Machine commands = machine, dram = machine, mac = machine;
  commands.clock_hz = commands.bandwidth = dram.clock_hz = mac.bandwidth = infinity;
  commands.cas_seconds = mac.cas_seconds = dram.command_seconds = mac.command_seconds = 0;
  EXPECT_NEAR(find(*explanation, "DRAM")->seconds.value, oracle_best(c, dram, false).seconds, 1e-15);
  EXPECT_NEAR(find(*explanation, "commands")->seconds.value, oracle_best(c, commands, false).seconds, 1e-15);
  const double least_mac = oracle_best(c, mac, false).seconds;
  EXPECT_LE(find(*explanation, "MAC")->seconds.value, least_mac * (1 + 1e-12));
  EXPECT_GE(find(*explanation, "MAC")->seconds.value, 0.9 * least_mac);
  EXPECT_LE(find(*explanation, "DRAM, everything once")->seconds.value, find(*explanation, "DRAM")->seconds.value);
}

TEST(NmpExplanation, SaysWhichMemoryAStrategyOverruns) {
  // A row of one filter fits, all channels of 4 bytes per sum for all filters of input stationary don't.
  const auto explanation = compile(convolution(2048, {4, 4}, 2048, {3, 3}, 1, true),
                                   {{"weight_memory", "64"}, {"output_memory", "64"}, {"input_memory", "64"}})
                               ->explanation();
  ASSERT_FALSE(explanation->rejected.empty());
  const auto& last = explanation->rejected.back();
  EXPECT_FALSE(last.fits);
  EXPECT_THAT(last.reason, HasSubstr("no tiling of this strategy fits; the smallest: MB2 (OUT) needs"));
  EXPECT_THAT(last.reason, HasSubstr("too many"));
}

TEST(NmpExplanation, SaysWhatWouldAdmitAMapping) {
  const auto layer = compile(convolution(3, {32, 32}, 8, {7, 7}, 1, true),
                             {{"weight_memory", "64"}, {"input_memory", "64"}, {"double_buffering", "on"}});
  ASSERT_FALSE(layer->mapped());
  const auto explanation = layer->explanation();
  EXPECT_EQ(explanation->summary, layer->reason());
  EXPECT_THAT(explanation->summary, HasSubstr("MB0 (IN) needs 98 bytes and has 32: 66 too many; input_memory=256"));
  EXPECT_THAT(explanation->summary, HasSubstr("MB1 (W) needs 98 bytes and has 32: 66 too many; weight_memory=256"));
  EXPECT_TRUE(explanation->bounds.empty());
  EXPECT_EQ(explanation->rejected.size(), 9U);
  for (const auto& rejected : explanation->rejected) EXPECT_THAT(rejected.reason, HasSubstr("weight_memory="));
  // What it says would do does.
  EXPECT_TRUE(compile(convolution(3, {32, 32}, 8, {7, 7}, 1, true),
                      {{"weight_memory", "256"}, {"input_memory", "256"}, {"double_buffering", "on"}})
                  ->mapped());
}

TEST(NmpExplanation, OfAnotherOperatorIsItsReason) {
  network::Layer pool;
  pool.operator_name = "MaxPool";
  EXPECT_THAT(compile(pool)->explanation()->summary, HasSubstr("MaxPool"));
}

// Every other level's choice is there: as a tiling of its own, or among those that choose the same.
TEST(NmpExplanation, SetsTheTilingsOfAllLevelsSideBySide) {
  for (const char* level : {"volume", "burst", "banked", "walk"})
    for (const std::size_t i : {4U, 40U}) {
      const network::Layer layer = paper_networks()[0].layers[i];
      const auto explanation = compile(layer, {}, level)->explanation();
      for (const std::string other : {"volume", "burst", "banked"}) {
        if (other == level || (other == "banked" && std::string(level) == "walk")) continue;
        const auto own = compile(layer, {}, other);
        const std::string tiling = own->tile_plan()->title();
        const auto found =
            std::find_if(explanation->rejected.begin(), explanation->rejected.end(),
                         [&](const auto& each) { return each.name == "level " + other + ": " + tiling; });
        const bool same =
            explanation->summary.find("It is also the choice by") != std::string::npos &&
            explanation->summary.find(other, explanation->summary.find("also the choice")) != std::string::npos;
        EXPECT_NE(found != explanation->rejected.end(), same) << level << " " << other << ": " << explanation->summary;
      }
    }
}

TEST(NmpExplanation, LevelVolumeClaimsNothing) {
  const auto layer = compile(paper_networks()[0].layers[4], {}, "volume");
  EXPECT_THAT(layer->explanation()->summary, HasSubstr("a faster tiling may exist"));
}

/// Whether a step has what an operation of the timeline says.
bool has(const artifact::TileStep& step, const artifact::TileOperation& o) {
  const auto of_group = [&](int group) { return o.group < 0 || o.group == group; };
  for (const auto& work : step.work)
    if (o.work && of_group(work.group)) return true;
  for (const auto& transfer : step.transfers)
    if (!o.work && of_group(transfer.group) && artifact::is_load(transfer.move) == artifact::is_load(o.move) &&
        transfer.box.tensor == o.tensor)
      return true;
  return false;
}

TEST(NmpLinks, CellsOfTheTimelineAreStepsOfThePlan) {
  int compared = 0;
  for (const Settings& extra : {Settings{}, {{"tle_timing", "free-running"}}, {{"weight_memory", "128"}}})
    for (const auto& layer :
         {small(), convolution(6, {12, 12}, 6, {3, 3}, 2, true, 6), convolution(8, {6, 6}, 16, {1, 1}, 1, true, 2),
          convolution(64, {8, 8}, 32, {3, 3}, 1, true)}) {
      Settings settings{{"tles", "2"}, {"tlts", "2"}, {"input_memory", "256"}, {"output_memory", "128"}};
      settings.insert(settings.end(), extra.begin(), extra.end());
      const auto compiled = compile(layer, settings);
      ASSERT_TRUE(compiled->mapped()) << compiled->reason();
      const auto plan = compiled->tile_plan();
      const auto timeline = compiled->timeline(0);
      ASSERT_TRUE(timeline);
      timeline->visit(0, timeline->length(), [&](const artifact::PlacedCell& placed) {
        const auto operation = artifact::tile_operation(placed.cell->operation);
        ASSERT_TRUE(operation);
        EXPECT_EQ(compiled->program_of(placed.cell->operation), 0);
        const std::int64_t step = plan->step_of(placed.cell->operation, placed.iteration);
        ASSERT_GE(step, 0);
        // At the border some TLEs have nothing to do, which the timeline's averages gloss over.
        artifact::TileOperation any = *operation;
        any.group = -1;
        EXPECT_TRUE(has(plan->step(step), any)) << plan->title() << " step " << step << " " << placed.cell->label;
        const artifact::Ref back = plan->ref_of(step, *operation);
        EXPECT_EQ(back.operation, placed.cell->operation);
        EXPECT_EQ(back.iteration, placed.iteration);
        ++compared;
      });
    }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace convscope::nmp
