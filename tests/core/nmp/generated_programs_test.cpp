// Programs that the generator makes: bits as the reference, time as the cost model, accepted by the verifier.

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/search/search.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"
#include "networks.h"

namespace convscope::nmp {
namespace {

bool full_sample() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

struct Made {
  Problem problem;
  Tiling tiling;
  Program program;
};

std::optional<Made> program_of_random_layer(RandomProblems& random, bool free_running) {
  Problem problem = random.next(Borders::exact);
  problem.machine = plain(problem.machine);
  problem.machine.free_running = free_running;
  if (random.pick(4) == 0) {  // larger than its layer, and of odd counts
    problem.machine.tles = 1 + random.pick(9);
    problem.machine.tlts = 1 + random.pick(32);
    problem.machine.partial_sum_bytes = problem.machine.element_bytes << random.pick(2);
  }
  const CostModel model(problem.convolution, problem.machine);
  const auto tiling = random_tiling(model, random);
  if (!tiling) return std::nullopt;
  GeneratedProgram made = generate_for_seeded_data("L", problem.convolution, usual_computing(problem.convolution),
                                                   problem.machine, CostLevel::burst, *tiling);
  EXPECT_TRUE(made.program) << made.reason;
  if (!made.program) return std::nullopt;
  return Made{problem, *tiling, *std::move(made.program)};
}

/// What the verifier says; empty if it lets the program pass.
std::string complaints(const Program& program) {
  Diagnostics diagnostics;
  const bool ok = verify_program(program, diagnostics).ok;
  return ok && !diagnostics.has_errors() ? std::string() : "verifier: " + diagnostics.text();
}

std::string strategy_of(const Made& made) {
  const Convolution& c = made.problem.convolution;
  return std::string(name_of(made.tiling.partition)) + " " + std::string(name_of(made.tiling.schedule)) +
         (c.depthwise     ? " depthwise"
          : c.repeats > 1 ? " groups"
                          : "") +
         (made.program.layers[0].partial_sums.region >= 0 ? " split filters" : "") + (c.residual ? " residual" : "");
}

TEST(GeneratedPrograms, ComputeTheReferenceInTheTimeOfTheCostModel) {
  RandomProblems random(18);
  std::map<std::string, int> seen;
  const int wanted = full_sample() ? 2000 : 300;
  for (int i = 0; i < wanted; ++i) {
    const auto made = program_of_random_layer(random, false);
    if (!made) continue;
    const ComparedRun run =
        run_and_compare(made->program, 1 + static_cast<std::uint64_t>(i), {.free_instructions = true});
    ASSERT_TRUE(run.equal()) << i << ", " << strategy_of(*made) << ", " << tiling_text(made->tiling) << ": "
                             << run.text();
    const CostModel model(made->problem.convolution, made->problem.machine);
    const double estimate = seconds_of(model.evaluate(made->tiling), made->problem.machine).total();
    ASSERT_NEAR(run.result.seconds, estimate, 1e-9 * estimate)
        << i << ", " << strategy_of(*made) << ", " << tiling_text(made->tiling);
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    if (i % 2 == 0) {
      ASSERT_EQ(complaints(made->program), "") << i << ", " << strategy_of(*made);
    }
    ++seen[strategy_of(*made)];
  }
  EXPECT_GE(seen.size(), 40u);  // nine strategies; dense, groups, depthwise; WS with filters split; residuals
}

TEST(GeneratedPrograms, ComputeTheSameWhereTlesRunFree) {
  RandomProblems random(19);
  const int wanted = full_sample() ? 2000 : 200;
  for (int i = 0; i < wanted; ++i) {
    const auto made = program_of_random_layer(random, true);
    if (!made) continue;
    const ComparedRun run = run_and_compare(
        made->program, 7, {.jitter = i % 3 == 0 ? 0 : 1.5, .seed = 100 + static_cast<std::uint64_t>(i)});
    ASSERT_TRUE(run.equal()) << i << ", " << strategy_of(*made) << ", " << tiling_text(made->tiling) << ": "
                             << run.text();
    if (i % 2 == 0) {
      ASSERT_EQ(complaints(made->program), "") << i << ", " << strategy_of(*made);
    }
  }
}

/// The best tiling of a layer of the networks, within what a test can wait for.
void check_layer(const Convolution& c, const Machine& machine) {
  const CostModel model(c, machine);
  const auto best = best_tiling(model, {}, {});
  ASSERT_TRUE(best);
  const GeneratedProgram made =
      generate_for_seeded_data("L", c, usual_computing(c), machine, CostLevel::burst, best->tiling);
  ASSERT_TRUE(made.program) << tiling_text(best->tiling) << ": " << made.reason;
  const ComparedRun run = run_and_compare(*made.program, 3, {.free_instructions = true});
  ASSERT_TRUE(run.equal()) << tiling_text(best->tiling) << ": " << run.text();
  const double estimate = seconds_of(best->totals, machine).total();
  ASSERT_NEAR(run.result.seconds, estimate, 1e-9 * estimate) << tiling_text(best->tiling);
  const SimulationResult timed = simulate(*made.program);
  EXPECT_LT(timed.seconds, 1.03 * estimate) << tiling_text(best->tiling);
  EXPECT_GT(timed.seconds, estimate);
  EXPECT_EQ(complaints(*made.program), "") << tiling_text(best->tiling);
}

TEST(GeneratedPrograms, RunLayersOfThePapersNetworks) {
  Machine machine = board();
  machine.borders = Borders::exact;
  for (const Convolution& c : distinct_convolutions(full_sample() ? 1 : 9)) {
    if (!full_sample() && c.macs() > 60'000'000) continue;
    check_layer(c, machine);
  }
}

}  // namespace
}  // namespace convscope::nmp
