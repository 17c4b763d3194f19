// TLEs that share out the channels: every tile counted one by one, and the search beside all tilings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/banked.h"
#include "core/nmp/cost/transfers.h"
#include "core/nmp/search/search.h"
#include "exhaustion.h"
#include "oracle.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

/// Problems in which channels can be shared out.
class SharedChannels {
 public:
  explicit SharedChannels(unsigned seed) : random_(seed) {}

  Problem next(Borders borders) {
    Problem p = random_.next(borders);
    while (p.convolution.depthwise) p = random_.next(borders);
    p.machine.channel_partition = true;
    p.machine.tles = 2 + random_.pick(3);
    p.convolution.channels = p.machine.tles + random_.pick(8);
    p.machine.output_bytes *= 2;
    return p;
  }

  Tiling tiling(const CostModel& model) {
    Tiling t{Partition::channels, schedules[random_.pick(3)], 1, 1, 1, 1};
    const auto& part = model.sums().of(t.partition);
    t.rows += random_.pick(part.slice_rows);
    t.columns += random_.pick(model.convolution().columns.out);
    t.channels += random_.pick(model.channel_limit(t.partition, t.schedule));
    t.units += random_.pick(part.tlt_units);
    return t;
  }

 private:
  RandomProblems random_;
};

void count(Borders borders, unsigned seed) {
  SharedChannels random(seed);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const Problem p = random.next(borders);
    const CostModel model(p.convolution, p.machine);
    const Tiling t = random.tiling(model);
    const OracleCost cost = oracle_cost(p.convolution, p.machine, t);
    ASSERT_EQ(cost.fits, model.violation(t).empty()) << i << " " << tiling_text(t) << " " << model.violation(t);
    if (!cost.fits) continue;
    ++compared;
    const Totals totals = model.evaluate(t);
    ASSERT_EQ(totals.all(), (Traffic{cost.bytes, cost.bursts, cost.commands})) << i << " " << tiling_text(t);
    ASSERT_EQ(totals.mac_cycles, cost.mac_cycles) << i << " " << tiling_text(t);
  }
  EXPECT_GT(compared, 300);
}

TEST(ChannelPartition, CountsWhatTheOracleCounts) {
  count(Borders::full, 51);
  count(Borders::exact, 52);
}

void search(Borders borders, unsigned seed) {
  SharedChannels random(seed);
  int mapped = 0, shared = 0;
  for (int i = 0; i < 500; ++i) {
    const Problem p = random.next(borders);
    const CostModel model(p.convolution, p.machine);
    const auto found = best_tiling(model, {}, {});
    const auto best = exhaust(model);
    ASSERT_EQ(found.has_value(), best.has_value()) << i;
    if (!found) continue;
    ++mapped;
    shared += found->tiling.partition == Partition::channels ? 1 : 0;
    ASSERT_NEAR(found->price, best->price, 1e-9 * best->price) << i << " " << tiling_text(found->tiling);
    // What only channels can do is found as well.
    const auto alone = best_tiling(model, {CostLevel::burst, Partition::channels, {}}, {});
    if (!alone) continue;
    ASSERT_GE(alone->price, found->price * (1 - 1e-9));
  }
  EXPECT_GT(mapped, 60);
  EXPECT_GT(shared, 5);
}

TEST(ChannelPartition, SearchEqualsTryingEveryTiling) {
  search(Borders::full, 53);
  search(Borders::exact, 54);
}

