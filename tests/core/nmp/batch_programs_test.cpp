// Programs that compute several images of a batch: bits as the reference, weights loaded as often as is planned, in the
// time that a batch is estimated to take.

#include <gtest/gtest.h>

#include "core/nmp/artifacts/batch.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"

namespace convscope::nmp::batch_programs {
namespace {

struct Made {
  Problem problem;
  Tiling tiling;
  ProgramRequest request;
  Program program;
};

/// Images with gaps of a few elements between them.
std::optional<Made> program_of_random_batch(RandomProblems& random, bool free_running) {
  Problem problem = random.next(Borders::exact);
  problem.machine = plain(problem.machine);
  problem.machine.free_running = free_running;
  const Convolution& c = problem.convolution;
  const CostModel model(c, problem.machine);
  const auto tiling = random_tiling(model, random);
  if (!tiling) return std::nullopt;
  ProgramRequest request =
      request_for_seeded_data("L", c, usual_computing(c), problem.machine, CostLevel::burst, *tiling);
  const LayerLayout one = layout_of(request);
  request.images.count = 1 + random.pick(4);
  request.images.input_pitch = one.input_bytes / problem.machine.element_bytes + random.pick(3);
  request.images.output_pitch = one.output_bytes / problem.machine.element_bytes + random.pick(3);
  GeneratedProgram made = generate(request);
  if (!made.program) {
    EXPECT_NE(made.reason.find("data RAM"), std::string::npos) << made.reason;
    return std::nullopt;
  }
  return Made{problem, *tiling, request, *std::move(made.program)};
}

std::string complaints(const Program& program) {
  Diagnostics diagnostics;
  verify_program(program, diagnostics);
  return diagnostics.text();
}

TEST(BatchPrograms, ComputeEveryImage) {
  RandomProblems random(23);
  int several = 0, kept = 0;
  for (int i = 0; i < 200; ++i) {
    const bool free_running = i % 2 == 1;
    const auto made = program_of_random_batch(random, free_running);
    if (!made) continue;
    const int images = made->request.images.count;
    ASSERT_EQ(made->program.layers.size(), static_cast<std::size_t>(images));
    several += images > 1 ? 1 : 0;
    const ComparedRun run = run_and_compare(
        made->program, 5, {.free_instructions = !free_running, .jitter = free_running ? 1.5 : 0, .seed = 9});
    ASSERT_TRUE(run.equal()) << i << ", " << images << " images, " << tiling_text(made->tiling) << ": " << run.text();
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    ASSERT_EQ(complaints(made->program), "") << i;
    if (free_running) continue;
    const Convolution& c = made->problem.convolution;
    const Machine& m = made->problem.machine;
    const CostModel model(c, m);
    Solution solution;
    solution.tiling = made->tiling;
    solution.totals = model.evaluate(made->tiling);
    solution.occupancy = model.occupancy(made->tiling);
    solution.seconds = seconds_of(solution.totals, m);
    kept += images > 1 && keeps_weights(c, m, solution) ? 1 : 0;
    const auto one = layer_metrics(c, solution, m, CostLevel::burst);
    const auto batch = batch_figures(c, m, CostLevel::burst, solution, one, images);
    if (is_fully_connected(c)) continue;  // estimated side by side
    ASSERT_NEAR(run.result.seconds, batch.seconds.value, 1e-9 * batch.seconds.value)
        << i << ", " << images << " images, " << tiling_text(made->tiling);
    EXPECT_EQ(run.result.traffic[static_cast<std::size_t>(TrafficKind::weights)], batch.bytes_weights) << i;
  }
  EXPECT_GT(several, 100);
  EXPECT_GT(kept, 15);
}

TEST(BatchPrograms, HaveDifferentImages) {
  RandomProblems random(29);
  for (int i = 0; i < 20; ++i) {
    auto made = program_of_random_batch(random, false);
    if (!made || made->request.images.count < 2) continue;
    // The second image's output where the first one's is: no longer what the reference has there.
    std::swap(made->program.layers[0].in, made->program.layers[1].in);
    EXPECT_FALSE(run_and_compare(made->program, 5).equal()) << i;
    return;
  }
  FAIL() << "no batch";
}

}  // namespace
}  // namespace convscope::nmp::batch_programs
