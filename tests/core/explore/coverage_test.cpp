// How much of several networks is mapped, together: what a front leaves out goes by it.

#include <gtest/gtest.h>

#include "core/explore/results/front.h"
#include "core/explore/sweep/evaluate.h"
#include "tests/core/explore/spaces.h"

namespace convscope::explore::test {
namespace {

struct Two {
  Outcomes outcomes = outcomes_of({});
  std::vector<WeightedNetwork> networks{{"a", engine::test::made_up_network(1), 1, ""},
                                        {"b", engine::test::made_up_network(1), 1, ""}};
  std::vector<Figures> figures{figures_with(outcomes, {{"cycles", 10}}, 0.5),
                               figures_with(outcomes, {{"cycles", 10}}, 1)};
  artifact::Coverage coverage() const { return weighted_total(networks, figures, outcomes).coverage; }
};

TEST(CoverageOfNetworks, IsTheMeanByMacs) {
  EXPECT_DOUBLE_EQ(Two().coverage().value_or(0), 0.75);
}

TEST(CoverageOfNetworks, CountsLayersAsOftenAsTheyRun) {
  Two two;
  auto often = std::make_shared<network::Network>(*two.networks[1].network);
  for (network::Layer& layer : often->layers) layer.images = 3;
  two.networks[1].network = often;
  EXPECT_DOUBLE_EQ(two.coverage().value_or(0), (0.5 + 3) / 4);
}

TEST(CoverageOfNetworks, IsUnknownIfThatOfOneIs) {
  Two two;
  two.figures[1].coverage.reset();
  EXPECT_FALSE(two.coverage());
}

TEST(CoverageOfNetworks, UnknownIsBelowAnyLeast) {
  Space space;
  space.outcomes = outcomes_of({});
  space.objectives = {{"cycles", false}};
  space.minimum_coverage = 0.1;
  PointResult result;
  result.total = figures_with(space.outcomes, {{"cycles", 10}});
  EXPECT_TRUE(objective_vector(result, space));
  result.total.coverage.reset();
  EXPECT_FALSE(objective_vector(result, space));
}

}  // namespace
}  // namespace convscope::explore::test
