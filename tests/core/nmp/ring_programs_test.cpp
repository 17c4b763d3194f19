// Programs that load a tile once for several TLEs: bits as the reference, time as the cost model, accepted by the
// verifier; and what the machine and the verifier refuse of loads around the ring.

#include <cstdio>
#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/free_running.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/search/search.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"
#include "hand_program.h"
#include "networks.h"
#include "rings.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

bool all_rings() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

struct RingLayer {
  Problem problem;
  Tiling tiling;
  Program program;
  std::string text;
};

/// `doubled`: memories by bits, 1 MB0, 2 MB1, 4 MB2.
std::optional<RingLayer> random_ring_layer(RandomProblems& random, bool free_running, int doubled = 0) {
  Problem problem = ring_problem(random, Borders::exact);
  problem.machine = plain(problem.machine);
  problem.machine.free_running = free_running;
  problem.machine = with_doubled(problem.machine, {(doubled & 1) != 0, (doubled & 2) != 0, (doubled & 4) != 0});
  const CostModel model(problem.convolution, problem.machine);
  const auto tiling = random_tiling(model, random);
  if (!tiling) return std::nullopt;
  const Computing computing = usual_computing(problem.convolution);
  if (!why_no_program(problem.convolution, computing, problem.machine, *tiling).empty()) return std::nullopt;
  GeneratedProgram made =
      generate_for_seeded_data("L", problem.convolution, computing, problem.machine, CostLevel::burst, *tiling);
  EXPECT_TRUE(made.program) << made.reason;
  if (!made.program) return std::nullopt;
  const Convolution& c = problem.convolution;
  return RingLayer{problem, *tiling, *std::move(made.program),
                   tiling_text(*tiling) + (c.depthwise ? " depthwise" : "") + ", " +
                       std::to_string(problem.machine.tles) + " x " + std::to_string(problem.machine.tlts) +
                       ", doubled " + std::to_string(doubled)};
}

std::string refusals_of_ring(const Program& program) {
  Diagnostics diagnostics;
  const bool ok = verify_program(program, diagnostics).ok;
  return ok && !diagnostics.has_errors() ? std::string() : "verifier: " + diagnostics.text();
}

