// Several images at once, and coverage where layers run more often than others or nobody knows their MACs.

#include "core/engine/batch.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "tests/core/engine/counting_target.h"

namespace convscope::engine::test {
namespace {

class BatchTest : public testing::Test {
 protected:
  CompiledNetwork compile_changed(const std::function<void(network::Network&)>& change) {
    Request request = request_for(target_, 3);
    auto changed = std::make_shared<network::Network>(*request.network);
    change(*changed);
    request.network = changed;
    return compile(request, *make_executor(executor_kinds().front(), 1), *make_memory_cache());
  }
  static void set_batch(network::Network& network, int batch) {
    network.batch = batch;
    for (network::Layer& layer : network.layers) layer.images = batch;
  }
  std::shared_ptr<CountingTarget> target_ = std::make_shared<CountingTarget>();
};

TEST_F(BatchTest, OfOneImageHasNoFigures) {
  const CompiledNetwork compiled = compile_changed([](network::Network&) {});
  EXPECT_FALSE(batch_total(compiled));
  EXPECT_FALSE(batch_of(compiled, 0));
}

TEST_F(BatchTest, TakesAsManyTimesAnImageWhereNothingIsKept) {
  target_->unmapped = {1};
  const CompiledNetwork compiled = compile_changed([](network::Network& network) { set_batch(network, 20); });
  const auto layer = batch_of(compiled, 2);
  ASSERT_TRUE(layer);
  const artifact::Metrics& one = compiled.layers[2]->metrics();
  EXPECT_EQ(layer->images, 20);
  EXPECT_EQ(layer->macs, 20 * one.macs);
  EXPECT_EQ(layer->cycles.value, 20 * one.cycles.value);
  EXPECT_EQ(layer->seconds.value, 20 * one.seconds.value);
  EXPECT_EQ(layer->bytes_weights, 20 * one.bytes_weights);
  EXPECT_EQ(layer->bytes_saved, 0);
  EXPECT_FALSE(batch_of(compiled, 1));
  const auto total = batch_total(compiled);
  ASSERT_TRUE(total);
  EXPECT_EQ(total->macs, 20 * compiled.total.macs);
  EXPECT_EQ(total->seconds.value, 20 * compiled.total.seconds.value);
  EXPECT_EQ(total->bytes_saved, 0);
}

TEST_F(BatchTest, OfANetworkCountsEachLayerAsOftenAsItRuns) {
  const CompiledNetwork compiled = compile_changed([](network::Network& network) { network.layers[1].images = 30; });
  const auto total = batch_total(compiled);
  ASSERT_TRUE(total);
  EXPECT_EQ(total->images, 1);
  EXPECT_EQ(total->macs, compiled.total.macs + 29 * compiled.network->layers[1].macs());
  EXPECT_FALSE(batch_of(compiled, 0));
}

TEST_F(BatchTest, CoverageCountsEachLayerAsOftenAsItRuns) {
  target_->unmapped = {1};
  const auto change = [](network::Network& network) { network.layers[1].images = 1000; };
  const CompiledNetwork compiled = compile_changed(change);
  const auto& layers = compiled.network->layers;
  const auto mapped = static_cast<double>(layers[0].macs() + layers[2].macs());
  ASSERT_TRUE(compiled.coverage);
  EXPECT_DOUBLE_EQ(*compiled.coverage, mapped / (mapped + 1000.0 * static_cast<double>(layers[1].macs())));
}

TEST_F(BatchTest, CoverageIsUnknownWhereMacsAre) {
  target_->unmapped = {1};
  const CompiledNetwork compiled =
      compile_changed([](network::Network& network) { network.layers[1].other.known = false; });
  EXPECT_FALSE(compiled.coverage);
  EXPECT_FALSE(artifact::reaches(compiled.coverage, 0.01));
  EXPECT_EQ(compiled.network->unknown_layers(), 1);
}

TEST(BatchFigures, OfHostileNumbersStayNumbers) {
  artifact::Metrics one;
  one.macs = one.bytes_in = one.bytes_weights = std::int64_t{1} << 44;
  const auto batch = artifact::image_after_image(one, std::int64_t{1} << 34, "");
  EXPECT_EQ(batch.macs, std::numeric_limits<std::int64_t>::max());
  artifact::BatchTotal total(one, 2);
  total.add(one, batch);
  EXPECT_GT(total.take().macs, 0);
}

TEST(BatchFigures, SayOfWeightsOnlyWhatThereIs) {
  artifact::Metrics pool, product;
  pool.macs = 3;
  product.bytes_weights = 5;
  EXPECT_STREQ(artifact::weights_name(artifact::image_after_image(pool, 2, "why").weights), "none");
  EXPECT_STREQ(artifact::weights_name(artifact::image_after_image(product, 2, "why").weights), "fetched again");
  EXPECT_EQ(artifact::image_after_image(pool, 2, "why").note, "");
  EXPECT_EQ(artifact::image_after_image(product, 2, "why").note, "why");
}

TEST(BatchFigures, AreSavedByKeptWeights) {
  artifact::Metrics one;
  one.macs = 100;
  one.bytes_in = 10;
  one.bytes_weights = 7;
  one.seconds.value = 2;
  const auto batch = artifact::with_kept_weights(one, 4, 5, 10, "");
  EXPECT_EQ(batch.bytes_in, 40);
  EXPECT_EQ(batch.bytes_weights, 7);
  EXPECT_EQ(batch.bytes_saved, 21);
  EXPECT_EQ(batch.seconds_saved, 3);
  EXPECT_EQ(batch.cycles.value, 50);
  artifact::Metrics both = one;
  both.bytes_weights = 14;
  both.seconds.value = 4;
  artifact::BatchTotal total(both, 4);
  total.add(one, batch);
  total.add(one, artifact::image_after_image(one, 4, ""));
  const auto sum = total.take();
  EXPECT_EQ(sum.weights, artifact::BatchFigures::Weights::partly);
  EXPECT_EQ(sum.bytes_weights, 7 + 28);
  EXPECT_EQ(sum.seconds.value, 5 + 8);
  EXPECT_EQ(sum.bytes_saved, 21);
}

}  // namespace
}  // namespace convscope::engine::test
