// Programs that load a step's tiles while the MACs of the step before work: bits as the reference, accepted by the
// verifier.

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"
#include "networks.h"

namespace convscope::nmp {
namespace {

bool all_of_them() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

/// Memories by bits: 1 MB0, 2 MB1, 4 MB2; 8: by double_buffering=on.
Machine doubled_by_set(const Machine& machine, int set) {
  Machine m = with_doubled(machine, {(set & 1) != 0, (set & 2) != 0, (set & 4) != 0});
  if (set == 8) {
    m = with_doubled(machine, {true, true, true});
    m.doubled = {};
    m.double_buffering = true;
  }
  return m;
}

struct DoubledLayer {
  Problem problem;
  Tiling tiling;
  Program program;
  std::string text;
};

std::optional<DoubledLayer> random_doubled_layer(RandomProblems& random, bool free_running) {
  Problem problem = random.pick(5) == 0 ? random.next_operator(Borders::exact) : random.next(Borders::exact);
  problem.machine = plain(problem.machine);
  problem.machine.free_running = free_running;
  if (random.pick(3) == 0) problem.machine.clock_hz = 1e7;  // so that MACs take long
  if (random.pick(4) == 0) {
    problem.machine.tles = 1 + random.pick(9);
    problem.machine.tlts = 1 + random.pick(8);
  }
  const int set = 1 + random.pick(8);
  problem.machine = doubled_by_set(problem.machine, set);
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
  return DoubledLayer{problem, *tiling, *std::move(made.program),
                      "set " + std::to_string(set) + ", " + std::string(name_of(tiling->schedule)) +
                          (c.depthwise ? " depthwise" : "") + ", " + tiling_text(*tiling)};
}

std::string refusals_of(const Program& program) {
  Diagnostics diagnostics;
  const bool ok = verify_program(program, diagnostics).ok;
  return ok && !diagnostics.has_errors() ? std::string() : "verifier: " + diagnostics.text();
}

TEST(DoubledPrograms, ComputeTheReference) {
  RandomProblems random(118);
  const int wanted = all_of_them() ? 3000 : 400;
  std::map<std::string, int> seen;
  for (int i = 0; i < wanted; ++i) {
    const bool free_running = i % 2 == 1;
    const auto made = random_doubled_layer(random, free_running);
    if (!made) continue;
    const ComparedRun run =
        run_and_compare(made->program, 1 + static_cast<std::uint64_t>(i),
                        {.jitter = free_running && i % 3 > 0 ? 1.5 : 0, .seed = static_cast<std::uint64_t>(i)});
    ASSERT_TRUE(run.equal()) << i << ", " << made->text << ": " << run.text();
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    ASSERT_EQ(refusals_of(made->program), "") << i << ", " << made->text;
    ++seen[std::string(name_of(made->tiling.partition)) + " " + std::string(name_of(made->tiling.schedule)) +
           (made->program.layers[0].partial_sums.region >= 0 ? " split filters" : "")];
  }
  EXPECT_GE(seen.size(), 11U);
}

}  // namespace
}  // namespace convscope::nmp
