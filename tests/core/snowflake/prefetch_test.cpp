// First loads of a layer during the layer before: random chains on random machines are bit-equal, and faster.

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/simulate/simulator.h"
#include "networks.h"
#include "random_choices.h"

namespace convscope::snowflake {
namespace {

// One draw a statement: compilers evaluate the operands of + in an order of their own. Later layers shrink little, so
// that every chain has pixels to its end.
std::string random_layer_element(Random& random, int number) {
  const std::string name = " name='l" + std::to_string(number) + "'";
  const int kernel = random.of({1, 1, 3, 3, 2});
  const int stride = number < 2 ? random.of({1, 1, 1, 2}) : 1;
  const bool pool = random.once_in(5), second = random.once_in(2);
  const int maps = random.of({16, 24, 40, 64});
  if (pool) {
    const std::string window = attribute("kernel", number < 2 ? kernel : std::min(kernel, 2));
    return (second ? "<max_pool" : "<average_pool") + name + window + attribute("stride", stride) + "/>";
  }
  return "<conv" + name + attribute("maps", maps) + attribute("kernel", kernel) + attribute("stride", stride) +
         attribute("pad", kernel / 2) + (second ? " activation='relu'/>" : "/>");
}

std::string random_chain(Random& random) {
  const int height = random.from(20, 28), width = random.from(20, 28), layers = random.from(2, 5);
  std::string text = "<input maps='16'" + attribute("height", height) + attribute("width", width) + "/>";
  for (int i = 0; i < layers; ++i) text += random_layer_element(random, i);
  if (random.once_in(2))
    text +=
        "<conv name='a' maps='32' kernel='1'/><conv name='b' maps='32' kernel='3' pad='1'/><conv name='c' "
        "maps='32' kernel='1'/><add name='s' from='a c' activation='relu'/>";
  return text;
}

Machine chain_machine(Random& random) {
  Machine machine = random_machine(random);
  if (random.once_in(2)) machine = Machine{};
  if (random.once_in(2)) machine.maps_bank_words = random.of({1024, 2048, 4096});
  return machine;
}

std::vector<Choice> without_prefetch(std::vector<Choice> choices) {
  for (Choice& choice : choices) choice.alternatives[static_cast<std::size_t>(choice.chosen)].mapping.prefetch = false;
  return choices;
}

TEST(Prefetch, RandomChainsEqualTheReference) {
  Random random(41);
  const int chains = std::getenv("CONVSCOPE_FULL") ? 9000 : 250;
  int compiled_networks = 0;
  for (int i = 0; i < chains; ++i) {
    const std::string text = random_chain(random);
    const Machine machine = chain_machine(random);
    const auto plan = make_plan(test::read(text), machine);
    const auto choices = random_choices(random, plan->parsed, machine);
    if (choices.empty() || plan->parsed.layers.empty()) continue;
    const CompiledProgram compiled = compile_network("chain", plan->parsed, choices, machine);
    if (compiled.program.layers.empty()) continue;
    ++compiled_networks;
    ASSERT_EQ(verify_and_run(compiled.program, 3), "equal") << i << ": " << text;
  }
  EXPECT_GE(compiled_networks, 150);
}

double cycles_of(const ParsedNetwork& parsed, std::vector<Choice> choices, bool prefetch, const Machine& machine) {
  if (!prefetch) choices = without_prefetch(std::move(choices));
  return simulate(compile_network("net", parsed, choices, machine).program).cycles;
}

TEST(Prefetch, LayersThatFollowOneAnotherStartWarm) {
  const Machine machine;
  const auto plan = make_plan(test::read("<input maps='64' height='28' width='28'/>"
                                         "<conv name='a' maps='64' kernel='3' pad='1' activation='relu'/>"
                                         "<conv name='b' maps='128' kernel='3' pad='1' activation='relu'/>"
                                         "<conv name='c' maps='64' kernel='1' activation='relu'/>"),
                              machine);
  std::vector<Choice> choices;
  for (const ParsedLayer& layer : plan->parsed.layers)
    choices.push_back(choose(layer.layer, plan->parsed.regions, machine, CompileLevel::best));
  const double cold = cycles_of(plan->parsed, choices, false, machine);
  const double warm = cycles_of(plan->parsed, choices, true, machine);
  EXPECT_LT(warm, 0.995 * cold);
}

}  // namespace
}  // namespace convscope::snowflake
