#include "core/nmp/search/contenders.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/search/sizes.h"
#include "core/nmp/search/solution.h"
#include "exhaustion.h"
#include "networks.h"
#include "random_problems.h"
#include "tests/core/target/looked_at.h"

namespace convscope::nmp {
namespace {

// Machines on which whole terms cost nothing, so that many tilings tie.
Machine with_free_terms(Machine m, int which) {
  if (which % 3 == 1) m.cas_seconds = 0;
  if (which % 5 == 1) m.command_seconds = 0;
  if (which % 7 == 1) m.clock_hz = 1e30;
  return m;
}

// Of tilings with equal prices, too, the very one.
TEST(Search, FindsTheTilingThatExhaustionPrefers) {
  RandomProblems random(11);
  int mapped = 0;
  for (int i = 0; i < 1000; ++i) {
    Problem p = random.next(Borders::exact);
    p.machine = with_free_terms(p.machine, i);
    const CostModel model(p.convolution, p.machine);
    const auto found = best_tiling(model, {}, {});
    const auto best = exhaust(model);
    ASSERT_EQ(found.has_value(), best.has_value()) << i;
    if (!found) continue;
    ++mapped;
    ASSERT_EQ(found->price, best->price) << i;
    ASSERT_EQ(found->tiling, best->tiling)
        << i << " " << tiling_text(found->tiling) << " / " << tiling_text(best->tiling);
  }
  EXPECT_GT(mapped, 500);
}

TEST(Contenders, HoldTheBestOfEachBandwidth) {
  RandomProblems random(12);
  std::size_t compared = 0, most = 0;
  for (int i = 0; i < 600; ++i) {
    Problem p = random.next(i % 2 == 0 ? Borders::exact : Borders::full);
    p.machine = with_free_terms(p.machine, i);
    p.machine.double_buffering = false;
    const CostLevel level = i % 4 < 3 ? CostLevel::burst : CostLevel::volume;
    const BandwidthRange range{1e8, i % 5 == 0 ? 1e12 : 4e8};
    const auto found = contenders(CostModel(p.convolution, p.machine), {level, {}, {}}, range, {});
    most = std::max(most, found.size());
    for (const double bandwidth : {1e8, 1.1e8, 2e8, 3.3e8, range.high}) {
      p.machine.bandwidth = bandwidth;
      const auto expected = best_tiling(CostModel(p.convolution, p.machine), {level, {}, {}}, {});
      const auto best = best_of(found, p.machine, level);
      ASSERT_EQ(best.has_value(), expected.has_value()) << i;
      if (!best) continue;
      ++compared;
      ASSERT_EQ(best->price, expected->price) << i << " at " << bandwidth;
      ASSERT_EQ(best->tiling, expected->tiling) << i << " at " << bandwidth;
      ASSERT_EQ(best->totals, expected->totals) << i << " at " << bandwidth;
    }
  }
  EXPECT_GT(compared, 1500U);
  EXPECT_GT(most, 1U);
}

TEST(Solution, IsSearchedOnceForBandwidthsThatAreClose) {
  std::string reason;
  const Convolution c = *convolution_of(paper_networks()[0].layers[4], reason);
  target::CountingCache cache;
  Machine machine = board();
  machine.borders = Borders::exact;
  for (const double bandwidth : {15.9e9, 16e9, 17e9, 20e9, 31e9, 63e9}) {
    machine.bandwidth = bandwidth;
    const auto solution = solve(c, machine, {}, cache, {});
    const CostModel model(c, machine);
    const auto expected = best_tiling(model, {}, {});
    ASSERT_TRUE(expected);
    EXPECT_EQ(solution->tiling, expected->tiling);
    EXPECT_EQ(solution->totals, expected->totals);
    EXPECT_EQ(solution->occupancy.input, model.occupancy(expected->tiling).input);
    EXPECT_EQ(solution->seconds.total(), expected->price);
  }
  EXPECT_EQ(cache.count("nmp.search"), 6);
  EXPECT_EQ(cache.count("nmp.contenders"), 2);
}

// Where the price is not linear in the time of a byte, each bandwidth is searched for itself.
TEST(Solution, IsSearchedForEachBandwidthWithDoubleBuffering) {
  std::string reason;
  const Convolution c = *convolution_of(paper_networks()[0].layers[4], reason);
  target::CountingCache cache;
  Machine machine = board();
  machine.double_buffering = true;
  for (const double bandwidth : {17e9, 20e9}) {
    machine.bandwidth = bandwidth;
    EXPECT_EQ(solve(c, machine, {}, cache, {})->tiling, best_tiling(CostModel(c, machine), {}, {})->tiling);
  }
  EXPECT_EQ(cache.count("nmp.contenders"), 0);
}

// With 16-bit elements the MACs of 8-bit ones don't count. The search for a range of bandwidths isn't asked for with
// double buffering, nor at level banked.
TEST(PassKeys, HoldWhatSearchesDependOnAndNoMore) {
  network::Network network;
  network.layers = {convolution(16, {14, 14}, 16, {3, 3}, 1, true)};
  const std::set<std::string> tiling = {"tles",
                                        "tlts",
                                        "element",
                                        "macs_16_bit",
                                        "clock",
                                        "mac_efficiency",
                                        "input_memory",
                                        "weight_memory",
                                        "output_memory",
                                        "partial_sum",
                                        "shared_buffer",
                                        "burst",
                                        "cas",
                                        "command_cost",
                                        "borders",
                                        "array",
                                        "array_height",
                                        "array_width",
                                        "array_inputs",
                                        "array_sums",
                                        "memory_sharing",
                                        "channel_partition",
                                        "ring",
                                        "ring_bytes",
                                        "ring_latency"};
  std::set<std::string> burst = tiling, banked;
  burst.insert({"double_buffering", "bandwidth", "tle_timing"});
  banked = burst;
  for (const auto& parameter : machine_description()->parameters)
    if (parameter.name.rfind("dram", 0) == 0) banked.insert(parameter.name);
  EXPECT_GT(banked.size(), burst.size() + 30);
  const auto target = make_nmp_target();
  using testing::Pair;
  using testing::UnorderedElementsAre;
  EXPECT_THAT(target::looked_at(*target, network, 0, "burst"),
              UnorderedElementsAre(Pair("nmp.search", burst), Pair("nmp.contenders", tiling)));
  EXPECT_THAT(target::looked_at(*target, network, 0, "banked"), UnorderedElementsAre(Pair("nmp.search", banked)));
}

// 1.3 million looks if every size is tried.
TEST(Search, LeavesOutSizesThatCannotWin) {
  std::string reason;
  Machine machine = board();
  machine.borders = Borders::exact;
  machine.tles = 2;
  machine.input_bytes = machine.output_bytes = 16384;
  const CostModel model(*convolution_of(convolution(2048, {1, 1}, 1000, {1, 1}, 1, false), reason), machine);
  SearchEffort effort;
  ASSERT_TRUE(best_tiling(model, {}, {}, &effort));
  EXPECT_LT(effort.looks, 20'000);
}

TEST(WorthwhileSizes, StandForEverySize) {
  RandomProblems random(13);
  for (int i = 0; i < 200; ++i) {
    const Problem p = random.next(Borders::exact);
    const CostModel model(p.convolution, p.machine);
    if (model.sums().chunk == 0) continue;
    const WorthwhileSizes sizes(model, {});
    std::vector<int> seen;
    for (const int size : sizes.columns().descending()) {
      const std::vector<int> behind = sizes.columns().behind(size);
      EXPECT_EQ(behind.back(), size);
      seen.insert(seen.end(), behind.begin(), behind.end());
    }
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen.size(), static_cast<std::size_t>(p.convolution.columns.out));
    for (std::size_t at = 0; at < seen.size(); ++at) EXPECT_EQ(seen[at], static_cast<int>(at) + 1);
  }
}

}  // namespace
}  // namespace convscope::nmp
