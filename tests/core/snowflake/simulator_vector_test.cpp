// Exact cycles of the vector queue, the CUs and the store FIFO.

#include <numeric>

#include <gtest/gtest.h>

#include "tests/core/snowflake/event_log.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

SimulationResult run_vector(HandProgram& hand, EventLog& log) {
  hand.halt();
  SimulationResult result = watch(hand.finished(), log);
  EXPECT_FALSE(result.refusal) << result.refusal->what;
  return result;
}

/// Registers 1 and 2 are buffer words 0, r3 an output address; the next instruction is issued at cycle 10.
void prepare(HandProgram& hand, Configuration configuration = writing(4)) {
  hand.configure(configuration);
  hand.set(cu_stride_register, 16);
  hand.set(1, 0);
  hand.set(2, 0);
  hand.set(3, 4096);
  hand.nop(5);
}
constexpr int prepared = 10;

TEST(SnowflakeVector, StartsTwelveCyclesAfterItsDispatch) {
  HandProgram hand;
  prepare(hand);
  hand.mac(3, 1, 2, 100, false);
  EventLog log;
  const auto result = run_vector(hand, log);
  ASSERT_EQ(log.runs.size(), 1U);
  EXPECT_EQ(log.runs[0].start, prepared + 12);
  EXPECT_EQ(log.runs[0].end, prepared + 12 + 7);  // ceil(100 / 16)
  EXPECT_EQ(result.total.vector_cycles, 7);
  EXPECT_EQ(result.total.stalled(VectorStall::bookkeeping), prepared + 12);
  EXPECT_EQ(result.total.macs, 100 * 16);
  EXPECT_EQ(result.cycles, prepared + 12 + 7);
}

TEST(SnowflakeVector, FollowsWithoutAPause) {
  HandProgram hand;
  prepare(hand);
  for (int i = 0; i < 3; ++i) hand.mac(3, 1, 2, 32, false);
  EventLog log;
  const auto result = run_vector(hand, log);
  ASSERT_EQ(log.runs.size(), 3U);
  EXPECT_EQ(log.runs[1].start, log.runs[0].end);
  EXPECT_EQ(log.runs[2].start, log.runs[1].end);
  EXPECT_EQ(result.total.vector_cycles, 6);
}

// Dispatched in the cycle in which the one before ends, so the queue is empty.
TEST(SnowflakeVector, StartsAnewWhenTheQueueIsEmpty) {
  HandProgram hand;
  prepare(hand);
  hand.mac(3, 1, 2, 16, false);
  hand.nop(12);
  hand.mac(3, 1, 2, 16, false);
  EventLog log;
  run_vector(hand, log);
  ASSERT_EQ(log.runs.size(), 2U);
  EXPECT_EQ(log.runs[0].end, prepared + 13);
  EXPECT_EQ(log.runs[1].start, prepared + 13 + 12);
}

TEST(SnowflakeVector, TakesAsLongAsItsKindSays) {
  Configuration lanes = writing(1);
  lanes.lanes = true;
  HandProgram hand;
  prepare(hand);
  hand.mac(3, 1, 2, 2048, false);      // 128
  hand.mac(3, 1, 2, 40, false, true);  // independent: a word a cycle
  hand.max(3, 1, 160, false);          // 10
  hand.bias(1);                        // 1
  hand.bypass(1, 0);                   // 1
  hand.mac(3, 1, 2, 16, true);         // 1 and 1 for the write-back
  hand.configure(lanes);
  hand.settle();
  hand.mac(3, 1, 2, 96, false);  // 6 positions of one weight
  EventLog log;
  const auto result = run_vector(hand, log);
  std::vector<std::int64_t> cycles;
  for (const auto& ran : log.runs) cycles.push_back(ran.end - ran.start);
  EXPECT_EQ(cycles, (std::vector<std::int64_t>{128, 40, 10, 1, 1, 2, 6}));
  EXPECT_EQ(result.total.vector_instructions, 7);
  EXPECT_EQ(result.total.macs, 2048 * 16 + 40 * 256 + 16 * 16 + 96);
}

