// Programs with one thing wrong: what the verifier accepts must compute the same however long anything takes.

#include <cstdlib>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/host/seeded_data.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"
#include "mutants.h"
#include "rings.h"

namespace convscope::nmp {
namespace {

constexpr std::int64_t steps = 300'000;

/// One that ends within the verifier's limits. `doubled`: memories by bits.
std::optional<Program> random_program(RandomProblems& random, int doubled, bool ring) {
  Problem problem = random.next(Borders::exact);
  problem.machine = plain(problem.machine);
  if (ring) problem.machine = with_ring(problem.machine, random);
  problem.machine.tlts = 2 + random.pick(3);
  problem.machine.free_running = random.pick(2) == 0;
  if (doubled) problem.machine = with_doubled(problem.machine, {doubled % 2 != 0, doubled / 2 % 2 != 0, doubled > 3});
  const CostModel model(problem.convolution, problem.machine);
  const auto tiling = random_tiling(model, random);
  if (!tiling) return std::nullopt;
  auto made = generate_for_seeded_data("L", problem.convolution, usual_computing(problem.convolution), problem.machine,
                                       CostLevel::burst, *tiling);
  if (made.program && simulate(*made.program).instructions > steps) return std::nullopt;
  if (ring && made.program && simulate(*made.program).ring_seconds == 0) return std::nullopt;
  return std::move(made.program);
}

/// The DRAM after a run; nothing if it was refused.
std::optional<std::vector<std::uint8_t>> after(const Program& program, double jitter, std::uint64_t seed) {
  std::vector<std::uint8_t> dram = seeded_dram(program, 1);
  SimulationOptions options;
  options.instruction_budget = 4 * steps;
  options.work_budget = 200'000'000;
  options.jitter = jitter;
  options.seed = seed;
  if (simulate(program, dram, options).refusal) return std::nullopt;
  return dram;
}

bool accepted(const Program& program) {
  Diagnostics diagnostics;
  const bool ok = verify_program(program, diagnostics, {steps}).ok;
  EXPECT_EQ(ok, !diagnostics.has_errors()) << diagnostics.text();
  return ok;
}

struct Counts {
  int refused = 0, refused_but_right = 0, harmless = 0, wrong_alike = 0;
};

void try_mutant(const Mutant& mutant, const std::vector<std::uint8_t>& right, Counts& counts) {
  if (!accepted(mutant.program)) {
    ++counts.refused;
    if (after(mutant.program, 0, 0) == right) ++counts.refused_but_right;
    return;
  }
  const auto first = after(mutant.program, 0, 0);
  ASSERT_TRUE(first) << mutant.what << " is accepted and can't run";
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    ASSERT_EQ(after(mutant.program, static_cast<double>(seed), seed), first)
        << mutant.what << " is accepted and depends on timing";
  ++(first == right ? counts.harmless : counts.wrong_alike);
}

/// `doubles`: programs whose memories hold two tiles, by sets of these.
void try_mutants(unsigned seed, bool doubles, bool ring = false) {
  RandomProblems random(seed);
  Counts counts;
  const int wanted = std::getenv("CONVSCOPE_FULL") ? 20'000 : 500;
  for (int tried = 0; tried < wanted;) {
    const auto program = random_program(random, doubles ? 1 + random.pick(7) : 0, ring);
    if (!program) continue;
    const auto right = after(*program, 0, 0);
    ASSERT_TRUE(right);
    for (int i = 0; i < 10; ++i, ++tried) {
      const Mutant mutant = mutant_of(*program, random);
      ASSERT_NO_FATAL_FAILURE(try_mutant(mutant, *right, counts)) << mutant.what;
    }
  }
  testing::Test::RecordProperty("refused", counts.refused);
  testing::Test::RecordProperty("refused_but_right", counts.refused_but_right);
  testing::Test::RecordProperty("harmless", counts.harmless);
  testing::Test::RecordProperty("wrong_alike", counts.wrong_alike);
  // Wrong in the same way whatever the timing: addresses and numbers of the tables, which the comparison with the
  // reference reports.
  EXPECT_GT(counts.refused, wanted / 2);
  EXPECT_GT(counts.refused_but_right, wanted / 50);
  EXPECT_LT(counts.wrong_alike, wanted / 5);
}

TEST(ProgramMutants, AreRefusedOrDoNotDependOnTiming) {
  try_mutants(181, false);
}

TEST(ProgramMutants, AreRefusedOrDoNotDependOnTimingWithTwoTilesInAMemory) {
  try_mutants(182, true);
}

TEST(ProgramMutants, AreRefusedOrDoNotDependOnTimingWithARing) {
  try_mutants(183, false, true);
  try_mutants(184, true, true);
}

}  // namespace
}  // namespace convscope::nmp
