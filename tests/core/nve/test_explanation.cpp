// Why an NVE layer takes as long as it does.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/artifact/explanation.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

TEST(NveExplanation, BoundsAreOrderedAndHold) {
  for (const Switches& switches : {none, packing, modulo, fusion})
    for (const network::Layer& layer : sample("speed_sign").layers) {
      const auto compiled = compile(layer, switches);
      const auto explanation = compiled->explanation();
      ASSERT_TRUE(explanation);
      ASSERT_GT(explanation->bounds.size(), 2U);
      for (std::size_t i = 0; i < explanation->bounds.size(); ++i) {
        const auto& bound = explanation->bounds[i];
        EXPECT_FALSE(bound.text.empty());
        if (bound.bound.proven) {
          EXPECT_LE(bound.bound.cycles, compiled->metrics().cycles.value) << bound.bound.kind;
        }
        if (i > 0) {
          EXPECT_GE(explanation->bounds[i - 1].seconds.value, bound.seconds.value);
        }
      }
      EXPECT_THAT(explanation->summary, testing::StartsWith(explanation->bounds.front().bound.kind + " binds"));
    }
}

TEST(NveExplanation, TheLargestResourceIsThatOfTheMetrics) {
  const auto compiled = compile(sample("filter_3x3").layers.front(), modulo);
  const auto explanation = compiled->explanation();
  const auto found = std::find_if(explanation->bounds.begin(), explanation->bounds.end(), [&](const auto& bound) {
    return bound.bound.kind == compiled->metrics().bound.kind;
  });
  ASSERT_NE(found, explanation->bounds.end());
  EXPECT_EQ(found->bound.cycles, compiled->metrics().bound.cycles);
  EXPECT_TRUE(found->bound.proven);
}

TEST(NveExplanation, TransfersBindWhereTheBusIsSlow) {
  Machine machine;
  machine.bandwidth = 1e6;
  const auto explanation = compile(sample("filter_3x3").layers.front(), fusion, machine)->explanation();
  EXPECT_EQ(explanation->bounds.front().bound.kind, "transfer");
  EXPECT_FALSE(explanation->bounds.front().bound.proven);
}

TEST(NveExplanation, OfALayerThatIsNotMappedIsTheReason) {
  network::Layer layer = sample("filter_3x3").layers.front();
  layer.dilation = {2, 2};
  const auto compiled = compile(layer, fusion);
  EXPECT_EQ(compiled->explanation()->summary, compiled->reason());
  EXPECT_THAT(compiled->explanation()->summary, HasSubstr("dilated"));
}

}  // namespace
}  // namespace convscope::nve::test
