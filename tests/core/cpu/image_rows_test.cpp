// The image converted and padded block of rows by block of rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/nest.h"
#include "core/cpu/syntax/interpreter.h"
#include "core/cpu/tree/image_buffer.h"
#include "core/cpu/tree/tree.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/drawing.h"
#include "tests/core/cpu/reference.h"

namespace convscope::cpu {
namespace {

using Choices = std::vector<Choice>;

/// With an outermost loop over `loop`; paths are drawn until one has it.
std::optional<Path> in_rows(const Problem& problem, Choices fixed, const char* loop, std::uint64_t seed) {
  fixed.insert(fixed.end(), {{"padding", "rows"}, {"loop 1", loop}});
  for (std::uint64_t i = 0; i < 60; ++i)
    if (auto path = draw_with(problem, fixed, 100 * seed + i)) return path;
  return std::nullopt;
}

class ImageRows : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, ImageRows,
                         testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::avx512vbmi,
                                         Family::neon32, Family::neon64),
                         [](const auto& one) { return std::string(traits(one.param).key); });

struct Size {
  const char* text;
  const char* loop;
  Choices more;
};

/// Odd sizes, strides, dilation, one row, padding on some sides alone, blocks of rows; images in floats and in flyte.
const Size sizes[] = {{"7x9x5 -> 13, 3x3", "h", {}},
                      {"11x10x8 -> 35, 5x3, stride 2x1", "h", {}},
                      {"8x9x17 -> 9, 3x3", "ho", {{"block h", "4"}}},
                      {"13x9x3 -> 20, 3x3, stride 2, pad 0 1 1 0", "h", {}},
                      {"12x11x6 -> 16, 3x2, dilation 2, pad 2 1 2 1", "ho", {{"block h", "2"}}},
                      {"9x9x11 -> 11, 3x3, groups 11", "h", {}},
                      {"1x29x6 -> 18, 1x3", "w", {}},
                      {"5x31x4 -> 17, 5x3, pad 0 1 0 1", "w", {}}};
const char* const images[] = {"", ", image flyte-24", ", image flyte-16, weights flyte-24", ", image flyte-8"};

TEST_P(ImageRows, ComputeTheConvolutionOnOddSizes) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  std::vector<Case> cases;
  std::uint64_t next = 0;
  for (std::size_t s = 0; s < std::size(sizes); ++s)
    for (std::size_t i = 0; i < 2; ++i) {
      const Size& size = sizes[s];
      const Problem one = problem(std::string(size.text) + images[(2 * s + s / 2 + i) % std::size(images)]);
      Choices fixed = size.more;
      fixed.insert(fixed.begin(), {"family", std::string(traits(GetParam()).key)});
      if (auto path = in_rows(one, fixed, size.loop, next++)) cases.push_back({one, *std::move(path)});
    }
  // Of a family that permutes bytes those that store three.
  EXPECT_GE(cases.size(), GetParam() == Family::avx512vbmi ? 7U : 14U);
  const std::vector<CaseResult> results = run_cases(cases, GetParam());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_TRUE(results[i].right()) << text(cases[i].problem) << "\n"
                                    << json(cases[i].path) << "\nerror " << results[i].error << ", bound "
                                    << results[i].bound << " " << results[i].failure;
}

/// 1x1 kernels see one row of all pixels: blocks of it are converted.
TEST_P(ImageRows, ProductsConvertATileOfPixels) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  const Problem one = problem("9x11x20 -> 40, 1x1, image flyte-24");
  const auto path = in_rows(one,
                            {{"family", std::string(traits(GetParam()).key)},
                             {"microkernel", "wmc_yxc"},
                             {"image", "HWC"},
                             {"output", "HWM"},
                             {"block w", "none"},
                             {"tile", "4x1"}},
                            "w", 1);
  ASSERT_TRUE(path);
  const CaseResult result = run_cases({{one, *path}}, GetParam()).front();
  EXPECT_TRUE(result.right()) << result.failure << result.error;
  Diagnostics diagnostics;
  EXPECT_EQ(describe(one, *path, diagnostics)->temporary_bytes, 4 * 4 * 20);
}

TEST(CpuImageRows, EveryStageComputesTheConvolution) {
  for (const Size& size : sizes) {
    const Problem one = problem(size.text);
    Choices fixed = size.more;
    fixed.insert(fixed.begin(), {"family", "avx2"});
    const auto path = in_rows(one, fixed, size.loop, 7);
    ASSERT_TRUE(path) << size.text;
    Diagnostics diagnostics;
    const auto program = generate(one, *path, diagnostics);
    ASSERT_TRUE(program) << diagnostics.text();
    const Reference reference = make_reference(one, 3);
    for (std::size_t i = 0; i <= program->last_unlowered; ++i) {
      const auto output = interpret(program->stages[i].tree, pack(reference.image, program->text.image, one.image()),
                                    pack_kernel(reference, program->text), diagnostics);
      ASSERT_TRUE(output) << program->stages[i].name << diagnostics.text();
      EXPECT_LE(largest_error(reference, program->text.output, output->data()), reference.bound)
          << program->stages[i].name << " of " << json(*path);
    }
  }
}

