// How a layer is divided: what a program will cost, which maps share one, which layouts there are.

#include <gtest/gtest.h>

#include "core/nve/passes/plan_layer.h"
#include "tests/core/nve/loops.h"

namespace convscope::nve::test {
namespace {

const OutputSize small_output{32, 20};

Switches exact() {
  return {.packing = true, .modulo = true, .fusion = true, .exact = true, .circular = true};
}

// Ten vector operations an iteration, 20 iterations a strip, two strips: and the start of each.
TEST(EstimateProgram, CountsIterationsOfTheLoop) {
  const auto cost = estimate_program({1, {{0}}}, {3, 3, 1, 1}, exact(), small_output, {});
  ASSERT_TRUE(cost);
  EXPECT_GE(cost->cycles, 2 * 20 * 10);
  EXPECT_LT(cost->cycles, 2 * 20 * 10 + 2 * 60);
  EXPECT_EQ(cost->pixel_words % 3, 0) << "three words a column";
  EXPECT_GE(cost->pixel_words, 2 * 22 * 3);
  EXPECT_GT(cost->words, cost->pixel_words) << "and coefficients";
  const auto wider = estimate_program({1, {{0}}}, {3, 3, 1, 1}, exact(), {32, 40}, {});
  EXPECT_EQ(wider->cycles - cost->cycles, 2 * 20 * 10);
}

TEST(EstimateProgram, KnowsWhatOverrunsABuffer) {
  EXPECT_FALSE(estimate_program({1, {{0}}}, {3, 3, 1, 1}, exact(), small_output, {.instruction_buffer_words = 9}));
  EXPECT_FALSE(estimate_program({1, {{0}}}, {3, 3, 1, 1}, exact(), small_output, {.local_buffer_words = 8}));
}

ProgramCost cycles(std::int64_t count) {
  return {count, 0, 0, 0};
}

TEST(PartitionMaps, GroupsWhatCostsLeastInSum) {
  // A program costs ten and its inputs: maps of common inputs belong together.
  const auto cost = [](const Structure& structure) -> std::optional<ProgramCost> {
    return cycles(10 + structure.inputs);
  };
  const Partition all = partition_maps({{0, 1}, {2, 3}, {0, 1}, {2, 3}}, 4, cost);
  ASSERT_EQ(all.groups.size(), 1U);
  EXPECT_EQ(all.cost.cycles, 14);
  const Partition pairs = partition_maps({{0, 1}, {2, 3}, {0, 1}, {2, 3}}, 2, cost);
  ASSERT_EQ(pairs.groups.size(), 2U);
  EXPECT_EQ(pairs.cost.cycles, 24);
  for (const MapGroup& group : pairs.groups) EXPECT_EQ(group.maps[1] - group.maps[0], 2) << "0 with 2, 1 with 3";
}

TEST(PartitionMaps, KeepsToWhatFits) {
  const auto only_single = [](const Structure& structure) -> std::optional<ProgramCost> {
    return structure.maps.size() > 1 ? std::nullopt : std::optional(cycles(1));
  };
  EXPECT_EQ(partition_maps({{0}, {0}, {0}}, 3, only_single).groups.size(), 3U);
  const auto never = [](const Structure&) -> std::optional<ProgramCost> { return std::nullopt; };
  EXPECT_TRUE(partition_maps({{0}, {0}}, 2, never).groups.empty());
}

TEST(SingleMaps, AreOneGroupEach) {
  const auto groups = single_maps({{3}, {1, 2}});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[1].maps, std::vector<int>{1});
  EXPECT_EQ(groups[1].inputs, (std::vector<int>{1, 2}));
}

TEST(LayoutsOf, AreThoseThatTheSwitchesAllowAndTheRegisterHolds) {
  Switches switches = exact();
  EXPECT_EQ(layouts_of({3, 3, 2, 2}, switches, {}).size(), 1U);
  switches.polyphase = switches.half_vector = true;
  const auto strided = layouts_of({3, 3, 2, 2}, switches, {});
  ASSERT_EQ(strided.size(), 3U);  // half a vector only where neighbouring lanes take neighbouring pixels
  EXPECT_FALSE(strided[0].polyphase);
  EXPECT_TRUE(strided[1].polyphase && strided[2].polyphase && strided[2].half_vector);
  EXPECT_EQ(layouts_of({3, 3, 1, 1}, switches, {}).size(), 2U);
  EXPECT_TRUE(layouts_of({9, 3, 1, 1}, switches, {}).empty()) << "nine rows need a longer extension";
}

// The image register and the instruction's group bits are made for pixels up to 8 apart.
TEST(LayoutsOf, BeyondAStrideOfEightArePolyphaseOnly) {
  Switches switches = exact();
  EXPECT_EQ(layouts_of({1, 1, 8, 8}, switches, {}).size(), 1U);
  EXPECT_TRUE(layouts_of({1, 1, 9, 9}, switches, {}).empty());
  switches.polyphase = true;
  const auto layouts = layouts_of({1, 1, 9, 9}, switches, {});
  ASSERT_EQ(layouts.size(), 1U);
  EXPECT_TRUE(layouts.front().polyphase);
}

}  // namespace
}  // namespace convscope::nve::test
