// Every layer of the paper's networks, compiled alone: no faster than its multiply-accumulates and its bytes allow, and
// not slower with twice the bandwidth. The networks as a whole, at level best.

#include <map>
#include <ostream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/compile/pool_turns.h"
#include "core/snowflake/plan/decide.h"
#include "core/snowflake/simulate/simulator.h"
#include "core/snowflake/verify/verify_program.h"
#include "networks.h"

namespace convscope::snowflake {
namespace {

/// Layers of the same geometry take the same time.
std::string geometry(const ProgramLayer& l) {
  std::string text;
  for (const int number :
       {static_cast<int>(l.kind), l.in.height, l.in.width, l.in.pitch, l.out.height, l.out.width, l.out.channels,
        l.kernel_height, l.stride_height, l.padding_top, l.bypass.region < 0 ? 0 : 1})
    text += std::to_string(number) + ' ';
  return text;
}

void check(const ParsedLayer& layer, const std::vector<Region>& regions, const Machine& machine) {
  const Choice choice = choose(layer.layer, regions, machine, CompileLevel::paper);
  ASSERT_GE(choice.chosen, 0) << layer.layer.name << ": " << choice.refused;
  Program program = compile_layer(layer.layer, regions, choice, machine).program;
  const SimulationResult once = simulate(program);
  ASSERT_FALSE(once.refusal) << layer.layer.name << ": " << once.refusal->what;
  EXPECT_GE(once.cycles * machine.macs_per_cycle(), static_cast<double>(once.total.macs)) << layer.layer.name;
  EXPECT_GE(once.cycles / machine.clock_hz * machine.bandwidth, static_cast<double>(once.total.all_bytes()))
      << layer.layer.name;
  program.machine.bandwidth *= 2;
  program.machine.unit_bandwidth *= 2;
  EXPECT_LE(simulate(program).cycles, once.cycles) << layer.layer.name;
}

class SnowflakeNetworkLimits : public testing::TestWithParam<const char*> {};

TEST_P(SnowflakeNetworkLimits, HoldForEveryLayer) {
  const Machine machine;
  const auto plan = make_plan(test::sample(GetParam()), machine);
  std::set<std::string> seen;
  for (const ParsedLayer& layer : plan->parsed.layers)
    // Fully connected layers are bandwidth, and long.
    if (layer.layer.kind != LayerKind::fully_connected && seen.insert(geometry(layer.layer)).second)
      check(layer, plan->parsed.regions, machine);
  EXPECT_GE(seen.size(), 8U);
}

INSTANTIATE_TEST_SUITE_P(Paper, SnowflakeNetworkLimits,
                         testing::Values("snowflake_alexnet_owt", "snowflake_resnet18", "snowflake_resnet50"));

struct Goal {
  const char* network;
  double of_the_limit;  ///< that multiply-accumulates set, of layers that aren't fully connected
};

std::ostream& operator<<(std::ostream& out, const Goal& goal) {
  return out << goal.network;
}

class SnowflakeBest : public testing::TestWithParam<Goal> {};

std::vector<Choice> best_choices(const ParsedNetwork& parsed, const Machine& machine) {
  std::map<std::string, Choice> known;
  std::vector<Choice> choices;
  for (const ParsedLayer& layer : parsed.layers) {
    Choice& choice = known[geometry(layer.layer)];
    if (choice.alternatives.empty()) choice = choose(layer.layer, parsed.regions, machine, CompileLevel::best);
    choices.push_back(choice);
  }
  return choices;
}

void let_pools_take_turns(const ParsedNetwork& parsed, std::vector<Choice>& choices, const Machine& machine) {
  for (std::size_t i = 0; i + 1 < choices.size(); ++i) {
    if (!pools_all(parsed.layers[i].layer, parsed.layers[i + 1].layer)) continue;
    const PoolTurns turns = take_turns(parsed.layers[i].layer, parsed.layers[i + 1].layer, choices[i].mapping(),
                                       choices[i + 1].mapping(), machine);
    if (!turns.faster()) continue;
    choices[i].alternatives[static_cast<std::size_t>(choices[i].chosen)].mapping = turns.convolution;
    choices[i + 1].alternatives[static_cast<std::size_t>(choices[i + 1].chosen)].mapping = turns.pool;
  }
}

// The whole network as one program, a layer's time from its predecessor's end to its own.
TEST_P(SnowflakeBest, KeepsTheMacsBusy) {
  const Machine machine;
  const auto plan = make_plan(test::sample(GetParam().network), machine);
  std::vector<Choice> choices = best_choices(plan->parsed, machine);
  let_pools_take_turns(plan->parsed, choices, machine);
  const Program program = compile_network("network", plan->parsed, choices, machine).program;
  Diagnostics diagnostics;
  EXPECT_TRUE(verify_program(program, diagnostics).ok) << diagnostics.text();
  const SimulationResult run = simulate(program);
  ASSERT_FALSE(run.refusal) << run.refusal->what;
  ASSERT_EQ(run.layers.size(), plan->parsed.layers.size());
  double cycles = 0, limit = 0;
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    if (program.layers[i].kind == LayerKind::fully_connected) continue;
    const LayerShape shape = shape_of(program.layers[i], program.regions, machine, false);
    limit += static_cast<double>(valid_macs(shape)) / machine.macs_per_cycle();
    cycles += run.layers[i].cycles;
  }
  EXPECT_GE(limit / cycles, GetParam().of_the_limit);
}

INSTANTIATE_TEST_SUITE_P(Paper, SnowflakeBest,
                         testing::Values(Goal{"snowflake_alexnet_owt", 0.95}, Goal{"snowflake_resnet18", 0.925},
                                         Goal{"snowflake_resnet50", 0.888}));

}  // namespace
}  // namespace convscope::snowflake
