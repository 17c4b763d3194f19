// What TLEs share comes from DRAM once and around the ring to the others: the estimate, against the walk through every
// tile and the search through every tiling.

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/free_running.h"
#include "core/nmp/cost/transfers.h"
#include "core/nmp/search/contenders.h"
#include "core/nmp/search/solution.h"
#include "exhaustion.h"
#include "generated_tilings.h"
#include "networks.h"
#include "oracle.h"
#include "rings.h"

namespace convscope::nmp {
namespace {

TEST(Ring, CountsWhatTheOracleCounts) {
  RandomProblems random(401);
  int compared = 0, inputs = 0, weights = 0;
  for (int i = 0; i < 3000; ++i) {
    const Problem p = ring_problem(random, i % 2 == 0 ? Borders::full : Borders::exact);
    const CostModel model(p.convolution, p.machine);
    const auto t = random_tiling(model, random);
    if (!t) continue;
    const OracleCost cost = oracle_cost(p.convolution, p.machine, *t);
    ASSERT_TRUE(cost.fits) << i << " " << tiling_text(*t);
    const Totals totals = model.evaluate(*t);
    ASSERT_EQ(totals.all(), (Traffic{cost.bytes, cost.bursts, cost.commands})) << i << " " << tiling_text(*t);
    ASSERT_EQ(totals.ring(), (RingTraffic{cost.ring_bytes, cost.ring_hops})) << i << " " << tiling_text(*t);
    ASSERT_EQ(totals.mac_cycles, cost.mac_cycles) << i << " " << tiling_text(*t);
    inputs += totals.ring_in.hops > 0 ? 1 : 0;
    weights += totals.ring_weights.hops > 0 ? 1 : 0;
    ++compared;
  }
  EXPECT_GT(compared, 1500);
  EXPECT_GT(inputs, 200);
  EXPECT_GT(weights, 200);
}

TEST(Ring, SearchEqualsTheOracle) {
  RandomProblems random(402);
  int mapped = 0;
  for (int i = 0; i < 500; ++i) {
    const Problem p = ring_problem(random, i % 2 == 0 ? Borders::full : Borders::exact);
    const CostLevel level = i % 5 == 0 ? CostLevel::volume : CostLevel::burst;
    const auto found = best_tiling(CostModel(p.convolution, p.machine), {level, {}, {}}, {});
    const OracleBest best = oracle_best(p.convolution, p.machine, level == CostLevel::volume);
    ASSERT_EQ(found.has_value(), std::isfinite(best.seconds)) << i;
    if (!found) continue;
    ++mapped;
    ASSERT_NEAR(found->price, best.seconds, 1e-9 * best.seconds) << i << " " << tiling_text(found->tiling);
  }
  EXPECT_GT(mapped, 250);
}

TEST(Ring, SearchEqualsExhaustionWithDoubledMemories) {
  RandomProblems random(403);
  int mapped = 0;
  for (int i = 0; i < 400; ++i) {
    Problem p = ring_problem(random, i % 2 == 0 ? Borders::full : Borders::exact);
    p.machine.double_buffering = false;
    const int set = 1 + random.pick(7);
    p.machine = with_doubled(p.machine, {set % 2 != 0, set / 2 % 2 != 0, set > 3});
    const CostModel model(p.convolution, p.machine);
    const auto found = best_tiling(model, {}, {}), best = exhaust(model);
    ASSERT_EQ(found.has_value(), best.has_value()) << i;
    if (!found) continue;
    ++mapped;
    ASSERT_EQ(found->tiling, best->tiling) << i;
  }
  EXPECT_GT(mapped, 150);
}

TEST(Ring, OneSearchServesAllBandwidths) {
  RandomProblems random(404);
  const BandwidthRange range{1e9, 16e9};
  for (int i = 0; i < 300; ++i) {
    Problem p = ring_problem(random, i % 2 == 0 ? Borders::full : Borders::exact);
    p.machine.double_buffering = false;
    const auto all = contenders(CostModel(p.convolution, p.machine), {}, range, {});
    for (const double bandwidth : {1e9, 3.3e9, 16e9}) {
      p.machine.bandwidth = bandwidth;
      const auto direct = best_tiling(CostModel(p.convolution, p.machine), {}, {});
      const auto best = best_of(all, p.machine, CostLevel::burst);
      ASSERT_EQ(direct.has_value(), best.has_value()) << i;
      if (direct) {
        ASSERT_EQ(direct->tiling, best->tiling) << i;
      }
    }
  }
}

TEST(Ring, TransfersAndTilePlanAddUpToTheTotals) {
  RandomProblems random(405);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const Problem p = ring_problem(random, Borders::exact);
    const CostModel model(p.convolution, p.machine);
    const auto best = best_tiling(model, {}, {});
    if (!best) continue;
    ++compared;
    TransferList list(model, best->tiling);
    const auto plan = make_tile_plan(p.convolution, p.machine, best->tiling);
    std::vector<Transfer> transfers;
    Traffic moved;
    for (std::int64_t s = 0; s < list.steps(); ++s) {
      list.add(s, transfers);
      for (const auto& t : plan->step(s).transfers) moved += {t.bytes, t.bursts, t.shared ? 0 : 1};
    }
    std::int64_t bytes = 0;
    for (const Transfer& t : transfers) bytes += t.pattern.useful_bytes();
    ASSERT_EQ(bytes, best->totals.all().bytes) << i;
    ASSERT_EQ(moved, best->totals.all()) << i;
  }
  EXPECT_GT(compared, 150);
}

Convolution inception_layer(std::size_t layer) {
  std::string reason;
  return *convolution_of(paper_networks()[0].layers[layer], reason);
}

// Of a TLE alone, or with a ring that takes no time.
TEST(Ring, SavesWhatItDoesNotTake) {
  for (const std::size_t layer : {2U, 4U, 40U, 90U}) {
    Machine machine = board();
    const Convolution c = inception_layer(layer);
    const double without = best_tiling(CostModel(c, machine), {}, {})->price;
    machine.ring = {true, 16, 4};
    const double with = best_tiling(CostModel(c, machine), {}, {})->price;
    EXPECT_LT(with, without) << layer;
    machine.ring = {true, 1, 1024};
    const double slow = best_tiling(CostModel(c, machine), {}, {})->price;
    EXPECT_GT(slow, with) << layer;
    machine.ring.on = false;
    EXPECT_EQ(best_tiling(CostModel(c, machine), {}, {})->price, without) << layer;
    // What a shared buffer as large as any tile hands out without any time.
    machine.ring = {true, 1024, 0};
    const double fast = best_tiling(CostModel(c, machine), {}, {})->price;
    machine.ring = {};
    machine.shared_bytes = 1 << 20;
    const double shared = best_tiling(CostModel(c, machine), {}, {})->price;
    EXPECT_GE(fast, shared) << layer;
    EXPECT_LT(fast, 1.02 * shared) << layer;
  }
}

TEST(Ring, IsNoOtherWayBesideASharedBuffer) {
  arch::ParameterValues values(machine_description());
  EXPECT_EQ(values.get_choice("ring"), "off");
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("ring", "on", diagnostics));
  EXPECT_TRUE(values.check(diagnostics));
  EXPECT_TRUE(machine_from(values).ring.on);
  ASSERT_TRUE(values.set("shared_buffer", "4096", diagnostics));
  EXPECT_FALSE(values.check(diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("with ring=on, shared_buffer must be 0"));
  EXPECT_FALSE(values.set("ring_bytes", "0", diagnostics));
  EXPECT_FALSE(values.set("ring_latency", "1025", diagnostics));
}

/// Turns of free-running TLEs: what has the DRAM, and the ring, has it alone.
struct Turns {
  double dram = 0, ring = 0, commands = 0, dram_free = 0, ring_free = 0, end = 0;
  std::vector<double> mac;
  bool alone = true;

