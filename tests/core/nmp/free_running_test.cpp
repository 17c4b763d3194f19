// Free-running TLEs against an event simulation of the tile plan that shares no code with ours.

#include "core/nmp/cost/free_running.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/catalogue/standard.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/search/search.h"
#include "core/nmp/search/solution.h"
#include "networks.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

/// What a TLE does: times at the DRAM, at its commands and at MACs, in order.
enum class Kind { dram, commands, mac };
struct Job {
  Kind kind = Kind::dram;
  double seconds = 0;
};

double move_seconds(const artifact::TileTransfer& t, const Machine& m) {
  return static_cast<double>(t.bytes) / m.bandwidth + static_cast<double>(t.bursts) * m.cas_seconds;
}

double mac_seconds(const artifact::TileWork& w, const Convolution& c, const Machine& m) {
  const std::int64_t pixels = w.output.size[1] * w.output.size[2] * c.taps();
  const std::int64_t maps = w.output.size[0] * (c.depthwise ? 1 : w.input.size[0]);
  return static_cast<double>((pixels + m.macs_per_cycle - 1) / m.macs_per_cycle * maps) /
         (m.clock_hz * m.mac_efficiency);
}

/// Jobs of each TLE from the plan, which has true border sizes.
std::vector<std::vector<Job>> jobs_of(const Convolution& c, const Machine& m, const Tiling& t) {
  const auto plan = make_tile_plan(c, m, t);
  std::vector<std::vector<Job>> jobs(static_cast<std::size_t>(m.tles));
  for (std::int64_t s = 0; s < plan->steps(); ++s) {
    std::vector<Job> load(jobs.size()), store = load, work(jobs.size(), Job{Kind::mac, 0});
    std::vector<Job> load_commands(jobs.size(), Job{Kind::commands, 0}), store_commands = load_commands;
    const artifact::TileStep step = plan->step(s);
    for (const auto& transfer : step.transfers) {
      const bool loads = artifact::is_load(transfer.move);
      const auto group = static_cast<std::size_t>(transfer.group);
      (loads ? load : store)[group].seconds += move_seconds(transfer, m);
      (loads ? load_commands : store_commands)[group].seconds += m.command_seconds;
    }
    for (const auto& w : step.work) {
      double& longest = work[static_cast<std::size_t>(w.group)].seconds;
      longest = std::max(longest, mac_seconds(w, c, m));
    }
    for (std::size_t i = 0; i < jobs.size(); ++i)
      for (const Job& job : {load_commands[i], load[i], work[i], store_commands[i], store[i]})
        if (job.seconds > 0) jobs[i].push_back(job);
  }
  return jobs;
}

struct Times {
  double free_running = 0, lockstep = 0, dram = 0;
};

// At each turn, whoever has asked longest gets the DRAM.
Times simulate(const std::vector<std::vector<Job>>& jobs) {
  std::vector<std::size_t> next(jobs.size(), 0);
  std::vector<double> now(jobs.size(), 0), mac(jobs.size(), 0);
  Times times;
  double dram_free = 0, commands = 0;
  while (true) {
    for (std::size_t i = 0; i < jobs.size(); ++i)
      for (; next[i] < jobs[i].size() && jobs[i][next[i]].kind != Kind::dram; ++next[i]) {
        now[i] += jobs[i][next[i]].seconds;
        (jobs[i][next[i]].kind == Kind::mac ? mac[i] : commands) += jobs[i][next[i]].seconds;
      }
    std::size_t first = jobs.size();
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (next[i] < jobs[i].size() && (first == jobs.size() || now[i] < now[first])) first = i;
    if (first == jobs.size()) break;
    const double seconds = jobs[first][next[first]++].seconds;
    dram_free = now[first] = std::max(dram_free, now[first]) + seconds;
    times.dram += seconds;
  }
  times.free_running = *std::max_element(now.begin(), now.end());
  times.lockstep = times.dram + commands + *std::max_element(mac.begin(), mac.end());
  return times;
}

