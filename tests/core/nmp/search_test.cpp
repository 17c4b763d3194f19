#include "core/nmp/search/search.h"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/search/solution.h"
#include "networks.h"
#include "oracle.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

void compare_with_oracle(Borders borders, CostLevel level, unsigned seed, int layers) {
  RandomProblems random(seed);
  int mapped = 0;
  for (int i = 0; i < layers; ++i) {
    const Problem p = random.next(borders);
    const CostModel model(p.convolution, p.machine);
    const auto found = best_tiling(model, {level, {}, {}}, {});
    const OracleBest best = oracle_best(p.convolution, p.machine, level == CostLevel::volume);
    ASSERT_EQ(found.has_value(), std::isfinite(best.seconds)) << i;
    if (!found) {
      ASSERT_FALSE(no_tiling(model).empty()) << i;
      continue;
    }
    ++mapped;
    ASSERT_NEAR(found->price, best.seconds, 1e-9 * best.seconds) << i << " " << tiling_text(found->tiling);
    ASSERT_EQ(model.violation(found->tiling), "");
  }
  EXPECT_GT(mapped, layers / 2);
}

TEST(Search, EqualsTheOracleWithFullTiles) {
  compare_with_oracle(Borders::full, CostLevel::burst, 1, 1000);
}
TEST(Search, EqualsTheOracleWithExactBorders) {
  compare_with_oracle(Borders::exact, CostLevel::burst, 2, 1000);
}
TEST(Search, EqualsTheOracleByVolume) {
  compare_with_oracle(Borders::full, CostLevel::volume, 3, 300);
  compare_with_oracle(Borders::exact, CostLevel::volume, 4, 300);
}

TEST(CostModel, CountsWhatTheOracleCounts) {
  RandomProblems random(5);
  int compared = 0;
  for (int i = 0; i < 4000; ++i) {
    const Problem p = random.next(i % 2 == 0 ? Borders::full : Borders::exact);
    const CostModel model(p.convolution, p.machine);
    if (model.sums().chunk == 0) continue;
    const Partition partition = partitions[random.pick(3)];
    const Schedule schedule = schedules[random.pick(3)];
    const auto& part = model.sums().of(partition);
    const Tiling t{partition,
                   schedule,
                   1 + random.pick(part.slice_rows),
                   1 + random.pick(p.convolution.columns.out),
                   1 + random.pick(model.channel_limit(partition, schedule)),
                   1 + random.pick(part.tlt_units)};
    const OracleCost cost = oracle_cost(p.convolution, p.machine, t);
    ASSERT_EQ(cost.fits, model.violation(t).empty()) << i << " " << tiling_text(t) << " " << model.violation(t);
    if (!cost.fits) continue;
    ++compared;
    const Totals totals = model.evaluate(t);
    ASSERT_EQ(totals.all(), (Traffic{cost.bytes, cost.bursts, cost.commands})) << i << " " << tiling_text(t);
    ASSERT_EQ(totals.mac_cycles, cost.mac_cycles) << i << " " << tiling_text(t);
  }
  EXPECT_GT(compared, 500);
}

TEST(TilePlanOfNmp, AddsUpToTheTotalsWithExactBorders) {
  RandomProblems random(6);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const Problem p = random.next(Borders::exact);
    const CostModel model(p.convolution, p.machine);
    const auto best = best_tiling(model, {}, {});
    if (!best) continue;
    ++compared;
    const auto plan = make_tile_plan(p.convolution, p.machine, best->tiling);
    Traffic moved;
    std::int64_t macs = 0;
    for (std::int64_t s = 0; s < plan->steps(); ++s) {
      const artifact::TileStep step = plan->step(s);
      for (const auto& t : step.transfers) moved += {t.bytes, t.bursts, t.shared ? 0 : 1};
      for (const auto& w : step.work)
        macs += w.output.elements() * p.convolution.taps() * (p.convolution.depthwise ? 1 : w.input.size[0]);
    }
    ASSERT_EQ(moved.bytes, best->totals.all().bytes) << i << " " << plan->title();
    ASSERT_EQ(moved.bursts, best->totals.all().bursts) << i << " " << plan->title();
    ASSERT_EQ(moved.commands, best->totals.all().commands) << i << " " << plan->title();
    ASSERT_EQ(macs, p.convolution.macs()) << i << " " << plan->title();
  }
  EXPECT_GT(compared, 150);
}

Convolution inception_fifth() {
  std::string reason;
  return *convolution_of(paper_networks()[0].layers[4], reason);
}

TEST(Search, ChoosesThePapersTilesOfInceptionsFifthLayer) {
  const CostModel model(inception_fifth(), board());
  const auto input_tile = [&](CostLevel level) {
    const Tiling t = best_tiling(model, {level, Partition::rows, Schedule::input_stationary}, {})->tiling;
    return std::vector<int>{t.channels, model.convolution().rows.full_tile(t.rows),
                            model.convolution().columns.full_tile(t.columns)};
  };
  EXPECT_EQ(input_tile(CostLevel::burst), (std::vector<int>{14, 4, 73}));
  EXPECT_EQ(input_tile(CostLevel::volume), (std::vector<int>{16, 11, 20}));
}

TEST(Search, FixedStrategiesAreNeverBetterAndOneIsBest) {
  const CostModel model(inception_fifth(), board());
  const double best = best_tiling(model, {}, {})->price;
  double least = 1;
  for (const Partition p : partitions)
    for (const Schedule s : schedules) {
      const auto fixed = best_tiling(model, {CostLevel::burst, p, s}, {});
      ASSERT_TRUE(fixed);
      EXPECT_EQ(fixed->tiling.partition, p);
      EXPECT_EQ(fixed->tiling.schedule, s);
      EXPECT_GE(fixed->price, best);
      least = std::min(least, fixed->price);
    }
  EXPECT_EQ(least, best);
}

