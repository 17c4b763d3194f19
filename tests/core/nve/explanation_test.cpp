// Why an NVE layer takes as long as it does.

#include "core/artifact/explanation.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(NveExplanation, SaysWhatEachOptimizationGained) {
  const auto compiled = compile(sample("face_detection").layers[0], optimal);
  const auto explanation = compiled->explanation();
  EXPECT_THAT(explanation->summary, HasSubstr("Every interval equals its proven bound"));
  const auto found = std::find_if(explanation->rejected.begin(), explanation->rejected.end(),
                                  [](const auto& each) { return each.name == "without polyphase layout"; });
  ASSERT_NE(found, explanation->rejected.end());
  EXPECT_TRUE(found->fits);
  EXPECT_THAT(found->reason, testing::StartsWith("+13."));  // 15.56 and 13.71 MAC/instruction
  EXPECT_GT(found->seconds.value, compiled->metrics().seconds.value);
}

TEST(NveExplanation, OfALayerThatIsTooLargeNamesTheSmallestBufferThatWouldDo) {
  const network::Layer layer = sample("speed_sign").layers[2];
  Machine machine;
  machine.instruction_buffer_words = 64;
  const auto refused = compile(layer, optimal, machine);
  ASSERT_FALSE(refused->mapped());
  const auto explanation = refused->explanation();
  ASSERT_EQ(explanation->rejected.size(), 1U);
  EXPECT_THAT(explanation->rejected[0].name, HasSubstr("instruction buffer of 512 words"));
  machine.instruction_buffer_words = 256;
  EXPECT_FALSE(compile(layer, optimal, machine)->mapped());
  machine.instruction_buffer_words = 512;
  EXPECT_TRUE(compile(layer, optimal, machine)->mapped());
}

TEST(NveExplanation, OfALayerThatIsNotMappedIsTheReason) {
  network::Layer layer = sample("filter_3x3").layers.front();
  layer.dilation = {4, 4};
  const auto compiled = compile(layer, fusion);
  EXPECT_EQ(compiled->explanation()->summary, compiled->reason());
  EXPECT_THAT(compiled->explanation()->summary, HasSubstr("3 rows high and spans 9 at a dilation of 4"));
  EXPECT_THAT(compiled->explanation()->summary, HasSubstr("extension of 7 pixels hold 8"));
}

}  // namespace
}  // namespace convscope::nve::test