TEST(FreeRunning, EqualsASimulationOfTheTilePlan) {
  Machine machine = board();
  machine.borders = Borders::exact;
  int compared = 0;
  for (const auto& layer :
       {convolution(5, {9, 11}, 14, {3, 3}, 1, true), convolution(24, {14, 14}, 24, {3, 3}, 2, true, 24),
        convolution(64, {8, 8}, 70, {3, 3}, 1, true), convolution(3, {40, 40}, 10, {7, 7}, 2, false),
        convolution(300, {7, 7}, 33, {1, 1}, 1, true)})
    for (const std::int64_t memory : {256, 1024, 8192}) {
      machine.input_bytes = machine.weight_bytes = machine.output_bytes = memory;
      std::string reason;
      const Convolution c = *convolution_of(layer, reason);
      const CostModel model(c, machine);
      for (const Partition p : partitions)
        for (const Schedule s : schedules) {
          const auto best = best_tiling(model, {CostLevel::burst, p, s}, {});
          if (!best) continue;
          const Times times = simulate(jobs_of(c, machine, best->tiling));
          const double lockstep = seconds_of(best->totals, machine).total();
          ASSERT_NEAR(times.lockstep, lockstep, 1e-9 * lockstep) << tiling_text(best->tiling);
          const double ratio = free_running_ratio(model, best->tiling, 1, {});
          EXPECT_NEAR(ratio * lockstep, times.free_running, 1e-9 * lockstep) << tiling_text(best->tiling);
          EXPECT_LE(ratio, 1);
          EXPECT_GE(ratio * lockstep, times.dram * (1 - 1e-12));
          ++compared;
        }
    }
  EXPECT_GT(compared, 100);
}

TEST(FreeRunning, TakesHalfToTwoThirdsOfTheTimeOnThePapersNetworks) {
  Machine machine = board();
  machine.free_running = true;
  for (const PaperNetwork& network : paper_networks()) {
    target::NoCache cache;
    double lockstep = 0, free_running = 0;
    for (const network::Layer& layer : network.layers) {
      std::string reason;
      const auto solution = solve(*convolution_of(layer, reason), machine, {}, cache, {});
      EXPECT_GT(solution->seconds.hidden, -1e-15);
      EXPECT_LE(solution->seconds.hidden, (solution->seconds.mac + solution->seconds.commands) * (1 + 1e-9));
      free_running += solution->seconds.total();
      lockstep += solution->seconds.total() + solution->seconds.hidden;
    }
    RecordProperty(network.name, std::to_string(free_running / lockstep));
    EXPECT_GT(free_running / lockstep, 0.55) << network.name;
    EXPECT_LT(free_running / lockstep, 0.7) << network.name;
  }
}

TEST(FreeRunning, OneTleHasNobodyToOverlapWith) {
  Machine machine = board();
  machine.tles = 1;
  std::string reason;
  const CostModel model(*convolution_of(paper_networks()[0].layers[4], reason), machine);
  EXPECT_NEAR(free_running_ratio(model, best_tiling(model, {}, {})->tiling, 1, {}), 1, 1e-9);
}

TEST(FreeRunning, LongRunsAreAsTheirBeginning) {
  Machine machine = board();
  std::string reason;
  const CostModel model(*convolution_of(convolution(16, {128, 128}, 16, {3, 3}, 1, true), reason), machine);
  std::int64_t turns = 0;
  const double ratio = free_running_ratio(model, {Partition::filters, Schedule::output_stationary, 1, 1, 1, 1}, 1, {},
                                          [&](const Turn&) { ++turns; });
  EXPECT_LE(turns, turn_budget);
  EXPECT_GT(ratio, 0.2);
  EXPECT_LE(ratio, 1);
}

TEST(FreeRunning, StopsWhileItSimulates) {
  std::string reason;
  const CostModel model(*convolution_of(convolution(16, {128, 128}, 16, {3, 3}, 1, true), reason), board());
  std::stop_source stop;
  std::int64_t turns = 0;
  const auto stop_at_once = [&](const Turn&) {
    ++turns;
    stop.request_stop();
  };
  EXPECT_THROW(free_running_ratio(model, {Partition::filters, Schedule::output_stationary, 1, 1, 1, 1}, 1,
                                  stop.get_token(), stop_at_once),
               Cancelled);
  EXPECT_LT(turns, turn_budget / 10);
}

