#include <gtest/gtest.h>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/cpu_target.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/target/pass_cache.h"

namespace convscope::cpu::test {
namespace {

TEST(SimulationHere, RunsTheProgramOnThisProcessor) {
  Machine machine;
  machine.family = Family::scalar;
  machine.ranked = 40;
  Diagnostics diagnostics;
  const network::Network network = network_of({parse_problem("9x7x5 -> 6, 3x3", diagnostics).value()}, "words");
  const arch::ParameterValues values = parameter_values(machine);
  const auto target = make_cpu_target("/nowhere/store.sqlite");
  target::NoCache cache;
  const auto layer = target->compile({&network, 0, &values, "estimate", nullptr}, cache, {});
  const auto result = layer->simulate(target::OptionValues(target->simulation_tools()->options()), {}, diagnostics);
  ASSERT_TRUE(result && result->ran) << diagnostics.text();
  EXPECT_TRUE(result->matches);
  EXPECT_EQ(result->counted.front().text, "here");
}

}  // namespace
}  // namespace convscope::cpu::test
