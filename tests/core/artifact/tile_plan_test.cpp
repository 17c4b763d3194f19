#include "core/artifact/tile_plan.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace convscope::artifact {
namespace {

// Fig. 1 of "Tensor Slicing and Optimization for Multicore NPUs": one map of 128 x 128 elements of 2 bytes.
constexpr TiledTensor figure1{TileTensor::input, {1, 128, 128}, 2};

std::int64_t bursts_of_slices(std::int64_t rows, std::int64_t columns) {
  std::int64_t bursts = 0;
  for (std::int64_t r = 0; r < 128; r += rows)
    for (std::int64_t c = 0; c < 128; c += columns)
      bursts += bursts_of({TileTensor::input, {0, r, c}, {1, rows, columns}}, figure1, 128);
  return bursts;
}

TEST(TilePlan, CountsTheBurstsOfFigure1) {
  EXPECT_EQ(bursts_of_slices(128, 16), 1024);
  EXPECT_EQ(bursts_of_slices(128, 32), 512);
  EXPECT_EQ(bursts_of_slices(64, 64), 256);
}

TEST(TilePlan, CountsTheBurstsOfInceptionsFifthLayer) {
  const TiledTensor in{TileTensor::input, {80, 73, 73}, 2};
  EXPECT_EQ(bursts_of({TileTensor::input, {0, 0, 0}, {14, 4, 73}}, in, 128), 70);
  EXPECT_EQ(bursts_of({TileTensor::input, {0, 0, 0}, {16, 11, 20}}, in, 128), 176);
}

TEST(TilePlan, MergesRowsOfFullWidthThenFullHeight) {
  const TiledTensor in{TileTensor::input, {4, 6, 8}, 1};
  const auto runs = [&](std::int64_t maps, std::int64_t rows, std::int64_t columns) {
    const TileRuns r = runs_of({TileTensor::input, {}, {maps, rows, columns}}, in);
    return std::pair(r.count, r.length);
  };
  EXPECT_EQ(runs(2, 3, 4), (std::pair<std::int64_t, std::int64_t>(6, 4)));
  EXPECT_EQ(runs(2, 3, 8), (std::pair<std::int64_t, std::int64_t>(2, 24)));
  EXPECT_EQ(runs(2, 6, 8), (std::pair<std::int64_t, std::int64_t>(1, 96)));
  EXPECT_EQ(runs(2, 6, 7), (std::pair<std::int64_t, std::int64_t>(12, 7)));
  EXPECT_EQ(runs(0, 6, 8), (std::pair<std::int64_t, std::int64_t>(0, 0)));
}

TEST(TilePlan, PlacesRuns) {
  const TiledTensor in{TileTensor::input, {4, 6, 8}, 1};
  const TileBox box{TileTensor::input, {1, 2, 3}, {2, 2, 4}};
  std::vector<std::int64_t> first;
  for (std::int64_t i = 0; i < runs_of(box, in).count; ++i) first.push_back(run_of(box, in, i).first);
  EXPECT_EQ(first, (std::vector<std::int64_t>{48 + 16 + 3, 48 + 24 + 3, 96 + 16 + 3, 96 + 24 + 3}));
}

/// Pixel by pixel: rows, columns, maps.
TEST(TilePlan, RunsGoByTheOrderOfDimensions) {
  const TiledTensor in{TileTensor::input, {4, 6, 8}, 1, {1, 2, 0}};
  const auto runs = [&](std::int64_t maps, std::int64_t rows, std::int64_t columns) {
    const TileRuns r = runs_of({TileTensor::input, {}, {maps, rows, columns}}, in);
    return std::pair(r.count, r.length);
  };
  EXPECT_EQ(runs(2, 3, 8), (std::pair<std::int64_t, std::int64_t>(24, 2)));
  EXPECT_EQ(runs(4, 3, 5), (std::pair<std::int64_t, std::int64_t>(3, 20)));
  EXPECT_EQ(runs(4, 3, 8), (std::pair<std::int64_t, std::int64_t>(1, 96)));
  const TileBox box{TileTensor::input, {1, 2, 3}, {2, 2, 2}};
  std::vector<std::int64_t> first;
  for (std::int64_t i = 0; i < runs_of(box, in).count; ++i) first.push_back(run_of(box, in, i).first);
  EXPECT_EQ(first, (std::vector<std::int64_t>{2 * 32 + 13, 2 * 32 + 17, 3 * 32 + 13, 3 * 32 + 17}));
  for (std::int64_t place = 0; place < 4 * 6 * 8; ++place) {
    const auto [map, row, column] = element_at(in, place);
    EXPECT_EQ((row * 8 + column) * 4 + map, place);
  }
}

TEST(TilePlan, NumbersStepsFromTheOutermostLoop) {
  const std::vector<TiledTensor> tensors{
      figure1, {TileTensor::weights, {1, 1, 1}, 2}, {TileTensor::output, {1, 1, 1}, 2}};
  const TilePlan plan("", tensors, {{"rows", 3, 1, 3}, {"columns", 4, 1, 4}}, {}, 1, 1, 128,
                      [](const std::vector<std::int64_t>& index) {
                        TileStep step;
                        step.work.push_back({static_cast<int>(index[0]), static_cast<int>(index[1]), {}, {}, {}});
                        return step;
                      });
  EXPECT_EQ(plan.steps(), 12);
  EXPECT_EQ(plan.index_of(7), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(plan.number_of({1, 3}), 7);
  EXPECT_EQ(plan.step(7).work[0].worker, 3);
}

TEST(TilePlan, KeysNameAPartOfAStep) {
  const TilePlan plan(
      "", {figure1, {TileTensor::weights, {1, 1, 1}, 2}, {TileTensor::output, {1, 1, 1}, 2}},
      {{"rows", 3, 1, 3}, {"columns", 4, 1, 4}, {"channels", 5, 1, 5}}, {}, 2, 1, 128,
      [](const std::vector<std::int64_t>&) { return TileStep{}; }, 2);
  EXPECT_EQ(plan.steps_per_tile(), 20);
  std::vector<OperationKey> keys;
  for (const TileOperation& operation : {TileOperation{true, TileMove::load, TileTensor::input, 1, 0},
                                         TileOperation{false, TileMove::load, TileTensor::weights, -1, 0},
                                         TileOperation{false, TileMove::store_partial_sums, TileTensor::output, 0, 0}})
    for (const std::int64_t step : {0, 7, 19, 20, 59}) {
      const Ref ref = plan.ref_of(step, operation);
      EXPECT_EQ(plan.step_of(ref.operation, ref.iteration), step);
      EXPECT_EQ(ref.iteration, step / 20);
      TileOperation expected = operation;
      expected.position = step % 20;
      EXPECT_EQ(tile_operation(ref.operation), expected);
      keys.push_back(ref.operation);
    }
  std::sort(keys.begin(), keys.end());
  // Steps 0 and 20 are the same operation in two tiles, as are 19 and 59.
  EXPECT_EQ(std::unique(keys.begin(), keys.end()) - keys.begin(), 9);
}

TEST(TilePlan, OtherKeysAreNoStep) {
  const TilePlan plan("", {figure1, {TileTensor::weights, {1, 1, 1}, 2}, {TileTensor::output, {1, 1, 1}, 2}},
                      {{"rows", 3, 1, 3}}, {}, 1, 1, 128, [](const std::vector<std::int64_t>&) { return TileStep{}; });
  EXPECT_EQ(plan.step_of(0, 0), -1);
  EXPECT_EQ(plan.step_of(0x1234567812345678, 0), -1);
  const Ref last = plan.ref_of(2, {});
  EXPECT_EQ(plan.step_of(last.operation, 3), -1);
  EXPECT_EQ(plan.step_of(key_of({true, TileMove::load, TileTensor::input, 0, 3}), 0), -1);
}

}  // namespace
}  // namespace convscope::artifact