/// A few rows in the place of the image, in the estimate as in the program; with threads for each its own.
TEST(CpuImageRows, ScratchIsAFewRows) {
  const Choices wmc{{"family", "avx2"}, {"microkernel", "wmc_yxc"}, {"image", "HWC"}, {"block h", "4"}};
  for (const int threads : {1, 2}) {
    Problem one = problem("56x56x64 -> 64, 3x3, image flyte-16");
    one.threads = threads;
    Choices fixed = wmc;
    fixed.push_back({"threads", threads > 1 ? "openmp" : "none"});
    const auto path = in_rows(one, fixed, "ho", 1);
    ASSERT_TRUE(path);
    Diagnostics diagnostics;
    const auto nest = describe(one, *path, diagnostics);
    const auto program = generate(one, *path, diagnostics);
    ASSERT_TRUE(nest && program) << diagnostics.text();
    EXPECT_EQ(nest->buffer.fills, 14);
    EXPECT_EQ(nest->temporary_bytes, threads * 4 * (4 + 2) * (56 + 2) * 64);
    EXPECT_EQ(program->text.temporary_bytes, nest->temporary_bytes);
  }
}

TEST(CpuImageRows, ThreadsHaveBuffersOfTheirOwn) {
  const Family family = runnable(Family::avx2) ? Family::avx2 : Family::scalar;
  std::vector<CaseResult> results;
  for (const char* threads : {"none", "openmp"}) {
    const Problem one = problem("16x13x9 -> 21, 3x3, image flyte-24, threads 2");
    const auto path = in_rows(one,
                              {{"family", std::string(traits(family).key)},
                               {"microkernel", "wmc_yxc"},
                               {"kernel", "YXCM"},
                               {"image", "HWC"},
                               {"output", "HWM"},
                               {"tile", "4x1"},
                               {"operand", "broadcast"},
                               {"tail", family == Family::scalar ? "none" : "narrow"},
                               {"unroll", "1"},
                               {"block h", "2"},
                               {"block m", "none"},
                               {"block w", "none"},
                               {"block c", "none"},
                               {"threads", threads}},
                              "ho", 1);
    ASSERT_TRUE(path);
    results.push_back(run_cases({{one, *path}}, family).front());
    EXPECT_TRUE(results.back().right()) << results.back().failure << results.back().error;
  }
  EXPECT_EQ(results[0].output, results[1].output);
}

std::string refusal(const Problem& one, const Choices& fixed) {
  Path path;
  for (std::string next = next_level(one, path); next != "padding"; next = next_level(one, path)) {
    if (next.empty()) return "no such level";
    std::string value;
    for (const Option& option : options(one, any_machine(one), {}, path))
      if (value.empty() && option.rejected.empty()) value = option.value;
    for (const Choice& choice : fixed)
      if (choice.level == next) value = choice.value;
    path.choices.push_back({next, value});
  }
  for (const Option& option : options(one, any_machine(one), {}, path))
    if (option.value == "rows") return option.rejected;
  return "no such value";
}

TEST(CpuImageRowsRefusal, LoopsOutsideWouldConvertAgain) {
  const Choices wmc{{"family", "avx2"}, {"microkernel", "wmc_yxc"}, {"tile", "4x1"}};
  const auto with_loop = [&](const char* loop) {
    Choices fixed = wmc;
    fixed.insert(fixed.end(), {{"loop 1", loop}, {"loop 2", loop == std::string("h") ? "w" : "h"}});
    return fixed;
  };
  const Problem converted = problem("9x9x8 -> 40, 3x3, image flyte-16");
  EXPECT_EQ(refusal(converted, with_loop("h")), "");
  for (const char* loop : {"m", "w"})
    EXPECT_THAT(refusal(converted, with_loop(loop)), testing::HasSubstr("isn't over rows")) << loop;
  EXPECT_EQ(refusal(problem("9x9x8 -> 40, 3x3"), with_loop("h")), "");
  EXPECT_THAT(refusal(problem("9x9x8 -> 40, 3x3, pad 0 0 0 0"), with_loop("h")), testing::HasSubstr("nothing reaches"));
  EXPECT_THAT(refusal(problem("9x9x8 -> 40, 3x3, groups 2, image flyte-16"), with_loop("h")),
              testing::HasSubstr("group"));
}

TEST(CpuImageRowsRefusal, NoMoreMemoryThanIsAllowed) {
  const Problem one = problem("16x16x32 -> 16, 3x3, image flyte-16");
  const auto path = in_rows(one, {{"family", "avx2"}, {"microkernel", "wmc_yxc"}, {"image", "HWC"}}, "h", 1);
  ASSERT_TRUE(path);
  TreeMachine machine = any_machine(one);
  Diagnostics diagnostics;
  machine.temporary_bytes = 4 * 3 * 18 * 32;
  EXPECT_TRUE(check(one, machine, *path, diagnostics)) << diagnostics.text();
  machine.temporary_bytes -= 1;
  EXPECT_FALSE(check(one, machine, *path, diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("temporary memory"));
}

/// Rows that are in L1 all the time, where a copy of the whole image came from L2.
TEST(CpuImageRows, TheBufferStaysInTheFirstCache) {
  const Problem one = problem("28x28x16 -> 64, 3x3, image flyte-16");
  auto path = in_rows(one,
                      {{"family", "avx2"},
                       {"microkernel", "wmc_yxc"},
                       {"image", "HWC"},
                       {"kernel", "[M/16]YXC[16]"},
                       {"tile", "6x2"},
                       {"block h", "none"},
                       {"block w", "none"},
                       {"block m", "none"},
                       {"block c", "none"},
                       {"loop 2", "m"}},
                      "h", 1);
  ASSERT_TRUE(path);
  const auto bytes_of = [&](const char* padding) {
    for (Choice& choice : path->choices)
      if (choice.level == "padding") choice.value = padding;
    Diagnostics diagnostics;
    const auto nest = describe(one, *path, diagnostics);
    EXPECT_TRUE(nest) << diagnostics.text();
    return nest ? estimate(*nest, {}).bytes[1] : 0;
  };
  EXPECT_LT(bytes_of("rows"), bytes_of("buffer"));
}

}  // namespace
}  // namespace convscope::cpu