// 16 in the queue, so the 17th is dispatched when the first one ends.
TEST(SnowflakeVector, DispatchWaitsForRoomInTheQueue) {
  HandProgram hand;
  prepare(hand);
  for (int i = 0; i < 17; ++i) hand.mac(3, 1, 2, 1600, false);
  EventLog log;
  const auto result = run_vector(hand, log);
  ASSERT_EQ(log.runs.size(), 17U);
  const std::int64_t first_end = prepared + 12 + 100;
  EXPECT_EQ(log.runs[0].end, first_end);
  EXPECT_EQ(log.issue_of(log.runs[15].instruction), prepared + 15);
  EXPECT_EQ(log.issue_of(log.runs[16].instruction), first_end);
  EXPECT_EQ(result.total.stalled(ControlStall::queue_full), first_end - (prepared + 16));
}

TEST(SnowflakeVector, KeepsCooperativeWriteBacksApart) {
  Machine machine;
  machine.gather = 16;
  HandProgram hand(1 << 16, machine);
  prepare(hand);
  for (int i = 0; i < 3; ++i) hand.mac(3, 1, 2, 64, true);
  hand.mac(3, 1, 2, 4, true, true);  // independent: needs no gather adder
  EventLog log;
  const auto result = run_vector(hand, log);
  ASSERT_EQ(log.runs.size(), 4U);
  EXPECT_EQ(log.runs[0].end - log.runs[0].start, 5);
  EXPECT_EQ(log.runs[1].end - log.runs[0].end, 16);
  EXPECT_EQ(log.runs[2].end - log.runs[1].end, 16);
  EXPECT_EQ(log.runs[3].end - log.runs[3].start, 5);
  EXPECT_EQ(result.total.stalled(VectorStall::gather), 2 * 11);
}

// 512 bytes a write-back (4 CUs x 4 vMACs x 16 words) every 5 cycles, while the port takes 8.4 * 0.88 bytes a cycle.
TEST(SnowflakeVector, WaitsForRoomInTheStoreFifo) {
  HandProgram hand;
  prepare(hand);
  hand.set(cu_stride_register, 64);
  hand.settle();
  for (int i = 0; i < 12; ++i) hand.mac(3, 1, 2, 4, true, true);
  EventLog log;
  const auto result = run_vector(hand, log);
  ASSERT_EQ(log.runs.size(), 12U);
  ASSERT_EQ(log.stores.size(), 1U);
  EXPECT_EQ(log.stores[0][0], log.runs[0].end * 16);
  // All 12 x 512 bytes in one go.
  const std::int64_t bytes = 1191564, rate = 550502;
  const std::int64_t drained = (12 * 512 * bytes + rate - 1) / rate;
  EXPECT_EQ(log.stores[0][1] - log.stores[0][0], drained);
  // The ninth finds 8 x 512 bytes less what drained since the first; it starts when 512 are free.
  EXPECT_EQ(log.runs[7].start, log.runs[6].end);
  const std::int64_t freed = log.stores[0][0] + (512 * bytes + rate - 1) / rate;
  EXPECT_EQ(log.runs[8].start, (freed + 15) / 16);
  EXPECT_GT(log.runs[8].start, log.runs[7].end);
  EXPECT_EQ(result.total.traffic(Traffic::outputs), 12 * 512);
  EXPECT_EQ(result.total.stalled(VectorStall::store) + result.total.vector_cycles +
                result.total.stalled(VectorStall::bookkeeping),
            log.runs.back().end);
  EXPECT_EQ(result.layers[0].end_cycle, static_cast<double>(log.stores[0][1]) / 16);
  EXPECT_EQ(result.cycles, result.layers[0].end_cycle);
}

// Every cycle until the last vector instruction's end is busy or has a cause.
TEST(SnowflakeVector, EveryCycleHasACause) {
  HandProgram hand;
  prepare(hand);
  hand.set(5, 0);
  hand.set(6, 2000);
  hand.settle();
  hand.load(LoadTarget::maps, 5, 5, 6, 0, 0, 0, true);
  hand.mac(3, 1, 2, 64, true);
  hand.nop(40);
  hand.mac(3, 1, 2, 640, true);
  hand.nop(400);
  hand.mac(3, 1, 2, 64, true);
  EventLog log;
  const auto result = run_vector(hand, log);
  const auto& stalls = result.total.vector_stall_cycles;
  EXPECT_EQ(std::accumulate(stalls.begin(), stalls.end(), result.total.vector_cycles), log.runs.back().end);
  EXPECT_GT(result.total.stalled(VectorStall::data), 0);
  EXPECT_GT(result.total.stalled(VectorStall::bookkeeping), 0);
}

}  // namespace
}  // namespace convscope::snowflake
