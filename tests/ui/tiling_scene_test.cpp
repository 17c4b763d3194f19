// The facts that the tiling view draws, from a made-up plan and from real layers.

#include "ui/views/layer/tiling/tiling_scene.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tiling_layers.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using artifact::TileTensor;

TilingScene scene_of(std::shared_ptr<const artifact::TilePlan> plan) {
  TilingScene::Content content;
  content.plan = std::move(plan);
  return TilingScene(std::move(content));
}

TEST(TilingScene, CutsFollowTheLoopsThatMoveTiles) {
  const TilingScene scene = scene_of(test::made_up_plan());
  const TileCuts& rows = scene.cuts(TileTensor::output, 1);
  EXPECT_EQ(rows.loops, std::vector<int>{0});
  ASSERT_EQ(rows.cuts.size(), 3U);
  EXPECT_EQ(rows.cuts[2].begin, 4);
  EXPECT_EQ(rows.cuts[2].order, 2);
  EXPECT_EQ(scene.cuts(TileTensor::output, 2).cuts.size(), 2U);
  EXPECT_EQ(scene.cuts(TileTensor::output, 0).cuts.size(), 2U);  // one for each worker
  EXPECT_TRUE(scene.cuts(TileTensor::weights, 0).loops.empty());
  EXPECT_EQ(scene.tiles(TileTensor::output), 6);
  EXPECT_EQ(scene.tiles(TileTensor::weights), 1);
  EXPECT_EQ(scene.tile_number(TileTensor::input, {2, 1}), 5);
}

TEST(TilingScene, FirstUseAndOrderOfATile) {
  const TilingScene scene = scene_of(test::made_up_plan());
  EXPECT_EQ(scene.first_use(TileTensor::output, 1, 2, 2, 1, {0, 0}), 5);
  const TileCuts &rows = scene.cuts(TileTensor::output, 1), &columns = scene.cuts(TileTensor::output, 2);
  EXPECT_EQ(scene.compare(rows, 0, columns, 1, {1, 0}), -1);
  EXPECT_EQ(scene.compare(rows, 1, columns, 0, {1, 0}), 0);
  EXPECT_EQ(scene.compare(rows, 1, columns, 1, {1, 0}), 1);
}

TEST(TilingScene, PositionsAreCarriedToAnotherPlan) {
  const TilingScene before = scene_of(test::made_up_plan(10)), same = scene_of(test::made_up_plan(10)),
                    finer = scene_of(test::made_up_plan(20));
  const TilePosition position = before.position(before.plan().number_of({7, 1}));
  EXPECT_EQ(same.plan().index_of(same.step_at(position)), (std::vector<std::int64_t>{7, 1}));
  EXPECT_EQ(finer.plan().index_of(finer.step_at(position)), (std::vector<std::int64_t>{14, 1}));
  TilePosition foreign = position;
  foreign.loops[0].name = "something else";
  EXPECT_EQ(finer.step_at(foreign), 30);
}

TEST(TilingScene, LinesSumTransfersUp) {
  const auto plan = test::made_up_plan();
  const auto lines = transfer_lines(plan->step(0), 10);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].tensor, TileTensor::weights);
  EXPECT_EQ(lines[1].commands, 2);
  EXPECT_EQ(lines[1].bytes, 24);
  EXPECT_TRUE(lines[0].multicast);
  EXPECT_EQ(held_boxes(plan->step(0), TileTensor::input).size(), 1U);
  EXPECT_EQ(held_boxes(plan->step(0), TileTensor::output).size(), 2U);
  EXPECT_EQ(moved_now(plan->step(1), TileTensor::weights), nullptr);
  ASSERT_NE(moved_now(plan->step(1), TileTensor::output), nullptr);
}

TEST(TilingScene, CsvSaysWhereItStops) {
  const std::string whole = scene_of(test::made_up_plan()).csv();
  EXPECT_EQ(whole.find("cut here"), std::string::npos);
  EXPECT_EQ(test::csv_widths(whole).size(), 1U + 2 + 6 * 3);
  const std::string cut = scene_of(test::made_up_plan(1'000'000)).csv();
  EXPECT_NE(cut.find("cut here: 2000000 steps in all"), std::string::npos);
  for (const std::size_t width : test::csv_widths(cut)) EXPECT_EQ(width, 13U);
}

/// Every tile of every real layer lies in its tensor, and loads that are jumped to are loads.
TEST(TilingScene, RealLayersAreConsistent) {
  const auto run = test::nmp_run("squeezenet_1_0");
  ASSERT_NE(run, nullptr);
  for (const auto& layer : run->layers) {
    const auto plan = layer->tile_plan();
    if (!plan) continue;
    const TilingScene scene = scene_of(plan);
    for (const TileTensor tensor : artifact::tile_tensors) {
      for (int d = 0; d < 3; ++d) {
        const std::int64_t size = plan->tensor(tensor).size[static_cast<std::size_t>(d)];
        const auto& cuts = scene.cuts(tensor, d).cuts;
        ASSERT_FALSE(cuts.empty());
        EXPECT_EQ(cuts.front().begin, 0);
        for (const TileCut& cut : cuts) EXPECT_LE(cut.begin + cut.size, size);
      }
      const auto next = scene.next_load(0, tensor);
      if (!next) continue;
      EXPECT_NE(moved_now(plan->step(*next), tensor), nullptr);
    }
  }
}

/// The jump finds the very next load, as a walk through all steps does.
TEST(TilingScene, NextLoadIsTheNext) {
  const auto run = test::nmp_run("lenet");
  ASSERT_NE(run, nullptr);
  int compared = 0;
  for (const auto& layer : run->layers) {
    const auto tools = layer->tiling_tools();
    if (!tools) continue;
    for (const std::string& strategy : tools->strategies()) {
      const target::Alternative best = tools->best(strategy, {});
      if (!best.plan || best.plan->steps() > 3000) continue;
      const TilingScene scene = scene_of(best.plan);
      for (const TileTensor tensor : {TileTensor::input, TileTensor::weights}) {
        std::int64_t from = 0;
        while (const auto next = scene.next_load(from, tensor)) {
          for (std::int64_t step = from + 1; step < *next; ++step) {
            EXPECT_EQ(moved_now(best.plan->step(step), tensor), nullptr);
          }
          from = *next;
          ++compared;
        }
        for (std::int64_t step = from + 1; step < best.plan->steps(); ++step) {
          EXPECT_EQ(moved_now(best.plan->step(step), tensor), nullptr);
        }
      }
    }
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace convscope::ui
