// compile(): order, memoization, totals, cancelling, and the same result for any number of threads.

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/core/engine/counting_target.h"

namespace convscope::engine::test {
namespace {

class CompileTest : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Executor> executor(int threads) const { return make_executor(GetParam(), threads); }
  std::shared_ptr<CountingTarget> target_ = std::make_shared<CountingTarget>();
  std::unique_ptr<target::PassCache> cache_ = make_memory_cache();
};
INSTANTIATE_TEST_SUITE_P(Kinds, CompileTest, testing::ValuesIn(executor_kinds()),
                         [](const auto& kind) { return kind.param; });

TEST_P(CompileTest, CompilesAllLayersAndCarriesTheRequest) {
  Request request = request_for(target_, 5);
  request.preset = "a preset";
  const CompiledNetwork compiled = compile(request, *executor(2), *cache_);
  EXPECT_EQ(compiled.network, request.network);
  EXPECT_EQ(compiled.machine, request.machine);
  EXPECT_EQ(compiled.level, "only");
  EXPECT_EQ(compiled.preset, "a preset");
  ASSERT_EQ(compiled.layers.size(), 5u);
  for (const auto& layer : compiled.layers) ASSERT_TRUE(layer);
  EXPECT_TRUE(compiled.complete);
  EXPECT_EQ(compiled.total.macs, request.network->macs());
  EXPECT_EQ(compiled.roofline.points.size(), 5u);
  EXPECT_EQ(compiled.coverage, 1);
}

TEST_P(CompileTest, StartsWithTheVisibleLayerThenAscends) {
  Request request = request_for(target_, 6);
  request.visible_layer = 3;
  compile(request, *executor(1), *cache_);
  EXPECT_EQ(target_->started(), (std::vector<int>{3, 0, 1, 2, 4, 5}));
}

TEST_P(CompileTest, AVisibleLayerOutsideTheNetworkIsNoPreference) {
  Request request = request_for(target_, 3);
  request.visible_layer = 17;
  EXPECT_TRUE(compile(request, *executor(1), *cache_).complete);
  EXPECT_EQ(target_->started(), (std::vector<int>{0, 1, 2}));
}

TEST_P(CompileTest, OnlyTheLayersAskedFor) {
  Request request = request_for(target_, 4);
  request.only_layers = {3, 1, 3};
  const CompiledNetwork compiled = compile(request, *executor(2), *cache_);
  EXPECT_FALSE(compiled.layers[0]);
  EXPECT_TRUE(compiled.layers[1]);
  EXPECT_FALSE(compiled.layers[2]);
  EXPECT_TRUE(compiled.layers[3]);
  EXPECT_FALSE(compiled.complete);
  EXPECT_EQ(target_->started().size(), 2u);
}

TEST_P(CompileTest, CoverageCountsMacsOfMappedLayers) {
  target_->unmapped = {1};
  const Request request = request_for(target_, 3);
  const CompiledNetwork compiled = compile(request, *executor(2), *cache_);
  const auto& layers = request.network->layers;
  EXPECT_DOUBLE_EQ(compiled.coverage.value(), static_cast<double>(layers[0].macs() + layers[2].macs()) /
                                                  static_cast<double>(request.network->macs()));
  EXPECT_TRUE(compiled.complete);
  EXPECT_EQ(compiled.layers[1]->reason(), "too odd");
}

TEST_P(CompileTest, AnEmptyNetworkCompiles) {
  const CompiledNetwork compiled = compile(request_for(target_, 0), *executor(2), *cache_);
  EXPECT_TRUE(compiled.complete);
  EXPECT_EQ(compiled.coverage, std::nullopt);
}

TEST_P(CompileTest, RecomputesOnlyPassesThatLookAtTheParameter) {
  Request request = request_for(target_, 4);
  const auto two_threads = executor(2);
  compile(request, *two_threads, *cache_);
  EXPECT_EQ(target_->schedules(), 4);
  EXPECT_EQ(target_->transfers(), 4);

  Diagnostics diagnostics;
  ASSERT_TRUE(request.machine.set("bandwidth", "200", diagnostics)) << diagnostics.text();
  compile(request, *two_threads, *cache_);
  EXPECT_EQ(target_->schedules(), 4);
  EXPECT_EQ(target_->transfers(), 8);

  ASSERT_TRUE(request.machine.set("bandwidth", "100", diagnostics)) << diagnostics.text();
  compile(request, *two_threads, *cache_);
  EXPECT_EQ(target_->schedules(), 4);
  EXPECT_EQ(target_->transfers(), 8);
}

TEST_P(CompileTest, ReportsProgressOncePerLayerInAscendingOrder) {
  std::vector<double> fractions;
  std::vector<std::string> activities;
  compile(request_for(target_, 4), *executor(3), *cache_, {}, [&](double fraction, const std::string& activity) {
    fractions.push_back(fraction);
    activities.push_back(activity);
  });
  EXPECT_EQ(fractions, (std::vector<double>{0.25, 0.5, 0.75, 1}));
  std::sort(activities.begin(), activities.end());
  EXPECT_EQ(activities, (std::vector<std::string>{"compiled L1", "compiled L2", "compiled L3", "compiled L4"}));
}

TEST_P(CompileTest, SameResultForAnyNumberOfThreads) {
  const Request request = request_for(target_, 40);
  const CompiledNetwork one = compile(request, *executor(1), *cache_);
  for (int run = 0; run < 5; ++run) {
    const auto fresh = make_memory_cache();
    const CompiledNetwork four = compile(request, *executor(4), *fresh);
    EXPECT_EQ(one.total.cycles.value, four.total.cycles.value);  // to the last bit
    EXPECT_EQ(one.coverage, four.coverage);
    for (std::size_t i = 0; i < one.layers.size(); ++i) {
      EXPECT_EQ(one.layers[i]->metrics().cycles, four.layers[i]->metrics().cycles);
      EXPECT_EQ(one.roofline.points[i].name, four.roofline.points[i].name);
    }
  }
}

TEST_P(CompileTest, ThrowsCancelledWhenStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(compile(request_for(target_, 4), *executor(2), *cache_, stop.get_token()), Cancelled);
  EXPECT_TRUE(target_->started().empty());
}

TEST_P(CompileTest, StopsInTheMiddle) {
  std::stop_source stop;
  const auto stop_early = [&](double, const std::string&) { stop.request_stop(); };
  EXPECT_THROW(compile(request_for(target_, 100), *executor(1), *cache_, stop.get_token(), stop_early), Cancelled);
  EXPECT_EQ(target_->started().size(), 1u);
}

TEST_P(CompileTest, PassesOnATargetsFailure) {
  target_->failing_layer = 2;
  EXPECT_THROW(compile(request_for(target_, 4), *executor(2), *cache_), std::runtime_error);
}

}  // namespace
}  // namespace convscope::engine::test
