// Exact ticks of the load units and of the memory that they share.

#include <gtest/gtest.h>

#include "tests/core/snowflake/event_log.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

// Of 2^-20 byte: a byte at efficiency 0.88; 2.1 GB/s at 250 MHz in a sixteenth of a cycle; the cost of an LD.
constexpr std::int64_t byte_work = 1191564, rate = 550502, cost = 900LL << 20;

std::int64_t transfer_ticks(std::int64_t bytes, std::int64_t at_rate = rate) {
  return (bytes * byte_work + cost + at_rate - 1) / at_rate;
}

SimulationResult run(HandProgram& hand, EventLog& log) {
  hand.halt();
  SimulationResult result = watch(hand.finished(), log);
  EXPECT_FALSE(result.refusal) << result.refusal->what;
  return result;
}

/// Maps LDs of `words` each, one a cycle from cycle 10: the i-th to CU i % 4 and its own place, on unit `units[i]`.
void load_all(HandProgram& hand, const std::vector<int>& units, int words) {
  hand.set(20, words);
  hand.nop(9);
  for (std::size_t i = 0; i < units.size(); ++i)
    hand.load(LoadTarget::maps, 0, 0, 20, units[i], static_cast<int>(i % 4));
}

TEST(SnowflakeLoads, ALoneUnitIsCapped) {
  HandProgram hand;
  load_all(hand, {0}, 16384);
  EventLog log;
  const auto result = run(hand, log);
  ASSERT_EQ(log.streams.size(), 1U);
  EXPECT_EQ(log.streams[0].begin, (10 + 60) * 16);
  EXPECT_EQ(log.streams[0].end - log.streams[0].begin, transfer_ticks(32768));
  EXPECT_EQ(result.cycles, static_cast<double>(log.streams[0].end) / 16);
  EXPECT_EQ(result.units[0].bytes, 32768);
  EXPECT_EQ(result.units[0].busy_cycles, static_cast<double>(transfer_ticks(32768)) / 16);
}

TEST(SnowflakeLoads, AUnitPausesBetweenStreams) {
  HandProgram hand;
  load_all(hand, {0, 0, 0}, 100);
  EventLog log;
  run(hand, log);
  ASSERT_EQ(log.streams.size(), 3U);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(log.streams[i].begin, log.streams[i - 1].end + 8 * 16);
    EXPECT_EQ(log.streams[i].end, log.streams[i].begin + transfer_ticks(200));
  }
}

// 64 KB over two units and over four: the memory is the limit, not the units.
TEST(SnowflakeLoads, TwoBalancedUnitsAreAsFastAsFour) {
  const auto cycles = [](const std::vector<int>& units) {
    HandProgram hand;
    load_all(hand, units, 8192);
    EventLog log;
    return run(hand, log).cycles;
  };
  const double four = cycles({0, 1, 2, 3}), two = cycles({0, 1, 0, 1}), one = cycles({0, 0, 0, 0});
  EXPECT_NEAR(two / four, 1, 0.01);
  EXPECT_NEAR(one / four, 2, 0.05);
}

// Three of equal length share 4.2 GB/s; the unit cap would allow 2.1 GB/s each.
TEST(SnowflakeLoads, ActiveStreamsShareEqually) {
  HandProgram hand;
  load_all(hand, {0, 1, 2}, 8192);
  EventLog log;
  run(hand, log);
  ASSERT_EQ(log.streams.size(), 3U);
  const std::int64_t third = 1101005 / 3;  // 4.2 GB/s in a tick, rounded
  // From its begin a cycle after the second one's, the third stream shares with both until the first one ends.
  const std::int64_t work = 16384 * byte_work + cost;
  const std::int64_t alone = 16 * rate, with_one = 16 * rate;  // two reach their caps
  EXPECT_EQ(log.streams[0].end, (10 + 62) * 16 + (work - alone - with_one + third - 1) / third);
  EXPECT_LT(log.streams[0].end, log.streams[1].end);
  EXPECT_LT(log.streams[1].end, log.streams[2].end);
}