std::shared_ptr<const target::CompiledLayer> compile(const arch::ParameterValues& machine) {
  network::Network network;
  network.layers = {paper_networks()[0].layers[4]};
  target::NoCache cache;
  return catalogue::standard()->find_target("nmp")->compile({&network, 0, &machine, "burst"}, cache, {});
}

arch::ParameterValues set(arch::ParameterValues machine, const char* name, const char* value) {
  Diagnostics diagnostics;
  EXPECT_TRUE(machine.set(name, value, diagnostics)) << diagnostics.text();
  return machine;
}

TEST(FreeRunning, IsAParameterThatFiguresAndTimelineFollow) {
  const arch::ParameterValues lockstep(machine_description());
  const auto machine = set(lockstep, "tle_timing", "free-running");
  const auto before = compile(lockstep), after = compile(machine);
  EXPECT_LT(after->metrics().seconds.value, before->metrics().seconds.value);
  EXPECT_EQ(before->metrics().find("seconds_hidden"), nullptr);
  ASSERT_NE(after->metrics().find("seconds_hidden"), nullptr);
  EXPECT_NEAR(after->metrics().find("seconds_hidden")->value,
              before->metrics().seconds.value - after->metrics().seconds.value, 1e-12);
  EXPECT_LE(after->metrics().bound.cycles, after->metrics().cycles.value);
  const auto timeline = after->timeline(0);
  ASSERT_TRUE(timeline);
  EXPECT_NEAR(static_cast<double>(timeline->length()), after->metrics().cycles.value, 2);
  // The DRAM serves one at a time.
  std::int64_t end = 0;
  timeline->visit(0, timeline->length(), [&](const artifact::PlacedCell& placed) {
    if (placed.cell->resource != 0) return;
    EXPECT_GE(placed.begin, end);
    end = placed.begin + placed.cell->length;
  });
  EXPECT_GT(end, 0);
}

TEST(FreeRunning, ChangesNothingWithDoubleBuffering) {
  const auto buffered = set(arch::ParameterValues(machine_description()), "double_buffering", "on");
  EXPECT_EQ(compile(buffered)->metrics().seconds.value,
            compile(set(buffered, "tle_timing", "free-running"))->metrics().seconds.value);
}

TEST(SharedBuffer, MovesLessAndNeedsLockstep) {
  const arch::ParameterValues none(machine_description());
  const auto before = compile(none), after = compile(set(none, "shared_buffer", "8192"));
  EXPECT_LT(after->metrics().seconds.value, before->metrics().seconds.value);
  EXPECT_LT(after->metrics().find("bursts")->value, before->metrics().find("bursts")->value);
  EXPECT_LE(after->metrics().bound.cycles, after->metrics().cycles.value);
  Diagnostics diagnostics;
  EXPECT_FALSE(set(set(none, "shared_buffer", "8192"), "tle_timing", "free-running").check(diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("free-running ones need shared_buffer=0"));
}

TEST(SharedBuffer, TooSmallForAnyTileSavesNothing) {
  const arch::ParameterValues none(machine_description());
  Machine machine = board();
  std::string reason;
  const Convolution c = *convolution_of(paper_networks()[0].layers[4], reason);
  const CostModel without(c, machine);
  machine.shared_bytes = 1;
  const CostModel with(c, machine);
  EXPECT_EQ(best_tiling(without, {}, {})->price, best_tiling(with, {}, {})->price);
}

TEST(SharedBuffer, LargerIsNeverSlower) {
  for (const char* level : {"burst", "banked"})
    for (const std::size_t layer : {2, 4, 40, 90}) {
      Machine machine = board();
      std::string reason;
      const Convolution c = *convolution_of(paper_networks()[0].layers[layer], reason);
      double last = 1e9;
      for (const std::int64_t bytes : {0, 256, 1024, 4096, 8192}) {
        machine.shared_bytes = bytes;
        const CostModel model(c, machine);
        const CostLevel by = std::string(level) == "burst" ? CostLevel::burst : CostLevel::banked;
        const double price = best_tiling(model, {by, {}, {}}, {})->price;
        EXPECT_LE(price, last * (1 + 1e-12)) << level << " " << layer << " " << bytes;
        last = price;
      }
    }
}

}  // namespace
}  // namespace convscope::nmp
