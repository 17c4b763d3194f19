#include "core/snowflake/simulate/recording.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

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

double busy(const std::vector<RecordedInterval>& intervals) {
  return std::accumulate(intervals.begin(), intervals.end(), 0.0,
                         [](double before, const RecordedInterval& interval) { return before + interval.busy; });
}

double busy(const Recording& recording, Resource resource, Activity activity) {
  double cycles = 0;
  for (const RecordedInterval& interval : recording.of(resource))
    if (interval.activity == activity) cycles += interval.busy;
  return cycles;
}

TEST(SnowflakeRecording, ShowsWhatTheStatisticsCount) {
  const Program program = busy_program();
  const Recording recording = record(program);
  const SimulationResult& result = recording.result;
  ASSERT_FALSE(result.refusal) << result.refusal->what;
  EXPECT_EQ(result.cycles, simulate(program).cycles);
  EXPECT_EQ(busy(recording, Resource::control, Activity::issue), static_cast<double>(result.total.instructions));
  for (std::size_t cause = 0; cause < control_stalls; ++cause)
    EXPECT_EQ(
        busy(recording, Resource::control, static_cast<Activity>(static_cast<std::size_t>(Activity::wait_raw) + cause)),
        static_cast<double>(result.total.control_stall_cycles[cause]));
  for (std::size_t cause = 0; cause < vector_stalls; ++cause)
    EXPECT_EQ(busy(recording, Resource::compute_units,
                   static_cast<Activity>(static_cast<std::size_t>(Activity::stall_data) + cause)),
              static_cast<double>(result.total.vector_stall_cycles[cause]));
  EXPECT_EQ(busy(recording, Resource::compute_units, Activity::mac) +
                busy(recording, Resource::compute_units, Activity::vmov),
            static_cast<double>(result.total.vector_cycles));
  EXPECT_EQ(busy(recording, Resource::load_unit_1, Activity::load_maps), result.units[1].busy_cycles);
  EXPECT_TRUE(recording.of(Resource::load_unit_0).empty());
  EXPECT_EQ(busy(recording.of(Resource::store)), result.store_busy_cycles);
}

TEST(SnowflakeRecording, IntervalsFollowEachOther) {
  for (const std::size_t most : {std::size_t{1} << 14, std::size_t{16}}) {
    const Recording recording = record(busy_program(), most);
    for (const auto& intervals : recording.intervals)
      for (std::size_t i = 1; i < intervals.size(); ++i) EXPECT_LE(intervals[i - 1].end(), intervals[i].begin);
  }
}

TEST(SnowflakeRecording, KnowsLayerAndTile) {
  Program program = busy_program();
  program.layers.resize(2);
  program.ranges = {{CodeRange::Kind::window, 0, 12, 0, 0, 0}, {CodeRange::Kind::window, 12, 2, 1, 3, 0}};
  const Recording recording = record(program);
  bool second = false;
  for (const RecordedInterval& interval : recording.of(Resource::compute_units)) {
    EXPECT_EQ(interval.layer, interval.instruction >= 12 && interval.instruction < 14 ? 1 : 0);
    EXPECT_EQ(interval.tile, interval.layer == 1 ? 3 : 0);
    second = second || interval.layer == 1;
  }
  EXPECT_TRUE(second);
}

TEST(SnowflakeRecording, JoinsIntervalsWhenThereAreTooMany) {
  const Recording fine = record(busy_program()), coarse = record(busy_program(), 16);
  for (std::size_t i = 0; i < resources; ++i) {
    const auto& many = fine.intervals[i];
    const auto& few = coarse.intervals[i];
    EXPECT_LE(few.size(), 16U);
    EXPECT_NEAR(busy(many), busy(few), 1e-6);
    EXPECT_EQ(fine.resolution[i], 0);
    EXPECT_EQ(coarse.resolution[i] > 0, many.size() > 16);
    if (many.empty()) continue;
    EXPECT_EQ(many.front().begin, few.front().begin);
    EXPECT_EQ(many.back().end(), few.back().end());
  }
  EXPECT_GT(fine.of(Resource::compute_units).size(), 100U);
}

}  // namespace
}  // namespace convscope::snowflake
