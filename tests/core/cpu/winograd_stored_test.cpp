// Winograd's programs on tensors that are stored as flyte: images and outputs converted in the loads and stores of the
// transforms, kernels rounded after they were transformed.

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/nest.h"
#include "core/cpu/tree/expected_error.h"
#include "core/cpu/tree/transform_error.h"
#include "core/cpu/tree/winograd.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/drawing.h"
#include "tests/core/cpu/reference.h"

namespace convscope::cpu {
namespace {

using Choices = std::vector<Choice>;

class WinogradStored : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, WinogradStored,
                         testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::avx512vbmi,
                                         Family::neon32, Family::neon64),
                         [](const auto& one) { return std::string(traits(one.param).key); });

/// All ways of padding and both methods, odd sizes, channels and kernels beyond whole vectors.
TEST_P(WinogradStored, LoadsAndStoresInItsTransforms) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  const char* const sizes[] = {"7x10x9 -> 13, 3x3", "9x8x19 -> 21, 3x3, pad 2 0 1 2"};
  const char* const stored[] = {"image flyte-24", "weights flyte-16, output flyte-24", "weights flyte-24",
                                "image flyte-8, weights flyte-24 truncated, output flyte-16"};
  std::vector<Case> cases;
  std::size_t next = 0;
  for (const char* method : {"winograd_2d", "winograd_1d"})
    for (const char* padding : {"peeled", "tile", "indirection"}) {
      const char* size = sizes[next % std::size(sizes)];
      const Problem one = problem(std::string(size) + ", " + stored[next++ % std::size(stored)]);
      std::optional<Path> path;
      for (std::uint64_t seed = 0; seed < 40 && !path; ++seed)
        path = draw_with(one,
                         {{"family", std::string(traits(GetParam()).key)},
                          {"microkernel", method},
                          {"transform", "2"},
                          {"padding", padding}},
                         40 * next + seed);
      if (path) cases.push_back({one, *std::move(path)});
    }
  EXPECT_GE(cases.size(), 5U);
  const std::vector<CaseResult> results = run_cases(cases, GetParam());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_TRUE(results[i].right()) << text(cases[i].problem) << "\n"
                                    << json(cases[i].path) << "\nerror " << results[i].error << ", bound "
                                    << results[i].bound << " " << results[i].failure;
}

double rms_of(const Reference& reference) {
  double squares = 0;
  for (const double value : reference.output) squares += value * value;
  return std::sqrt(squares / static_cast<double>(reference.output.size()));
}

/// What rounding transformed kernels does is expected before a program is made, and measured.
TEST(CpuWinogradStored, TheErrorIsWhatIsExpected) {
  const Family family = runnable(Family::avx2) ? Family::avx2 : Family::scalar;
  const char* const points = "0,5/7,-5/7,7/5,-7/5";
  double before = 0;
  for (const char* weights : {"", ", weights flyte-24", ", weights flyte-16"}) {
    const Problem one = problem(std::string("16x16x64 -> 32, 3x3") + weights);
    const auto path = draw_with(one,
                                {{"family", std::string(traits(family).key)},
                                 {"microkernel", "winograd_2d"},
                                 {"transform", "4"},
                                 {"points", points},
                                 {"block c", "none"}},
                                3);
    ASSERT_TRUE(path);
    const CaseResult result = run_cases({{one, *path}}, family).front();
    EXPECT_TRUE(result.right()) << result.failure << result.error;
    const double measured = result.error / rms_of(make_reference(one, 0));
    const double expected = expected_error(transform_error(4, 3, points, true, one.stored.weights), ErrorMetric::max,
                                           16 * 16 * 32 / 16, {64, 64});
    EXPECT_GT(expected, .6 * measured) << weights;
    EXPECT_LT(expected, 2 * measured) << weights;
    EXPECT_GT(measured, 3 * before) << weights;
    before = measured;
  }
}

/// By default 1e-5 is allowed: rounded kernels err more. Who allows more gets them.
TEST(CpuWinogradStored, ABoundDecidesWhetherKernelsAreRounded) {
  const auto allowed = [](const char* stored, double bound) {
    const Problem one = problem(std::string("16x16x64 -> 32, 3x3, ") + stored);
    TreeMachine machine = any_machine(one);
    machine.accuracy.bound = bound;
    const Path path{{{"family", "avx2"},
                     {"microkernel", "winograd_2d"},
                     {"image", "HWC"},
                     {"kernel", "[M/16]YXC[16]"},
                     {"output", "HWM"}}};
    std::vector<std::string> values;
    for (const Option& option : options(one, machine, {}, path))
      if (option.rejected.empty()) values.push_back(option.value);
    return values;
  };
  const auto none = std::vector<std::string>();
  EXPECT_EQ(allowed("weights flyte-16", usual_error), none);
  EXPECT_EQ(allowed("weights flyte-24", usual_error), none);
  EXPECT_THAT(allowed("weights flyte-24", 2e-4), testing::Contains("4"));
  EXPECT_THAT(allowed("weights flyte-16", 5e-2), testing::Contains("4"));
  EXPECT_THAT(allowed("image flyte-16, output flyte-16", usual_error), testing::Contains("4"))
      << "images are stored exactly, outputs are rounded once";
}

TEST(CpuWinogradStored, BytesAreThoseThatAreStored) {
  const Choices f4{
      {"family", "avx512"}, {"microkernel", "winograd_2d"}, {"transform", "4"}, {"padding", "indirection"}};
  const auto nest_of = [&](const char* text) {
    const Problem one = problem(text);
    const auto path = draw_with(one, f4, 1);
    Diagnostics diagnostics;
    const auto nest = path ? describe(one, *path, diagnostics) : std::nullopt;
    const auto program = path ? generate(one, *path, diagnostics) : std::nullopt;
    EXPECT_TRUE(nest && program) << diagnostics.text();
    if (nest && program) {
      EXPECT_EQ(program->text.temporary_bytes, nest->temporary_bytes);
    }
    return nest.value_or(Nest{});
  };
  const Nest floats = nest_of("16x16x32 -> 48, 3x3");
  const Nest stored = nest_of("16x16x32 -> 48, 3x3, image flyte-24, weights flyte-16, output flyte-8");
  EXPECT_EQ(stored.transforms.kernel_bytes, 2 * 36 * 32 * 48);
  EXPECT_EQ(stored.transforms.image_bytes, 3 * 16 * 16 * 32);
  EXPECT_EQ(stored.transforms.output_bytes, 16 * 16 * 48);
  EXPECT_EQ(stored.transforms.block_bytes, floats.transforms.block_bytes) << "buffers hold floats";
}

}  // namespace
}  // namespace convscope::cpu
