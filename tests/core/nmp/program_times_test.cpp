// Programs of the paper's networks, timed: what instructions add in lockstep, and what free running saves.

#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/nmp/generate/generate.h"
#include "core/nmp/search/search.h"
#include "core/nmp/simulate/simulator.h"
#include "networks.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

struct NetworkTimes {
  double estimate = 0, lockstep = 0, free = 0;  ///< seconds
  double worst_software = 0;                    ///< of a layer in lockstep, part of the estimate
};

double run_seconds(const Convolution& c, const Machine& machine, const Tiling& tiling) {
  const GeneratedProgram made = generate_for_seeded_data("L", c, usual_computing(c), machine, CostLevel::burst, tiling);
  EXPECT_TRUE(made.program) << made.reason;
  if (!made.program) return 0;
  const SimulationResult run = simulate(*made.program);
  EXPECT_FALSE(run.refusal) << run.refusal->text();
  return run.seconds;
}

NetworkTimes times_of(const PaperNetwork& network) {
  Machine machine = board();
  machine.borders = Borders::exact;
  NetworkTimes times;
  std::string reason;
  for (const network::Layer& layer : network.layers) {
    const auto c = convolution_of(layer, reason);
    const auto best = best_tiling(CostModel(*c, machine), {}, {});
    const double estimate = seconds_of(best->totals, machine).total();
    machine.free_running = false;
    const double lockstep = run_seconds(*c, machine, best->tiling);
    machine.free_running = true;
    times.free += run_seconds(*c, machine, best->tiling);
    machine.free_running = false;
    times.estimate += estimate;
    times.lockstep += lockstep;
    times.worst_software = std::max(times.worst_software, lockstep / estimate - 1);
  }
  return times;
}

// "T_SW is not significant (usually less than 5% of the total execution)", section IV-E.
TEST(ProgramTimes, InstructionsAddLittleAndFreeRunningSavesAThird) {
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  for (const PaperNetwork& network : paper_networks()) {
    if (!full && network.name != "LeNet" && network.name != "SqueezeNet") continue;
    const NetworkTimes t = times_of(network);
    if (full)
      std::printf("%s: estimate %.0f us, lockstep %.0f us (+%.2f %%, worst layer %.2f %%), free %.0f us (%.2f)\n",
                  network.name.c_str(), 1e6 * t.estimate, 1e6 * t.lockstep, 100 * (t.lockstep / t.estimate - 1),
                  100 * t.worst_software, 1e6 * t.free, t.free / t.lockstep);
    EXPECT_GT(t.lockstep, t.estimate) << network.name;
    EXPECT_LT(t.lockstep, 1.01 * t.estimate) << network.name;
    EXPECT_LT(t.worst_software, 0.05) << network.name;
    EXPECT_GT(t.free, 0.4 * t.lockstep) << network.name;
    EXPECT_LT(t.free, 0.75 * t.lockstep) << network.name;
  }
}

}  // namespace
}  // namespace convscope::nmp
