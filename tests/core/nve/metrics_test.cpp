#include <cstdint>

#include <gtest/gtest.h>

#include "tests/core/nve/layers.h"
#include "tests/core/nve/wide_machine.h"

namespace convscope::nve::test {
namespace {

void expect_parts_of_all_instructions(const network::Layer& layer, const Switches& switches, const Machine& machine) {
  const auto compiled = compile(layer, switches, machine);
  ASSERT_TRUE(compiled->mapped()) << compiled->reason();
  const artifact::Metrics metrics = compiled->metrics();
  std::int64_t sum = 0;
  for (const artifact::BreakdownPart& part : metrics.breakdown) {
    EXPECT_GE(part.cycles, 0) << layer.name << ", " << part.name;
    sum += part.cycles;
  }
  EXPECT_EQ(static_cast<double>(sum), metrics.find("instructions")->value) << layer.name;
}

/// Exact schedules issue multiply-accumulates in the initial part, too.
TEST(NveMetrics, BreakdownDividesTheInstructions) {
  std::vector<network::Layer> layers = sample("speed_sign").layers;
  layers.push_back(sample("filter_3x3").layers.front());
  layers.push_back(make_layer(4, 3, 1, {8, 31}, {{0, 1, 2, 3, 4, 5}, {0, 2, 4}}, 6));
  for (const network::Layer& layer : layers)
    for (const Switches& switches : {none, packing, modulo, fusion, thesis_layout, optimal})
      expect_parts_of_all_instructions(layer, switches, {});
}

/// Passes of an inner loop are instructions, too.
TEST(NveMetrics, BreakdownDividesTheInstructionsOfLoops) {
  const network::Layer layer =
      make_layer(3, 3, 1, {16, 4}, std::vector<std::vector<int>>(16, {0, 1, 2, 3, 4, 5, 6, 7}), 8);
  expect_parts_of_all_instructions(layer, looped_switches(), wide_machine());
}

}  // namespace
}  // namespace convscope::nve::test
