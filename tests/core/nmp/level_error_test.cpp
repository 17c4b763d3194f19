// The errors that estimates carry, measured again: chosen tilings of the paper's networks by each level's time beside
// the cycle simulator's.

#include "core/nmp/cost/level_error.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/cost/measured_errors.h"
#include "core/nmp/cost/simulated.h"
#include "core/nmp/search/solution.h"
#include "networks.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

constexpr const char* level_names[] = {"volume", "burst", "banked", "walk"};

bool full() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

/// Preset nmp-board with true borders, so that what is charged is what is moved.
Machine measured_machine(int kind, int ranks) {
  Machine m = board();
  m.borders = Borders::exact;
  m.dram.kind = kind;
  m.dram.ranks = ranks;
  return m;
}

struct Sum {
  double sum = 0, worst = 0;
  int count = 0;
  void add(double error) {
    sum += error;
    worst = std::max(worst, error);
    ++count;
  }
};
using Sums4 = std::map<std::pair<int, int>, Sum>;  // by level and kind of run

/// Adds the errors of one layer at all levels. Levels often choose the same tiling: it is simulated once.
void measure(const Convolution& c, const Machine& m, Sums4& sums) {
  const CostModel model(c, m);
  target::NoCache cache;
  std::map<Tiling, double> simulated;
  for (int level = 0; level < 4; ++level) {
    const auto solution = solve(c, m, {static_cast<CostLevel>(level), {}, {}}, cache, {});
    if (!solution->reason.empty()) continue;
    if (solution->totals.all().bytes > (full() ? 16 : 2) << 20) continue;
    const auto [known, made] = simulated.try_emplace(solution->tiling);
    if (made) known->second = simulated_seconds(model, solution->tiling, {});
    const RunKind kind = run_kind(mean_run_bytes(c, m, solution->tiling, solution->occupancy, solution->totals),
                                  model.dram().organization.line_bytes());
    sums[{level, static_cast<int>(kind)}].add(std::abs(solution->seconds.dram() / known->second - 1));
  }
}

// CONVSCOPE_FULL measures every layer that moves at most 16 MiB, on one and two ranks, prints the table and
// compares it. Else a few of these: the worst that is stated is an upper limit for each.
TEST(LevelErrors, AreWhatIsStated) {
  for (int kind = 0; kind < static_cast<int>(dram::kinds().size()); ++kind) {
    Sums4 sums;
    for (const int ranks : full() ? std::vector{1, 2} : std::vector{1})
      for (const Convolution& c : distinct_convolutions(full() ? 1 : 30))
        measure(c, measured_machine(kind, ranks), sums);
    for (const auto& [key, sum] : sums) {
      const double mean = std::round(1000 * sum.sum / sum.count) / 1000, worst = std::ceil(1000 * sum.worst) / 1000;
      const std::string& name = dram::kinds()[static_cast<std::size_t>(kind)].name;
      if (full())
        fmt::print("      {{\"{}\", \"{}\", {}, {:.3f}, {:.3f}, {}}},\n", name, level_names[key.first], key.second,
                   mean, worst, sum.count);
      const auto stated =
          level_error(measured_machine(kind, 1), static_cast<CostLevel>(key.first), static_cast<RunKind>(key.second));
      EXPECT_TRUE(stated) << name << level_names[key.first];
      if (!stated) continue;
      EXPECT_GE(stated->worst + 0.0015, worst) << name << level_names[key.first] << key.second;
      if (full()) {
        EXPECT_NEAR(stated->mean, mean, 0.0015) << name << level_names[key.first] << key.second;
      }
    }
  }
}

TEST(LevelErrors, StandForEveryKindLevelAndRun) {
  for (int kind = 0; kind < static_cast<int>(dram::kinds().size()); ++kind)
    for (int level = 0; level < 4; ++level)
      for (int runs = 0; runs < run_kinds; ++runs) {
        const auto error =
            level_error(measured_machine(kind, 1), static_cast<CostLevel>(level), static_cast<RunKind>(runs));
        ASSERT_TRUE(error) << kind << level << runs;
        EXPECT_GT(error->layers, 0);
        EXPECT_GE(error->worst, error->mean);
      }
}

TEST(LevelErrors, AreNotStatedForBurstsThatWereNotMeasured) {
  Machine m = board();
  EXPECT_TRUE(level_error(m, CostLevel::burst, RunKind::rows));
  m.cas_seconds = 28e-9;
  EXPECT_FALSE(level_error(m, CostLevel::burst, RunKind::rows));
  EXPECT_TRUE(level_error(m, CostLevel::walk, RunKind::rows)) << "which looks at no CAS latency";
}

TEST(LevelErrors, TellRunsByTheirLength) {
  EXPECT_EQ(run_kind(56, 64), RunKind::below_line);
  EXPECT_EQ(run_kind(64, 64), RunKind::few_lines);
  EXPECT_EQ(run_kind(256, 64), RunKind::many_lines);
  EXPECT_EQ(run_kind(256, 128), RunKind::few_lines);
  EXPECT_EQ(run_kind(2048, 64), RunKind::rows);
}

// Every run of the transfer list, and the mean that is read off the tiling's sizes.
TEST(LevelErrors, MeanRunsAreThoseOfTheTransfers) {
  for (const Convolution& c : distinct_convolutions(25)) {
    const Machine m = measured_machine(1, 1);
    const CostModel model(c, m);
    const auto best = best_tiling(model, {}, {});
    const TransferList list(model, best->tiling);
    std::vector<Transfer> transfers;
    for (std::int64_t step = 0; step < list.steps(); ++step) list.add(step, transfers);
    double bytes = 0, runs = 0;
    for (const Transfer& t : transfers) {
      bytes += static_cast<double>(t.pattern.useful_bytes());
      runs += static_cast<double>(t.pattern.runs * t.pattern.maps);
    }
    const double mean = mean_run_bytes(c, m, best->tiling, model.occupancy(best->tiling), best->totals);
    EXPECT_NEAR(mean / (bytes / runs), 1, 0.35) << c.key();
  }
}

TEST(LevelErrors, AreCarriedByLayersAndTotals) {
  const Convolution c = distinct_convolutions(1)[4];
  target::NoCache cache;
  const Machine m = measured_machine(1, 1);
  const auto solution = solve(c, m, {CostLevel::walk, {}, {}}, cache, {});
  const auto metrics = layer_metrics(c, *solution, m, CostLevel::walk);
  ASSERT_TRUE(metrics.find("dram_error"));
  EXPECT_GT(metrics.find("dram_error")->value, 0);
  EXPECT_EQ(metrics.find("dram_error")->origin, Origin::simulated);
  EXPECT_GE(metrics.find("dram_error_worst")->value, metrics.find("dram_error")->value);
  EXPECT_NE(metrics.text("dram_error_of").find("DDR3-2133"), std::string_view::npos) << metrics.text("dram_error_of");
  const auto total = total_metrics({metrics, metrics}, m);
  ASSERT_TRUE(total.find("dram_error"));
  EXPECT_NEAR(total.find("dram_error")->value, metrics.find("dram_error")->value, 1e-12);
}

}  // namespace
}  // namespace convscope::nmp