// On real layers, where the oracle's walk through tiles would take too long: the closed form, every size.
TEST(Search, EqualsExhaustionOnLayersOfThePaper) {
  for (const Borders borders : {Borders::full, Borders::exact})
    for (const PaperNetwork& network : paper_networks())
      for (std::size_t i = 0; i < network.layers.size(); i += 9) {
        Machine machine = board();
        machine.borders = borders;
        std::string reason;
        Convolution convolution = *convolution_of(network.layers[i], reason);
        convolution.residual = i % 2 == 1;
        const CostModel model(convolution, machine);
        for (const Partition p : partitions)
          for (const Schedule s : schedules) {
            const auto found = best_tiling(model, {CostLevel::burst, p, s}, {});
            const auto all = exhaustive_tiling(model, p, s);
            ASSERT_EQ(found.has_value(), all.best.has_value());
            if (found) {
              ASSERT_EQ(found->tiling, all.best->tiling) << network.name << " " << network.layers[i].name;
            }
          }
      }
}

TEST(Search, StopsWhenAsked) {
  const CostModel model(inception_fifth(), board());
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(best_tiling(model, {}, source.get_token()), Cancelled);
}

// The largest layer of each kind that is not refused, and one of the paper's: how long a stop can go unseen is counted,
// not timed. A look takes below a microsecond (see bench), so 4096 of them take a few milliseconds at most.
TEST(Search, LooksAtTheStopTokenOften) {
  for (const auto& layer : {paper_networks()[0].layers[2], convolution(4096, {1, 1}, 4096, {1, 1}, 1, true),
                            convolution(3, {1024, 1024}, 8, {3, 3}, 1, true)})
    for (const Borders borders : {Borders::full, Borders::exact})
      for (const CostLevel level : {CostLevel::burst, CostLevel::banked}) {
        if (level == CostLevel::banked && layer.in.size.height > 512) continue;
        Machine machine = board();
        machine.borders = borders;
        std::string reason;
        const CostModel model(*convolution_of(layer, reason), machine);
        SearchEffort effort;
        ASSERT_TRUE(best_tiling(model, {level, {}, {}}, {}, &effort));
        EXPECT_GT(effort.looks, 100);
        EXPECT_LE(effort.most_between_polls, search_poll_interval);
        EXPECT_GE(effort.polls * search_poll_interval, effort.looks);
      }
}

TEST(Search, TablesOfHugeLayersStopToo) {
  const Convolution c{{1, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}, 1 << 20, 1 << 20, 1, 1, false};
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(CostModel(c, board(), source.get_token()), Cancelled);
}

double total_microseconds(const PaperNetwork& network, const SearchOptions& options) {
  target::NoCache cache;
  std::map<std::string, double> solved;
  double sum = 0;
  for (const network::Layer& layer : network.layers) {
    std::string reason;
    const auto c = convolution_of(layer, reason);
    EXPECT_TRUE(c) << reason;
    auto [place, fresh] = solved.try_emplace(c->key(), 0);
    if (fresh) place->second = solve(*c, board(), options, cache, {})->seconds.total() * 1e6;
    sum += place->second;
  }
  return sum;
}

TEST(Table1, TsoColumnComesOut) {
  double errors = 0;
  for (const PaperNetwork& network : paper_networks()) {
    const double ours = total_microseconds(network, {});
    const double error = std::abs(ours / network.microseconds - 1);
    RecordProperty(network.name, std::to_string(ours));
    EXPECT_LE(error, 0.18) << network.name << ": " << ours << " us here, " << network.microseconds << " us published";
    errors += error;
  }
  EXPECT_LE(errors / 5, 0.075);
}

TEST(Table1, NetworksHaveThePapersConvolutions) {
  std::vector<std::size_t> counts, distinct;
  for (const PaperNetwork& network : paper_networks()) {
    counts.push_back(network.layers.size());
    std::set<std::string> keys;
    std::string reason;
    for (const network::Layer& layer : network.layers) keys.insert(convolution_of(layer, reason)->key());
    distinct.push_back(keys.size());
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{94, 2, 52, 53, 26}));
  EXPECT_EQ(distinct, (std::vector<std::size_t>{43, 2, 30, 20, 22}));
}

TEST(Table1, FiltersAreSharedOutLastRowsFirst) {
  for (const PaperNetwork& network : paper_networks()) {
    if (network.layers.size() < 4) continue;
    const auto quarter = [&](std::size_t from, std::size_t to, Partition p) {
      return total_microseconds({network.name,
                                 0,
                                 {network.layers.begin() + static_cast<std::ptrdiff_t>(from),
                                  network.layers.begin() + static_cast<std::ptrdiff_t>(to)}},
                                {CostLevel::burst, p, {}});
    };
    const std::size_t n = network.layers.size();
    for (const Partition other : {Partition::filters_and_rows, Partition::rows})
      EXPECT_LT(quarter(n - n / 4, n, Partition::filters), quarter(n - n / 4, n, other)) << network.name;
    for (const Partition other : {Partition::filters, Partition::filters_and_rows})
      EXPECT_LT(quarter(0, n / 4, Partition::rows), quarter(0, n / 4, other)) << network.name;
  }
}

}  // namespace
}  // namespace convscope::nmp
