#include "core/cpu/run/measure.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "programs.h"

namespace convscope::cpu::test {
namespace {

using testing::HasSubstr;

RunOptions quick() {
  RunOptions options;
  options.sampling = {3, 0.01, false};
  return options;
}

std::unique_ptr<Laboratory> laboratory(const Problem& problem, const RunOptions& options = quick()) {
  Diagnostics diagnostics;
  auto result = Laboratory::open(problem, find_availability(), options, {}, diagnostics);
  EXPECT_TRUE(result) << diagnostics.text();
  return result;
}

TEST(Measure, RightProgramsHaveTimesAndAnErrorWithinItsBound) {
  const Problem problem = small_problem();
  const Outcome outcome = laboratory(problem)->measure(plain_program(problem), {});
  ASSERT_EQ(outcome.ending, Ending::ran) << outcome.message;
  EXPECT_GT(outcome.minimum, 0);
  EXPECT_LE(outcome.minimum, outcome.first_quartile);
  EXPECT_LE(outcome.first_quartile, outcome.median);
  EXPECT_GE(outcome.samples, 1);
  EXPECT_GT(outcome.peak, 0);
  EXPECT_GT(outcome.bound, 0);
  EXPECT_LE(outcome.error, outcome.bound);
  EXPECT_THAT(outcome.flags, HasSubstr("-O2"));
  EXPECT_FALSE(outcome.compiler.empty());
}

TEST(Measure, StridesDilationAndGroupsAgreeWithTheReference) {
  Problem problem = small_problem();
  problem.channels = 6;
  problem.groups = 3;
  problem.stride_height = 2;
  problem.dilation_width = 2;
  problem.pad_left = 3;
  problem.pad_bottom = 0;
  ASSERT_EQ(fault(problem), "");
  const Outcome outcome = laboratory(problem)->measure(plain_program(problem), {});
  EXPECT_EQ(outcome.ending, Ending::ran) << outcome.message;
  problem.groups = problem.channels = problem.kernels = 18;
  const Outcome depthwise = laboratory(problem)->measure(plain_program(problem), {});
  EXPECT_EQ(depthwise.ending, Ending::ran) << depthwise.message;
}

TEST(Measure, TensorsComeInTheLayoutThatTheProgramNames) {
  const Problem problem = small_problem();
  Generated program;
  program.image = *parse_layout("CHW");
  program.kernel = *parse_layout("[M/4]YXC[4]");
  program.output = *parse_layout("H[W/2]M[2]");
  program.source = R"(
extern "C" void convolution(const float* image, const float* kernel, float* output) {
  for (int h = 0; h < 9; ++h) for (int w = 0; w < 7; ++w) for (int m = 0; m < 6; ++m) {
    float sum = 0;
    for (int y = 0; y < 3; ++y) for (int x = 0; x < 3; ++x) for (int c = 0; c < 5; ++c) {
      const int r = h + y - 1, s = w + x - 1;
      if (r < 0 || r >= 9 || s < 0 || s >= 7) continue;
      sum += image[(c * 9 + r) * 7 + s] * kernel[(((m / 4 * 3 + y) * 3 + x) * 5 + c) * 4 + m % 4];
    }
    output[((h * 4 + w / 2) * 6 + m) * 2 + w % 2] = sum;
  }
})";
  const Outcome outcome = laboratory(problem)->measure(program, {});
  EXPECT_EQ(outcome.ending, Ending::ran) << outcome.message;
}

TEST(Measure, ProgramsOfOneRunAreComparedInPairs) {
  const Problem problem = small_problem();
  const auto bench = laboratory(problem);
  Outcome failure;
  const auto plain = bench->compile(plain_program(problem), {}, failure);
  const auto thrice =
      bench->compile(plain_program(problem, "for (volatile int i = 0; i < 100000; i = i + 1) {}"), {}, failure);
  ASSERT_TRUE(plain && thrice) << failure.message;
  const auto outcomes = bench->run({*plain, *thrice}, quick(), {});
  ASSERT_TRUE(outcomes[0].ran() && outcomes[1].ran()) << outcomes[0].message << outcomes[1].message;
  EXPECT_EQ(outcomes[0].ratio, 0);
  EXPECT_GT(outcomes[1].ratio, 2);
}

TEST(Measure, ProgramsThatAreCompiledTogetherKeepApart) {
  const Problem problem = small_problem();
  const auto bench = laboratory(problem);
  // The same names in all of them, and what one computes wrong is not the other's.
  const std::string helper = "static int calls = 0; static int count() { return ++calls; }";
  const std::vector<Generated> programs{plain_program(problem, "count();", helper),
                                        plain_program(problem, "if (count()) return;", helper),
                                        plain_program(problem, "if (calls > 9) return;", helper)};
  std::vector<Outcome> failures;
  const auto made = bench->compile(programs, {}, failures);
  ASSERT_TRUE(made[0] && made[1] && made[2]) << failures[0].message;
  EXPECT_EQ(made[0]->compiled, made[1]->compiled);
  EXPECT_TRUE(bench->run({*made[0]}, quick(), {}).front().ran());
  EXPECT_EQ(bench->run({*made[1]}, quick(), {}).front().ending, Ending::wrong_result);
  const auto in_turn = bench->run({*made[0], *made[2]}, quick(), {});
  EXPECT_TRUE(in_turn[0].ran() && in_turn[1].ran()) << in_turn[0].message << in_turn[1].message;
}

TEST(Measure, AProgramThatDoesNotCompileIsTheOnlyOneThatFails) {
  const Problem problem = small_problem();
  std::vector<Outcome> failures;
  const auto made = laboratory(problem)->compile(
      {plain_program(problem), plain_program(problem, "no_such_thing();"), plain_program(problem)}, {}, failures);
  EXPECT_TRUE(made[0] && made[2]) << failures[0].message << failures[2].message;
  EXPECT_FALSE(made[1]);
  EXPECT_EQ(failures[1].ending, Ending::compile_error);
  EXPECT_NE(failures[1].message.find("no_such_thing"), std::string::npos) << failures[1].message;
}

TEST(Measure, OnlyWhatCanShareACompilationDoes) {
  const Generated plain = plain_program(small_problem());
  std::vector<Generated> programs(6, plain);
  programs[1].family = Family::avx2;
  programs[2].openmp = true;
  programs[3].source = "#include <cmath>\n" + plain.source;
  programs[4].temporary_bytes = 1 << 30;
  EXPECT_EQ(alike(programs), (std::vector<std::vector<std::size_t>>{{0, 3, 4, 5}, {2}, {1}}));
  EXPECT_TRUE(together(programs, {0, 5}));
  for (const auto& these : std::vector<std::vector<std::size_t>>{{}, {0}, {0, 3}, {0, 4}})
    EXPECT_FALSE(together(programs, these));
}

TEST(Measure, OpenMpProgramsHaveTheirThreads) {
  Problem problem = small_problem();
  problem.threads = 2;
  Generated program = plain_program(problem,
                                    "int threads = 0;\n#pragma omp parallel reduction(+ : threads)\n"
                                    "threads += 1;\nif (threads != 2) return;");
  program.openmp = true;
  const Outcome outcome = laboratory(problem)->measure(program, {});
  EXPECT_EQ(outcome.ending, Ending::ran) << outcome.message;
}

TEST(Measure, IsCancelledAtOnce) {
  const Problem problem = small_problem();
  const auto bench = laboratory(problem);
  Outcome failure;
  const auto hanging = bench->compile(plain_program(problem, "for (volatile int i = 0;;) i = 1;"), {}, failure);
  ASSERT_TRUE(hanging) << failure.message;
  std::stop_source source;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  RunOptions patient = quick();
  patient.wall = std::chrono::hours(1);
  EXPECT_THROW(bench->run({*hanging}, patient, source.get_token()), Cancelled);
}

}  // namespace
}  // namespace convscope::cpu::test