TEST(SnowflakeLoads, AUnitHoldsEight) {
  HandProgram hand;
  load_all(hand, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 1000);
  EventLog log;
  const auto result = run(hand, log);
  ASSERT_EQ(log.streams.size(), 9U);
  const std::int64_t freed = (log.streams[0].end + 15) / 16;
  EXPECT_EQ(log.issue_of(log.streams[8].instruction), freed);
  EXPECT_EQ(result.total.stalled(ControlStall::load_unit_full), freed - 18);
}

TEST(SnowflakeLoads, AVectorInstructionWaitsForItsRegionsOnly) {
  for (const int maps_word : {511, 512}) {
    HandProgram hand;
    hand.configure(writing(1));
    hand.set(1, maps_word);
    hand.set(2, 0);
    hand.set(4, 100);
    hand.settle();
    hand.load(LoadTarget::maps, 2, 2, 4, 0, 0);
    const int mac = hand.mac(0, 1, 2, 1, false);
    EventLog log;
    const auto result = run(hand, log);
    ASSERT_EQ(log.runs.size(), 1U);
    const std::int64_t loaded = (log.streams[0].end + 15) / 16;
    EXPECT_EQ(log.runs[0].start, maps_word == 511 ? loaded : log.issue_of(mac) + 12);
    EXPECT_EQ(result.total.stalled(VectorStall::data), maps_word == 511 ? loaded - log.issue_of(mac) - 12 : 0);
  }
}

TEST(SnowflakeLoads, MaskedUnitsDoNotWait) {
  HandProgram hand;
  hand.configure(writing(1));
  hand.set(2, 0);
  hand.set(4, 100);
  hand.settle();
  hand.load(LoadTarget::maps, 2, 2, 4, 0, 3);
  hand.load(LoadTarget::kernels, 2, 2, 4, 1, 2, 1);
  const int mac = hand.mac(0, 2, 2, 16, false);
  EventLog log;
  run(hand, log);
  ASSERT_EQ(log.runs.size(), 1U);
  EXPECT_EQ(log.runs[0].start, log.issue_of(mac) + 12);
}

// The LD reads what a MAC before it writes: its latency begins when those words are in DRAM.
TEST(SnowflakeLoads, WaitsForWordsThatAreStillToBeStored) {
  for (const int from : {4096, 4112}) {
    HandProgram hand;
    hand.configure(writing(1));
    hand.set(2, 0);
    hand.set(3, 4096);
    hand.set(4, 16);
    hand.set(5, from);
    hand.settle();
    hand.mac(3, 2, 2, 1600, true);
    const int load = hand.load(LoadTarget::maps, 4, 5, 4, 0, 1);
    EventLog log;
    run(hand, log);
    ASSERT_EQ(log.streams.size(), 1U);
    ASSERT_EQ(log.stores.size(), 1U);
    const std::int64_t request = from == 4096 ? log.stores[0][1] : log.issue_of(load) * 16;
    EXPECT_EQ(log.streams[0].begin, request + 60 * 16);
  }
}

TEST(SnowflakeLoads, CountsSectionsByTile) {
  HandProgram hand;
  load_all(hand, {0, 0, 1, 2}, 100);
  hand.halt();
  Program& program = hand.finished();
  const int first = static_cast<int>(program.code.size()) - 5;
  program.ranges = {{CodeRange::Kind::loads, first, 2, 0, 0, 0}, {CodeRange::Kind::loads, first + 2, 2, 0, 1, 0}};
  const auto result = simulate(program);
  ASSERT_EQ(result.sections.size(), 2U);
  EXPECT_EQ(result.sections[0].bytes, (std::array<std::int64_t, 4>{400, 0, 0, 0}));
  EXPECT_EQ(result.sections[1].bytes, (std::array<std::int64_t, 4>{0, 200, 200, 0}));
  EXPECT_DOUBLE_EQ(load_imbalance(result.sections, 4), (3.0 + 1.0) / 2);
}

}  // namespace
}  // namespace convscope::snowflake