TEST(RingPrograms, ComputeTheReferenceInTheTimeOfTheCostModel) {
  RandomProblems random(411);
  std::map<std::string, int> seen;
  int inputs = 0, weights = 0;
  const int wanted = all_rings() ? 3000 : 400;
  for (int i = 0; i < wanted; ++i) {
    const auto made = random_ring_layer(random, false);
    if (!made) continue;
    const ComparedRun run =
        run_and_compare(made->program, 1 + static_cast<std::uint64_t>(i), {.free_instructions = true});
    ASSERT_TRUE(run.equal()) << i << ", " << made->text << ": " << run.text();
    const Totals totals = CostModel(made->problem.convolution, made->problem.machine).evaluate(made->tiling);
    const Seconds estimate = seconds_of(totals, made->problem.machine);
    ASSERT_NEAR(run.result.seconds, estimate.total(), 1e-9 * estimate.total()) << i << ", " << made->text;
    ASSERT_NEAR(run.result.ring_seconds, estimate.ring, 1e-9 * estimate.total()) << i << ", " << made->text;
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    ASSERT_EQ(refusals_of_ring(made->program), "") << i << ", " << made->text;
    inputs += totals.ring_in.hops > 0 ? 1 : 0;
    weights += totals.ring_weights.hops > 0 ? 1 : 0;
    ++seen[std::string(name_of(made->tiling.partition)) + " " + std::string(name_of(made->tiling.schedule))];
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_GT(inputs, wanted / 10);
  EXPECT_GT(weights, wanted / 10);
}

TEST(RingPrograms, ComputeTheSameWhereTlesRunFree) {
  RandomProblems random(412);
  const int wanted = all_rings() ? 3000 : 300;
  for (int i = 0; i < wanted; ++i) {
    const auto made = random_ring_layer(random, true);
    if (!made) continue;
    const ComparedRun run = run_and_compare(
        made->program, 7, {.jitter = i % 3 == 0 ? 0 : 1.5, .seed = 100 + static_cast<std::uint64_t>(i)});
    ASSERT_TRUE(run.equal()) << i << ", " << made->text << ": " << run.text();
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    ASSERT_EQ(refusals_of_ring(made->program), "") << i << ", " << made->text;
  }
}

TEST(RingPrograms, ComputeTheSameWithMemoriesThatHoldTwoTiles) {
  RandomProblems random(413);
  const int wanted = all_rings() ? 3000 : 400;
  int made_ones = 0;
  for (int i = 0; i < wanted; ++i) {
    const bool free_running = i % 2 == 1;
    const auto made = random_ring_layer(random, free_running, 1 + random.pick(7));
    if (!made) continue;
    ++made_ones;
    const ComparedRun run =
        run_and_compare(made->program, 1 + static_cast<std::uint64_t>(i),
                        {.jitter = free_running && i % 3 > 0 ? 1.5 : 0, .seed = static_cast<std::uint64_t>(i)});
    ASSERT_TRUE(run.equal()) << i << ", " << made->text << ": " << run.text();
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    ASSERT_EQ(refusals_of_ring(made->program), "") << i << ", " << made->text;
  }
  EXPECT_GT(made_ones, wanted / 4);
}

// --- by hand

/// Two TLEs of one TLT: the first loads a row for both, in 100 + 42 ns, and 32 / 4 + 5 cycles around the ring.
Program two_tles(const std::string& tles, bool ring = true, const std::string& free = "nmp_wait 5, x8") {
  Program program = hand_program();
  program.machine.tles = 2;
  program.machine.tlts = 1;
  program.machine.ring = {ring, 4, 5};
  program.layers.clear();
  program.ranges.clear();
  program.traffic = {32};
  program.data = {{0}, {1}};
  program.code = hand_program(R"(
  lw x1, 0(x0)
  lui x5, 0x10000
  addi x8, x0, 1
  addi x9, x0, 32
  nmp_cfg C0, x9, x0
  addi x10, x0, )" + tles + R"(
  nmp_cfg C4, x0, x10
  bne x1, x0, other
  )" + free + R"(
  nmp_load 0, x0, x5, 0, ring
  jal x0, both
other:
  nmp_post 5, x8, x8
both:
  nmp_wait 0, x8
  ecall
)")
                     .code;
  return program;
}

TEST(RingPrograms, ATransferPassesTheDramAndThenTheRing) {
  const Program program = two_tles("3");
  const SimulationResult run = simulate(program, {.free_instructions = true});
  ASSERT_FALSE(run.refusal) << run.refusal->text();
  EXPECT_NEAR(run.seconds, 155e-9, 1e-15);
  EXPECT_NEAR(run.ring_seconds, 13e-9, 1e-15);
  EXPECT_EQ(run.traffic, program.traffic);
  EXPECT_EQ(refusals_of_ring(program), "");
}

TEST(RingPrograms, WhatGoesNowhereIsRefused) {
  for (const auto& [program, why] : {std::pair{two_tles("3", false), "none"},
                                     {two_tles("1"), "its own and others"},
                                     {two_tles("2"), "its own and others"},
                                     {two_tles("0"), "its own and others"},
                                     {two_tles("7"), "there are 2"}}) {
    const SimulationResult run = simulate(program);
    ASSERT_TRUE(run.refusal) << why;
    EXPECT_THAT(run.refusal->what, HasSubstr(why));
    EXPECT_THAT(refusals_of_ring(program), HasSubstr("illegal-operand: it goes around the ring")) << why;
  }
}

// TLE 1 could still use what is overwritten there, whatever the run at hand does.
TEST(RingPrograms, VerifierKnowsWhoseMemoryIsWritten) {
  Program program = two_tles("3");
  const auto nothing = [](Program p, std::size_t position) {
    p.code[position] = 0x00000013;
    return refusals_of_ring(p);
  };
  EXPECT_THAT(nothing(program, 8), HasSubstr("posts-left: "));  // its wait for the other's MB0
  EXPECT_THAT(nothing(program, 11), HasSubstr("deadlock: "));   // the other's post
  EXPECT_THAT(nothing(program, 12), HasSubstr("posts-left: "));
  // Two loads, of which the second doesn't ask whether the other TLE is done with the first.
  Program twice = two_tles("3", true, "nmp_wait 5, x8\n  nmp_load 0, x0, x5, 0, ring");
  twice.traffic = {64};
  EXPECT_NE(refusals_of_ring(twice), "");
}

TEST(RingPrograms, FilesSayTheRingWhereThereIsOne) {
  for (const bool ring : {false, true}) {
    Program program = hand_program();
    if (ring) program.machine.ring = {true, 8, 2};
    const std::string text = write_program_file(program);
    EXPECT_EQ(text.find("ring_bytes") != std::string::npos, ring);
    Diagnostics diagnostics;
    const auto read = read_any_program(text, "n.json", diagnostics);
    ASSERT_TRUE(read) << diagnostics.text();
    EXPECT_EQ(*read, program);
  }
  Program program = hand_program();
  program.machine.ring = {true, 8, 2};
  program.machine.tles = 33;
  program.data.resize(66);
  Diagnostics diagnostics;
  EXPECT_FALSE(read_any_program(write_program_file(program), "n.json", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("machine tles"));
}

TEST(RingPrograms, NameNoMoreTlesThanAMaskHas) {
  Machine machine = plain(board());
  machine.ring.on = true;
  machine.tles = 33;
  Convolution c;
  c.rows = c.columns = {8, 8, 3, 1, 1, 1};
  c.channels = 4;
  c.units = 40;
  const auto best = best_tiling(CostModel(c, machine), {}, {});
  ASSERT_TRUE(best);
  EXPECT_THAT(why_no_program(c, usual_computing(c), machine, best->tiling), HasSubstr("33 are too many"));
}

// --- what it gains

struct RingTimes {
  double estimate = 0, lockstep = 0, free = 0;  ///< seconds
  double estimate_of_free = 0;
};

RingTimes ring_times(const PaperNetwork& network, bool ring) {
  Machine machine = board();
  machine.borders = Borders::exact;
  machine.ring.on = ring;
  RingTimes times;
  std::string reason;
  for (const network::Layer& layer : network.layers) {
    const auto c = convolution_of(layer, reason);
    machine.free_running = false;
    const auto best = best_tiling(CostModel(*c, machine), {}, {});
    const CostModel model(*c, machine);
    const double estimate = seconds_of(best->totals, machine).total();
    times.estimate += estimate;
    times.estimate_of_free += estimate * free_running_ratio(model, best->tiling, 1, {});
    for (const bool free_running : {false, true}) {
      machine.free_running = free_running;
      const GeneratedProgram made =
          generate_for_seeded_data("L", *c, usual_computing(*c), machine, CostLevel::burst, best->tiling);
      EXPECT_TRUE(made.program) << made.reason;
      const SimulationResult run = simulate(*made.program);
      EXPECT_FALSE(run.refusal) << run.refusal->text();
      (free_running ? times.free : times.lockstep) += run.seconds;
    }
  }
  return times;
}

// docs/nmp.md states them.
TEST(RingPrograms, TakeLessTimeOnThePapersNetworks) {
  for (const PaperNetwork& network : paper_networks()) {
    if (!all_rings() && network.name != "LeNet" && network.name != "SqueezeNet") continue;
    const RingTimes off = ring_times(network, false), on = ring_times(network, true);
    if (all_rings())
      std::printf(
          "%s: estimate %.0f to %.0f us, lockstep %.0f to %.0f (%.3f), free running %.0f to %.0f (%.3f), as estimated "
          "%.0f to %.0f\n",
          network.name.c_str(), 1e6 * off.estimate, 1e6 * on.estimate, 1e6 * off.lockstep, 1e6 * on.lockstep,
          on.lockstep / off.lockstep, 1e6 * off.free, 1e6 * on.free, on.free / off.free, 1e6 * off.estimate_of_free,
          1e6 * on.estimate_of_free);
    EXPECT_LT(on.lockstep, off.lockstep) << network.name;
    EXPECT_LT(on.lockstep, 1.02 * on.estimate) << network.name;
    EXPECT_GT(on.lockstep, on.estimate) << network.name;
  }
}

}  // namespace
}  // namespace convscope::nmp
