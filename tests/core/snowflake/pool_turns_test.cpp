// A max pool in turns with the convolution before it: verified, bit-equal, and faster where it is chosen.

#include "core/snowflake/compile/pool_turns.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/plan/candidates.h"
#include "networks.h"
#include "random_choices.h"

namespace convscope::snowflake {
namespace {

// A convolution, its pool, and one that reads both their places: words that were overwritten would show.
std::string random_pair(Random& random) {
  const int height = random.from(18, 30), width = random.from(18, 30), inputs = random.of({3, 16, 32});
  const int kernel = random.of({1, 2, 3, 5}), stride = random.of({1, 1, 2}), maps = random.of({16, 40, 64});
  const int window = random.of({2, 3}), step = random.of({1, 2, 2}), padding = random.from(0, 1);
  std::string text = "<input" + attribute("maps", inputs) + attribute("height", height) + attribute("width", width) +
                     "/><conv name='before' kernel='1'" + attribute("maps", maps) + "/>";
  text += "<conv name='c'" + attribute("maps", maps) + attribute("kernel", kernel) + attribute("stride", stride) +
          attribute("pad", kernel / 2) + (random.once_in(2) ? " activation='relu'/>" : "/>");
  text += "<max_pool name='p'" + attribute("kernel", window) + attribute("stride", step) + attribute("pad", padding) +
          "/><conv name='behind' maps='16' kernel='3' pad='1'/>";
  return text;
}

Machine pair_machine(Random& random) {
  Machine machine = random.once_in(2) ? random_machine(random) : Machine{};
  machine.maps_bank_words = random.of({2048, 4096, 8192});
  return machine;
}

bool takes_turns(const Program& program) {
  int last_convolution = 0, first_pool = static_cast<int>(program.code.size());
  for (const CodeRange& range : program.ranges) {
    if (range.kind != CodeRange::Kind::window) continue;
    if (range.layer == 1) last_convolution = range.first;
    if (range.layer == 2) first_pool = std::min(first_pool, range.first);
  }
  return first_pool < last_convolution;
}

TEST(PoolTurns, RandomPairsEqualTheReference) {
  Random random(77);
  const int pairs = std::getenv("CONVSCOPE_FULL") ? 2000 : 60;
  int programs = 0, in_turns = 0;
  for (int i = 0; i < pairs; ++i) {
    const std::string text = random_pair(random);
    const Machine machine = pair_machine(random);
    const auto plan = make_plan(test::read(text), machine);
    const auto choices = random_choices(random, plan->parsed, machine);
    if (choices.size() != 4) continue;
    const ProgramLayer &convolution = plan->parsed.layers[1].layer, &pool = plan->parsed.layers[2].layer;
    ASSERT_TRUE(pools_all(convolution, pool)) << text;
    for (const PoolTurns& turns : possible_turns(convolution, pool, choices[1].mapping(), machine)) {
      std::vector<Choice> changed = choices;
      changed[1].alternatives[0].mapping = turns.convolution;
      changed[2].alternatives[0].mapping = turns.pool;
      const CompiledProgram compiled = compile_network("pair", plan->parsed, changed, machine);
      if (compiled.program.layers.size() != 4) continue;
      ++programs;
      in_turns += takes_turns(compiled.program) ? 1 : 0;
      ASSERT_EQ(verify_and_run(compiled.program, 5), "equal")
          << i << ": " << text << ' ' << mapping_name(turns.convolution) << " in "
          << turns.convolution.interleaving.words << ' ' << mapping_name(turns.pool);
    }
  }
  EXPECT_GE(programs, 150);
  EXPECT_GE(in_turns, programs / 4);
}

// The pool needs all but the last row: it must be over after the convolution all the same.
TEST(PoolTurns, EndWithThePool) {
  Machine machine;
  machine.cus = 3;
  machine.macs = 8;
  machine.maps_bank_words = 8192;
  machine.kernel_bank_words = 1024;
  machine.queue = 32;
  const auto plan = make_plan(test::read("<input maps='16' height='26' width='30'/>"
                                         "<conv name='c' kernel='3' stride='2' pad='1' maps='64'/>"
                                         "<max_pool name='p' kernel='2' stride='2'/>"
                                         "<conv name='behind' maps='16' kernel='3' pad='1'/>"),
                              machine);
  std::vector<Choice> choices;
  for (const ParsedLayer& layer : plan->parsed.layers)
    choices.push_back(choose(layer.layer, plan->parsed.regions, machine, CompileLevel::best));
  int programs = 0;
  for (const Mapping& mapping : candidates(plan->parsed.layers[0].layer, plan->parsed.regions, machine))
    for (const PoolTurns& turns :
         possible_turns(plan->parsed.layers[0].layer, plan->parsed.layers[1].layer, mapping, machine)) {
      choices[0].alternatives = {Alternative{.name = "c", .mapping = turns.convolution, .refused = ""}};
      choices[1].alternatives = {Alternative{.name = "p", .mapping = turns.pool, .refused = ""}};
      choices[0].chosen = choices[1].chosen = 0;
      const CompiledProgram compiled = compile_network("three", plan->parsed, choices, machine);
      if (compiled.program.layers.size() != 3) continue;
      ++programs;
      ASSERT_EQ(verify_and_run(compiled.program, 5), "equal") << mapping_name(turns.convolution);
    }
  EXPECT_GE(programs, 10);
}

TEST(PoolTurns, AreFasterForTheFirstLayersOfResNet) {
  const Machine machine;
  const auto plan = make_plan(test::sample("snowflake_resnet18"), machine);
  const ProgramLayer &convolution = plan->parsed.layers[0].layer, &pool = plan->parsed.layers[1].layer;
  const auto best = [&](const ProgramLayer& layer) {
    return choose(layer, plan->parsed.regions, machine, CompileLevel::best).mapping();
  };
  const PoolTurns turns = take_turns(convolution, pool, best(convolution), best(pool), machine);
  ASSERT_TRUE(turns.faster());
  EXPECT_LT(turns.cycles, 0.87 * turns.one_by_one);
}

TEST(PoolTurns, AreOfMaxPoolsOfAllThatTheConvolutionComputes) {
  const auto plan =
      make_plan(test::read("<input maps='16' height='12' width='12'/><conv name='a' maps='16' kernel='3'/>"
                           "<average_pool name='b' kernel='2' stride='2'/>"
                           "<max_pool name='c' kernel='2' stride='2'/>"),
                Machine{});
  ASSERT_EQ(plan->parsed.layers.size(), 3U);
  EXPECT_FALSE(pools_all(plan->parsed.layers[0].layer, plan->parsed.layers[1].layer));
  EXPECT_FALSE(pools_all(plan->parsed.layers[1].layer, plan->parsed.layers[2].layer));
}

}  // namespace
}  // namespace convscope::snowflake
