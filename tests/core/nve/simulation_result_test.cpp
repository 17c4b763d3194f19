#include "core/nve/simulation_result.h"

#include <gtest/gtest.h>

namespace convscope::nve {
namespace {

artifact::Metrics derived() {
  artifact::Metrics metrics;
  metrics.cycles.value = 100;
  metrics.seconds.value = 1e-6;
  metrics.utilization.value = 0.4;
  metrics.target_figures.push_back({"instructions", {200, "", Origin::derived}});
  return metrics;
}

TEST(SimulationResult, CyclesOfAWholeLayerTakeThePlaceOfDerivedOnes) {
  // Of all cores, 5 % more than the 200 that were derived.
  const auto result = layer_result({true, true, 210, 0, 4, 8}, derived(), true);
  ASSERT_EQ(result.figures.size(), 3u);
  EXPECT_EQ(result.figures[0].key, "cycles");
  EXPECT_DOUBLE_EQ(result.figures[0].quantity.value, 105);
  EXPECT_EQ(result.figures[0].quantity.origin, Origin::simulated);
  EXPECT_DOUBLE_EQ(result.figures[1].quantity.value, 1.05e-6);
  EXPECT_DOUBLE_EQ(result.figures[2].quantity.value, 0.4 / 1.05);
}

TEST(SimulationResult, SomeStripsSayNothingOfTheLayersTime) {
  const auto result = layer_result({true, true, 50, 0, 1, 2}, derived(), false);
  EXPECT_TRUE(result.figures.empty());
  ASSERT_EQ(result.counted.size(), 3u);
  EXPECT_EQ(result.counted[0].quantity.value, 50);
}

TEST(SimulationResult, ARefusedProgramCountsNothing) {
  const auto result = program_result({});
  EXPECT_FALSE(result.ran);
  ASSERT_EQ(result.counted.size(), 4u);
  for (const auto& figure : result.counted) EXPECT_EQ(figure.quantity.value, 0);
}

}  // namespace
}  // namespace convscope::nve
