#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/snowflake/simulate/timeline.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

/// Turns with a load, a short and a long MAC, and more bookkeeping than they hide.
Program busy_program() {
  HandProgram hand(1 << 17);
  hand.configure(writing(4));
  hand.set(cu_stride_register, 4);
  hand.set(1, 0);
  hand.set(2, 512);
  hand.set(3, 100000);
  hand.set(8, 50);
  hand.set(9, 1024);
  hand.settle();
  const int top = hand.add(8, 8, -1);
  hand.load(LoadTarget::maps, 9, 1, 2, 1, 0, 0, true);
  hand.mac(3, 1, 1, 64, false);
  hand.mac(3, 1, 1, 1024, true);
  hand.bias(1);
  const int branch = static_cast<int>(hand.program.code.size());
  hand.branch(Opcode::bgt, 8, 0, top - branch);
  hand.nop(4);
  hand.halt();
  return hand.finished();
}

double sum(const std::vector<TimelineInterval>& lane, double TimelineInterval::*member) {
  return std::accumulate(lane.begin(), lane.end(), 0.0,
                         [&](double before, const TimelineInterval& interval) { return before + interval.*member; });
}

TEST(SnowflakeTimeline, ShowsWhatTheStatisticsCount) {
  const Program program = busy_program();
  RunTimeline timeline;
  const auto result = simulate(program, timeline);
  ASSERT_FALSE(result.refusal) << result.refusal->what;
  EXPECT_EQ(result.cycles, simulate(program).cycles);
  ASSERT_EQ(timeline.layers.size(), 1U);
  const LayerTimeline& layer = timeline.layers[0];
  std::int64_t waits = 0, stalls = 0;
  for (const auto cycles : result.total.control_stall_cycles) waits += cycles;
  for (const auto cycles : result.total.vector_stall_cycles) stalls += cycles;
  EXPECT_EQ(sum(layer.lane(TimelineLane::control), &TimelineInterval::busy),
            static_cast<double>(result.total.instructions + waits));
  EXPECT_EQ(sum(layer.lane(TimelineLane::compute_units), &TimelineInterval::busy),
            static_cast<double>(result.total.vector_cycles + stalls));
  EXPECT_EQ(sum(layer.lane(TimelineLane::unit_1), &TimelineInterval::busy), result.units[1].busy_cycles);
  EXPECT_TRUE(layer.lane(TimelineLane::unit_0).empty());
  EXPECT_EQ(sum(layer.lane(TimelineLane::store), &TimelineInterval::busy), result.store_busy_cycles);
}

TEST(SnowflakeTimeline, IntervalsFollowEachOther) {
  RunTimeline timeline;
  simulate(busy_program(), timeline);
  for (const auto& lane : timeline.layers[0].lanes)
    for (std::size_t i = 1; i < lane.size(); ++i) EXPECT_LE(lane[i - 1].end, lane[i].begin);
}

TEST(SnowflakeTimeline, JoinsIntervalsWhenThereAreTooMany) {
  RunTimeline fine, coarse;
  simulate(busy_program(), fine);
  simulate(busy_program(), coarse, 16);
  for (std::size_t lane = 0; lane < timeline_lanes; ++lane) {
    const auto& many = fine.layers[0].lanes[lane];
    const auto& few = coarse.layers[0].lanes[lane];
    EXPECT_LE(few.size(), 16U);
    EXPECT_NEAR(sum(many, &TimelineInterval::busy), sum(few, &TimelineInterval::busy), 1e-6);
    if (many.empty()) continue;
    EXPECT_EQ(many.front().begin, few.front().begin);
    EXPECT_EQ(many.back().end, few.back().end);
  }
  EXPECT_GT(fine.layers[0].lane(TimelineLane::compute_units).size(), 100U);
}

}  // namespace
}  // namespace convscope::snowflake