  void add(const Turn& t) {
    const double loads = t.residual + t.partial_sums + t.input + t.weights;
    const double taken = loads + t.output, at_dram = t.begin + loads + t.output;
    constexpr double rounding = 1e-15;
    if (taken > 0) {
      alone &= t.begin >= dram_free - rounding;
      dram_free = at_dram;
    }
    if (t.ring > 0) {
      alone &= t.ring_begin >= ring_free - rounding && t.ring_begin >= at_dram - rounding;
      ring_free = t.ring_begin + t.ring;
    }
    dram += taken;
    ring += t.ring;
    commands += t.commands;
    mac[static_cast<std::size_t>(t.tle)] += t.mac;
    end = std::max({end, at_dram + t.mac, ring_free});
  }
};

TEST(Ring, FreeRunningTlesTakeTurnsAtDramAndRing) {
  RandomProblems random(406);
  int compared = 0, rings = 0;
  for (int i = 0; i < 1000; ++i) {
    Problem p = ring_problem(random, i % 2 == 0 ? Borders::full : Borders::exact);
    p.machine.double_buffering = false;
    p.machine.free_running = true;
    p.convolution.repeats = 1;
    const CostModel model(p.convolution, p.machine);
    const auto tiling = random_tiling(model, random);
    if (!tiling) continue;
    ++compared;
    Turns turns;
    turns.mac.resize(static_cast<std::size_t>(p.machine.tles));
    const double ratio = free_running_ratio(model, *tiling, 1, {}, [&](const Turn& t) { turns.add(t); });
    const Seconds lockstep = seconds_of(model.evaluate(*tiling), p.machine);
    ASSERT_TRUE(turns.alone) << i << " " << tiling_text(*tiling);
    ASSERT_NEAR(turns.dram, lockstep.dram(), 1e-9 * lockstep.total()) << i << " " << tiling_text(*tiling);
    ASSERT_NEAR(turns.ring, lockstep.ring, 1e-9 * lockstep.total()) << i << " " << tiling_text(*tiling);
    ASSERT_NEAR(turns.commands, lockstep.commands, 1e-9 * lockstep.total()) << i << " " << tiling_text(*tiling);
    const double busiest = *std::max_element(turns.mac.begin(), turns.mac.end());
    ASSERT_NEAR(busiest, lockstep.mac, 1e-9 * lockstep.total()) << i << " " << tiling_text(*tiling);
    ASSERT_NEAR(ratio * lockstep.total(), turns.end, 1e-9 * lockstep.total()) << i << " " << tiling_text(*tiling);
    ASSERT_LE(turns.end, lockstep.total() * (1 + 1e-9)) << i << " " << tiling_text(*tiling);
    ASSERT_GE(turns.end, turns.dram * (1 - 1e-9)) << i;
    rings += turns.ring > 0 ? 1 : 0;
  }
  EXPECT_GT(compared, 500);
  EXPECT_GT(rings, 150);
}

TEST(Ring, LevelsByBanksChargeItBesideTheDram) {
  Machine machine = board();
  machine.borders = Borders::exact;
  const Convolution c = inception_layer(40);
  target::NoCache cache;
  for (const CostLevel level : {CostLevel::banked, CostLevel::walk}) {
    machine.ring = {};
    const auto without = solve(c, machine, {level, {}, {}}, cache, {});
    machine.ring = {true, 16, 4};
    const auto with = solve(c, machine, {level, {}, {}}, cache, {});
    EXPECT_EQ(without->seconds.ring, 0);
    EXPECT_GT(with->seconds.ring, 0);
    EXPECT_LT(with->seconds.total(), without->seconds.total());
  }
}

}  // namespace
}  // namespace convscope::nmp
