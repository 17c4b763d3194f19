// A batch beside one convolution whose rows are those of all images: the same work for the cost model, which knows
// nothing of batches.

#include "core/nmp/artifacts/batch.h"

#include <gtest/gtest.h>

#include "core/nmp/artifacts/layer_metrics.h"
#include "tests/core/nmp/random_problems.h"

namespace convscope::nmp {
namespace {

constexpr int images = 3;

/// 1x1 kernels, so that images can lie below one another; filters alone are shared out.
Convolution flat(RandomProblems& random) {
  Convolution c;
  const int rows = 1 + random.pick(6), columns = 2 + random.pick(6);
  c.rows = {.in = rows, .out = rows};
  c.columns = {.in = columns, .out = columns};
  c.channels = 1 + random.pick(9);
  c.units = 1 + random.pick(24);
  return c;
}

Convolution stacked(Convolution c) {
  c.rows.in *= images;
  c.rows.out *= images;
  return c;
}

Solution solution_of(const CostModel& model, const Tiling& tiling) {
  Solution solution;
  solution.tiling = tiling;
  solution.totals = model.evaluate(tiling);
  solution.occupancy = model.occupancy(tiling);
  solution.seconds = seconds_of(solution.totals, model.machine());
  return solution;
}

struct Case {
  Schedule schedule;
  bool double_buffering;
};

class NmpBatch : public testing::TestWithParam<Case> {};

TEST_P(NmpBatch, TakesWhatTheSameRowsInOneImageTake) {
  RandomProblems random(11);
  int kept = 0, again = 0;
  for (int i = 0; i < 600; ++i) {
    const Convolution c = flat(random);
    Machine m = random.next(Borders::exact).machine;
    m.double_buffering = GetParam().double_buffering;
    m.shared_bytes = 0;
    m.burst_bytes = 1;  // bursts of one tile may hold the end of an image and the beginning of the next
    const CostModel one(c, m), all(stacked(c), m);
    // Tiles as high as an image, so that none holds two.
    Tiling t{Partition::filters, GetParam().schedule, c.rows.out, 1 + random.pick(c.columns.out - 1), 1, 1};
    t.channels = 1 + random.pick(one.channel_limit(t.partition, t.schedule));
    t.units = 1 + random.pick(one.sums().of(t.partition).tlt_units);
    if (!one.in_range(t) || !one.violation(t).empty()) continue;
    const Solution solution = solution_of(one, t);
    const artifact::Metrics metrics = layer_metrics(c, solution, m, CostLevel::burst);
    const auto batch = batch_figures(c, m, CostLevel::burst, solution, metrics, images);
    const Totals totals = all.evaluate(t);
    EXPECT_EQ(batch.bytes_weights, totals.weights.bytes);
    EXPECT_EQ(batch.bytes_in, totals.in.bytes + totals.partial_loads.bytes + totals.residual.bytes);
    EXPECT_EQ(batch.bytes_out, totals.out.bytes + totals.partial_stores.bytes);
    EXPECT_NEAR(batch.seconds.value, seconds_of(totals, m).total(), 1e-9 * batch.seconds.value);
    (batch.weights == artifact::BatchFigures::Weights::kept ? kept : again) += 1;
  }
  EXPECT_GT(kept + again, 20);
  EXPECT_EQ(kept > 0, GetParam().schedule != Schedule::output_stationary);
  EXPECT_EQ(again > 0, GetParam().schedule != Schedule::weight_stationary);
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, NmpBatch,
    testing::Values(Case{Schedule::input_stationary, false}, Case{Schedule::input_stationary, true},
                    Case{Schedule::output_stationary, false}, Case{Schedule::weight_stationary, false},
                    Case{Schedule::weight_stationary, true}),
    [](const auto& each) {
      return std::string(name_of(each.param.schedule)) + (each.param.double_buffering ? "Doubled" : "");
    });

TEST(NmpBatchOfBanks, SavesBytesAndClaimsNoTime) {
  RandomProblems random(3);
  const Convolution c = flat(random);
  Machine m = board();
  m.burst_bytes = 8;
  const CostModel model(c, m);
  const Tiling t{Partition::filters, Schedule::weight_stationary, 1, 1, 1, 1};
  const Solution solution = solution_of(model, t);
  const artifact::Metrics metrics = layer_metrics(c, solution, m, CostLevel::burst);
  const auto batch = batch_figures(c, m, CostLevel::banked, solution, metrics, images);
  EXPECT_EQ(batch.bytes_saved, (images - 1) * metrics.bytes_weights);
  EXPECT_EQ(batch.seconds.value, images * metrics.seconds.value);
  EXPECT_EQ(batch.seconds_saved, 0);
}

/// Images of a fully connected layer beside a convolution written by hand that has them as pixels.
TEST(NmpBatchFullyConnected, IsTheConvolutionOverImagesWhereThatIsFaster) {
  Convolution c;
  c.rows = c.columns = {.in = 2, .out = 1, .kernel = 2};
  c.channels = 16;
  c.units = 100;
  const Machine m = board();
  target::NoCache cache;
  const auto one = solve(c, m, {}, cache, {});
  const artifact::Metrics metrics = layer_metrics(c, *one, m, CostLevel::burst);
  Convolution together;
  together.rows = {.in = 1, .out = 1};
  together.channels = 64;
  together.units = 100;
  for (const int count : {2, 8, 64}) {
    together.columns = {.in = count, .out = count};
    const auto best = solve(together, m, {}, cache, {});
    const auto batch = batch_figures(c, m, CostLevel::burst, *one, metrics, count);
    EXPECT_NEAR(batch.seconds.value, best->seconds.total(), 1e-9 * best->seconds.total());
    EXPECT_LT(batch.seconds.value, count * metrics.seconds.value);
    EXPECT_NEAR(batch.seconds_saved, count * metrics.seconds.value - batch.seconds.value, 1e-12);
    EXPECT_EQ(batch.bytes_weights, best->totals.weights.bytes);
    EXPECT_EQ(batch.weights, artifact::BatchFigures::Weights::kept);
    EXPECT_EQ(batch.macs, count * metrics.macs);
  }
  const auto single = batch_figures(c, m, CostLevel::burst, *one, metrics, 1);
  EXPECT_DOUBLE_EQ(single.seconds.value, metrics.seconds.value);
}

TEST(NmpReasons, SayWhatKindOfConvolutionIsNotSliced) {
  network::Layer deep;
  deep.operator_name = "Conv";
  deep.space.kernel = {3, 3, 3};
  deep.other.macs = 1;
  std::string reason;
  EXPECT_FALSE(convolution_of(deep, reason));
  EXPECT_EQ(reason,
            "it convolves over 3 dimensions; NMP's search slices convolutions over rows and columns, and fully "
            "connected layers");
  network::Layer open;
  open.other.known = false;
  EXPECT_FALSE(convolution_of(open, reason));
  EXPECT_EQ(reason, "its shape is not known; stating the input size may help");
}

}  // namespace
}  // namespace convscope::nmp