// Tile plans and lists of transfers move what the totals say; the first TLE loads what the others stored before.
TEST(ChannelPartition, PlansAndTransfersAddUpToTheTotals) {
  SharedChannels random(55);
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    const Problem p = random.next(Borders::exact);
    const CostModel model(p.convolution, p.machine);
    const Tiling t = random.tiling(model);
    if (!model.violation(t).empty()) continue;
    ++compared;
    const Totals totals = model.evaluate(t);
    const auto plan = make_tile_plan(p.convolution, p.machine, t);
    Traffic drawn, listed;
    std::int64_t stored_sums = 0, loaded_sums = 0;
    for (std::int64_t step = 0; step < plan->steps(); ++step)
      for (const auto& transfer : plan->step(step).transfers) {
        drawn += {transfer.bytes, transfer.bursts, 1};
        if (transfer.move == artifact::TileMove::store_partial_sums) stored_sums += transfer.bytes;
        if (transfer.move == artifact::TileMove::load_partial_sums) loaded_sums += transfer.bytes;
        ASSERT_LE(loaded_sums, stored_sums);
      }
    const TransferList list(model, t);
    std::vector<Transfer> transfers;
    for (std::int64_t step = 0; step < list.steps(); ++step) list.add(step, transfers);
    for (const Transfer& transfer : transfers) listed.bytes += transfer.pattern.useful_bytes();
    ASSERT_EQ(drawn.bytes, totals.all().bytes) << i << " " << tiling_text(t);
    ASSERT_EQ(drawn.bursts, totals.all().bursts) << i << " " << tiling_text(t);
    ASSERT_EQ(listed.bytes, totals.all().bytes) << i << " " << tiling_text(t);
    ASSERT_EQ(loaded_sums, stored_sums);
    ASSERT_EQ(loaded_sums, totals.partial_loads.bytes);
    ASSERT_GT(banked_seconds(model, t), 0);
  }
  EXPECT_GT(compared, 60);
}

// 2048 maps of 7 x 7 for 64 filters: each TLE loads a quarter of the inputs instead of all.
TEST(ChannelPartition, WinsWhereInputsAreManyAndOutputsFew) {
  Convolution c;
  c.rows = c.columns = {7, 7, 1, 1, 1, 0};
  c.channels = 2048;
  c.units = 64;
  Machine m = board();
  const auto without = best_tiling(CostModel(c, m), {}, {});
  m.channel_partition = true;
  const auto with = best_tiling(CostModel(c, m), {}, {});
  EXPECT_EQ(with->tiling.partition, Partition::channels);
  EXPECT_LT(with->price, without->price);
  EXPECT_EQ(name_of(with->tiling.partition), "IFM");
  Solution solution;
  solution.tiling = with->tiling;
  solution.totals = with->totals;
  solution.seconds = seconds_of(with->totals, m);
  EXPECT_NEAR(static_cast<double>(make_timeline(c, m, solution)->length()), with->price * m.clock_hz, 100);
}

TEST(ChannelPartition, IsNoneOfOneTleOfFewChannelsOrOfDepthwiseConvolutions) {
  Convolution c;
  c.rows = c.columns = {7, 7, 1, 1, 1, 0};
  c.channels = 8;
  c.units = 8;
  Machine m = board();
  EXPECT_EQ(partitions_of(c, m).size(), 3U);
  m.channel_partition = true;
  EXPECT_EQ(partitions_of(c, m).size(), 4U);
  m.tles = 1;
  EXPECT_EQ(partitions_of(c, m).size(), 3U);
  m.tles = 9;
  EXPECT_EQ(partitions_of(c, m).size(), 3U);
  m.tles = 4;
  c.depthwise = true;
  c.channels = 1;
  EXPECT_EQ(partitions_of(c, m).size(), 3U);
}

TEST(ChannelPartition, RefusesMachinesThatItIsNotMeantFor) {
  for (const auto& [name, value] : {std::pair{"tle_timing", "free-running"}, std::pair{"array", "rows"}}) {
    auto values = parameter_values(board());
    Diagnostics diagnostics;
    ASSERT_TRUE(values.set("channel_partition", "on", diagnostics));
    EXPECT_TRUE(values.check(diagnostics)) << diagnostics.text();
    ASSERT_TRUE(values.set("array_height", "8", diagnostics) && values.set(name, value, diagnostics));
    EXPECT_FALSE(values.check(diagnostics));
    EXPECT_THAT(diagnostics.text(), testing::HasSubstr("share out channels run in lockstep"));
  }
}

}  // namespace
}  // namespace convscope::nmp
