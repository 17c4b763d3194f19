// Whole networks in DRAM: what is alive at the same time lies apart, whatever mappings the layers have.

#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "core/snowflake/architecture/program_check.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/plan/candidates.h"
#include "core/snowflake/plan/decide.h"
#include "core/snowflake/verify/verify_program.h"
#include "networks.h"

namespace convscope::snowflake {
namespace {

bool alive_together(const Region& a, const Region& b) {
  return a.first_layer <= b.last_layer && b.first_layer <= a.last_layer;
}

bool share_words(const Region& a, const Region& b) {
  return a.first_word < b.first_word + b.words && b.first_word < a.first_word + a.words;
}

/// Pairs of regions that share words at different times.
int check_regions(const Program& program) {
  int reused = 0;
  const std::vector<Region>& regions = program.regions;
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!share_words(regions[i], regions[j])) continue;
      ++reused;
      EXPECT_FALSE(alive_together(regions[i], regions[j]))
          << program.name << ": '" << regions[i].name << "' and '" << regions[j].name << "'";
    }
  return reused;
}

void check_lives(const Program& program) {
  for (int i = 0; i < static_cast<int>(program.layers.size()); ++i) {
    const ProgramLayer& layer = program.layers[static_cast<std::size_t>(i)];
    for (const int used : {layer.in.region, layer.out.region, layer.bypass.region, layer.kernels.region}) {
      if (used < 0) continue;
      const Region& region = program.regions[static_cast<std::size_t>(used)];
      EXPECT_TRUE(region.first_layer <= i && i <= region.last_layer) << layer.name << " uses '" << region.name << "'";
      const bool host = region.kind == RegionKind::input || region.kind == RegionKind::kernels;
      EXPECT_TRUE(!host || region.first_layer == 0) << region.name << " is written before the run";
    }
  }
  Diagnostics diagnostics;
  EXPECT_TRUE(check_program(program, program.name, diagnostics)) << diagnostics.text();
}

Choice random_choice(const ParsedLayer& layer, const std::vector<Region>& regions, const Machine& machine,
                     std::mt19937& random) {
  Choice choice;
  for (const Mapping& mapping : candidates(layer.layer, regions, machine)) {
    choice.alternatives.emplace_back().mapping = mapping;
  }
  choice.chosen = choice.alternatives.empty() ? -1 : static_cast<int>(random() % choice.alternatives.size());
  if (choice.chosen < 0) choice.refused = "no candidate";
  return choice;
}

Program compiled(const network::Network& network,
                 const std::function<Choice(const ParsedLayer&, const ParsedNetwork&)>& choose_one) {
  const Machine machine;
  const auto plan = make_plan(network, machine);
  std::vector<Choice> choices;
  for (const ParsedLayer& layer : plan->parsed.layers) choices.push_back(choose_one(layer, plan->parsed));
  return compile_network(network.name, plan->parsed, choices, machine).program;
}

Choice at_level(const ParsedLayer& layer, const ParsedNetwork& parsed, CompileLevel level) {
  return choose(layer.layer, parsed.regions, Machine{}, level);
}

/// As at level paper, without what the alternatives would cost.
Choice papers(const ParsedLayer& layer, const ParsedNetwork& parsed) {
  const Decision decision = paper_mapping(layer.layer, parsed.regions, Machine{});
  EXPECT_EQ(decision.refused, "") << layer.layer.name;
  Choice choice{0, {}, {{}}};
  choice.alternatives[0].mapping = decision.mapping;
  return choice;
}

const char* const branches =
    "<input maps='32' height='14' width='14'/><conv name='a' maps='32' kernel='3' pad='1' activation='relu'/>"
    "<conv name='b' maps='64' kernel='1' from='a'/><conv name='c' maps='32' kernel='3' pad='1' from='a'/>"
    "<concat name='j' from='b c'/><conv name='d' maps='96' kernel='1' from='j'/><add name='s' from='d j'/>"
    "<max_pool name='p' kernel='2' stride='2'/><conv name='e' maps='48' kernel='3'/><fc name='f' maps='10'/>";

class SnowflakeNetworkMemory : public testing::TestWithParam<const char*> {};

TEST_P(SnowflakeNetworkMemory, WhatIsAliveTogetherLiesApartAtLevelPaper) {
  const Program program = compiled(test::sample(GetParam()), papers);
  EXPECT_GT(check_regions(program), 3) << "else nothing was tried";
  check_lives(program);
  Diagnostics diagnostics;
  EXPECT_TRUE(verify_program(program, diagnostics).ok) << diagnostics.text();
}

TEST_P(SnowflakeNetworkMemory, AndWithAnyMappings) {
  const network::Network network = test::sample(GetParam());
  std::mt19937 random(7);
  for (int i = 0; i < 3; ++i) {
    const Program program = compiled(network, [&](const ParsedLayer& layer, const ParsedNetwork& parsed) {
      return random_choice(layer, parsed.regions, Machine{}, random);
    });
    EXPECT_GT(check_regions(program), 3);
    check_lives(program);
  }
}

INSTANTIATE_TEST_SUITE_P(Paper, SnowflakeNetworkMemory,
                         testing::Values("snowflake_alexnet_owt", "snowflake_resnet18", "snowflake_resnet50"));

TEST(SnowflakeBranches, LieApartAtBothLevels) {
  for (const CompileLevel level : {CompileLevel::paper, CompileLevel::best}) {
    const Program program = compiled(test::read(branches), [&](const ParsedLayer& layer, const ParsedNetwork& parsed) {
      return at_level(layer, parsed, level);
    });
    ASSERT_EQ(program.layers.size(), 7u);
    EXPECT_GT(check_regions(program), 0);
    check_lives(program);
    Diagnostics diagnostics;
    EXPECT_TRUE(verify_program(program, diagnostics).ok) << diagnostics.text();
  }
}

TEST(SnowflakeBranches, LieApartWithoutARefusedLayer) {
  const Program program = compiled(test::read(branches), [&](const ParsedLayer& layer, const ParsedNetwork& parsed) {
    Choice choice = papers(layer, parsed);
    if (layer.layer.name == "c" || layer.layer.name == "p") choice = {-1, "left out", {}};
    return choice;
  });
  ASSERT_EQ(program.layers.size(), 5u);
  check_regions(program);
  check_lives(program);
}

}  // namespace
}  // namespace convscope::snowflake
