// Levels banked and walk: against published simulations, our simulator, and each other.

#include "core/nmp/cost/banked.h"

#include <cmath>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "core/dram/forms/banked.h"
#include "core/dram/forms/walk.h"
#include "core/dram/simulate/simulate.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/floors.h"
#include "core/nmp/cost/simulated.h"
#include "core/nmp/cost/walked.h"
#include "core/nmp/search/search.h"
#include "networks.h"

namespace convscope::nmp {
namespace {

dram::Parameters ddr4(int ranks) {
  dram::Parameters p = dram::kind("DDR4-3200");
  p.organization.clock_hz = 1.6e9;
  p.organization.ranks = ranks;
  if (ranks == 1) p.controller.queue = 24;  // and 8 for each bank
  return p;
}

dram::RequestSource lines_of(const dram::Pattern& pattern, int line_bytes) {
  return [lines = dram::Lines(pattern, line_bytes)](dram::Request& request) mutable {
    if (lines.done()) return false;
    request = {lines.address(), false, false};
    lines.next();
    return true;
  };
}

// Cycle-accurate simulations of DDR4-3200: runs that start 16 KiB after one another. Two ranks have a queue of 32 and 8
// for each bank, as our simulator has; one rank, another simulator, a single queue of 32.
TEST(Banked, MeetsSimulatedBandwidthsWithinTenPercent) {
  const double gigabytes[2][6] = {{5.2, 20.7, 23.6, 23.0, 23.8, 16.8}, {2.6, 10.5, 23.3, 24.4, 21.0, 15.8}};
  const std::int64_t lengths[] = {16, 64, 256, 1024, 4096, 16384};
  for (const int ranks : {2, 1})
    for (int i = 0; i < 6; ++i) {
      const dram::Parameters p = ddr4(ranks);
      const dram::Pattern runs{0, lengths[i], (1 << 20) / lengths[i], 16384, 1, 0, false};
      const double expected = gigabytes[2 - ranks][i];
      const auto bandwidth = [&](double cycles) { return (1 << 20) * p.organization.clock_hz / cycles / 1e9; };
      EXPECT_NEAR(bandwidth(dram::banked_cycles(runs, p)), expected, 0.1 * expected) << lengths[i] << ", " << ranks;
      EXPECT_NEAR(bandwidth(static_cast<double>(dram::Walk(p).transfer(runs))), expected, 0.1 * expected)
          << lengths[i] << ", " << ranks;
      if (ranks == 1) continue;
      EXPECT_NEAR(bandwidth(static_cast<double>(dram::simulate(p, lines_of(runs, 64)).cycles)), expected,
                  0.1 * expected)
          << lengths[i] << ", " << ranks;
    }
}

TEST(Banked, ChoosesAtLeastAsWellAsOtherLevelsByItsOwnMeasure) {
  Machine machine;
  machine.mac_efficiency = 0.75;
  std::string reason;
  const auto layers = paper_networks()[4].layers;
  for (std::size_t i = 0; i < 6; ++i) {
    const CostModel model(*convolution_of(layers[i], reason), machine);
    const auto banked = best_tiling(model, {CostLevel::banked, {}, {}}, {});
    const auto burst = best_tiling(model, {}, {});
    EXPECT_LE(banked->price, price_of(model, burst->tiling, burst->totals, CostLevel::banked) * (1 + 1e-12)) << i;
  }
}

TEST(Banked, HasItsDramFromTheMachine) {
  EXPECT_EQ(dram::kinds()[static_cast<std::size_t>(DramSettings{}.kind)].name, "DDR3-2133");
  Machine machine;
  const auto values = [&] { return parameter_values(machine); };
  Diagnostics diagnostics;
  auto changed = values();
  ASSERT_TRUE(changed.set("dram", "DDR4-3200", diagnostics));
  ASSERT_TRUE(changed.set("dram_bus", "32", diagnostics));
  ASSERT_TRUE(changed.set("dram_tFAW", "48", diagnostics));
  ASSERT_TRUE(changed.set("dram_mapping", "row:column:rank:bank:group", diagnostics));
  EXPECT_TRUE(changed.check(diagnostics)) << diagnostics.text();
  const dram::Parameters p = dram_of(machine_from(changed).dram);
  EXPECT_EQ(p.organization.bus_bits, 32);
  EXPECT_EQ(p.timings.tFAW, 48);
  EXPECT_EQ(p.timings.CL, 22);
  EXPECT_EQ(dram::text_of(p.organization.mapping), "row:column:rank:bank:group");
  EXPECT_EQ(parameter_values(machine_from(changed)), changed);
}

TEST(Banked, RefusesADramThatContradictsItself) {
  for (const auto& [name, value] :
       {std::pair{"dram_tRC", "20"}, std::pair{"dram_bus", "24"}, std::pair{"dram_tREFI", "100"},
        std::pair{"dram_groups", "16"}, std::pair{"dram_queue", "4"}}) {
    auto values = parameter_values(Machine{});
    Diagnostics diagnostics;
    ASSERT_TRUE(values.set(name, value, diagnostics)) << name;
    EXPECT_FALSE(values.check(diagnostics)) << name;
    EXPECT_TRUE(diagnostics.has_errors());
  }
}

Machine machine_with(int kind) {
  Machine m;
  m.mac_efficiency = 0.75;
  m.command_seconds = 630e-9;
  m.dram.kind = kind;
  m.dram.ranks = dram::kinds()[static_cast<std::size_t>(kind)].parameters.organization.ranks;
  m.dram.window = 256;
  m.borders = Borders::exact;
  return m;
}

TEST(Walked, MeetsTheSimulatorOnTheTransfersOfChosenTilings) {
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  for (int kind = 0; kind < static_cast<int>(dram::kinds().size()); ++kind) {
    double sum = 0, banked = 0;
    int count = 0;
    for (const Convolution& c : distinct_convolutions(full ? 1 : 40)) {
      const CostModel model(c, machine_with(kind));
      const auto best = best_tiling(model, {CostLevel::burst, {}, {}}, {});
      if (!best || (!full && best->totals.all().bytes > (8 << 20))) continue;
      const double exact = simulated_seconds(model, best->tiling, {});
      const double error = std::abs(walked_seconds(model, best->tiling, best->totals, {}) / exact - 1);
      EXPECT_LT(error, 0.20) << dram::kinds()[static_cast<std::size_t>(kind)].name << " " << tiling_text(best->tiling);
      sum += error;
      banked += std::abs(banked_seconds(model, best->tiling) / exact - 1);
      ++count;
    }
    ASSERT_GT(count, 0);
    EXPECT_LT(sum / count, 0.06) << kind;
    EXPECT_LT(banked / count, 0.25) << kind;
  }
}

// The list is the tile plan's, step by step, but for the order of its stores.
TEST(Walked, MovesWhatTheTilePlanMoves) {
  std::string reason;
  const auto layers = paper_networks()[0].layers;
  for (const std::size_t i : {0U, 3U, 7U, 30U, 60U, 90U}) {
    const Convolution c = *convolution_of(layers[i], reason);
    Machine machine = machine_with(2);
    machine.shared_bytes = i % 2 == 0 ? 0 : 65536;
    const CostModel model(c, machine);
    for (const Schedule schedule : schedules) {
      const auto best = best_tiling(model, {CostLevel::burst, {}, schedule}, {});
      if (!best) continue;
      const TransferList list(model, best->tiling);
      const auto plan = make_tile_plan(c, machine, best->tiling);
      ASSERT_EQ(list.steps(), plan->steps());
      std::vector<Transfer> ours;
      std::int64_t bytes = 0, planned = 0;
      for (std::int64_t step = 0; step < std::min<std::int64_t>(list.steps(), 500); ++step) {
        ours.clear();
        list.add(step, ours);
        for (const Transfer& t : ours) bytes += t.pattern.useful_bytes();
        for (const auto& t : plan->step(step).transfers) planned += t.bytes;
        ASSERT_EQ(bytes, planned) << "layer " << i << ", step " << step;
      }
    }
  }
}

TEST(Walked, DrawsARepresentativeSample) {
  std::string reason;
  for (const std::size_t i : {2U, 20U, 50U}) {
    const CostModel model(*convolution_of(paper_networks()[3].layers[i], reason), machine_with(3));
    const auto best = best_tiling(model, {CostLevel::burst, {}, {}}, {});
    const double all = walked_seconds(model, best->tiling, best->totals, {}, std::int64_t{1} << 40);
    EXPECT_NEAR(walked_seconds(model, best->tiling, best->totals, {}) / all, 1, 0.1) << i;
    EXPECT_GE(all, static_cast<double>(best->totals.all().bytes) / dram_peak(model.machine(), CostLevel::walk));
  }
}

}  // namespace
}  // namespace convscope::nmp
