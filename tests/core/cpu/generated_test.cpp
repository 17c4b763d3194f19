#include <cstdlib>

#include <gtest/gtest.h>

#include "core/cpu/tree/microkernels.h"
#include "core/cpu/tree/tree.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

void expect_right(const std::vector<Case>& cases, Family family, const std::string& compiler = "g++") {
  const std::vector<CaseResult> results = run_cases(cases, family, compiler);
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_TRUE(results[i].right()) << text(cases[i].problem) << "\n"
                                    << json(cases[i].path) << "\nerror " << results[i].error << ", bound "
                                    << results[i].bound << " " << results[i].failure;
}

class EachFamily : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, EachFamily,
                         testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::neon32, Family::neon64),
                         [](const auto& one) { return std::string(traits(one.param).key); });

/// Sizes that no vector and no tile divides, strides, dilations, groups, even kernels.
const char* const odd_sizes[] = {"7x9x5 -> 13, 3x3",
                                 "6x11x8 -> 21, 5x3, stride 2x1",
                                 "9x10x6 -> 10, 2x3, dilation 1x2",
                                 "5x7x6 -> 9, 3x3, groups 3",
                                 "8x13x17 -> 19, 1x1",
                                 "9x9x11 -> 11, 3x3, groups 11"};

TEST_P(EachFamily, EveryMicrokernelOnOddSizes) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  std::vector<Case> cases;
  for (const Microkernel& kernel : microkernels())
    for (const char* size : odd_sizes)
      if (auto path =
              draw_with(problem(size),
                        {{"family", std::string(traits(GetParam()).key)}, {"microkernel", std::string(kernel.key)}},
                        cases.size()))
        cases.push_back({problem(size), *std::move(path)});
  EXPECT_GT(cases.size(), 20U);
  expect_right(cases, GetParam());
}

/// The first path with the choices that some seed draws.
std::optional<Path> drawn_sometime(const Problem& one, const std::vector<Choice>& fixed) {
  std::optional<Path> path;
  for (std::uint64_t seed = 1; !path && seed <= 40; ++seed) path = draw_with(one, fixed, seed);
  return path;
}

/// Calls that share the next weights take their number: of direct programs, products and Winograd's.
TEST_P(EachFamily, PrefetchOfTheNextWeights) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  std::vector<Case> cases;
  for (const char* kernel : {"wmc_c", "wmc_yxc", "winograd_2d", "winograd_1d"}) {
    const Problem one = problem("4x5x16 -> 96, 3x3");
    if (auto path = drawn_sometime(one, {{"family", std::string(traits(GetParam()).key)},
                                         {"microkernel", kernel},
                                         {"unroll", "8"},
                                         {"loop 1", "m"},
                                         {"prefetch", "next"}}))
      cases.push_back({one, *std::move(path)});
  }
  EXPECT_EQ(cases.size(), GetParam() == Family::scalar ? 0U : 4U);
  expect_right(cases, GetParam());
}

/// Kernels beyond whole vectors by tiles of different types, next to full ones; kernels as many as vectors have lanes.
TEST(CpuGenerated, TailsAndWholeVectors) {
  if (!runnable(Family::avx512)) GTEST_SKIP() << "this processor has no AVX-512";
  std::vector<Case> cases;
  const auto add = [&](const char* size, std::vector<Choice> fixed) {
    fixed.push_back({"family", "avx512"});
    const auto path = draw_with(problem(size), fixed, cases.size());
    EXPECT_TRUE(path) << fixed.front().value;
    if (path) cases.push_back({problem(size), *path});
  };
  for (const char* tail : {"narrow", "scalar", "masked", "shared"})
    for (const char* unroll : {"1", "2", "8"})
      add("5x13x16 -> 40, 1x1",
          {{"tail", tail}, {"microkernel", "wmc_yxc"}, {"kernel", "[M/32]YXC[32]"}, {"unroll", unroll}});
  for (const char* microkernel : {"ci_sso", "yxci_sso"})
    for (const char* size : {"6x6x16 -> 32, 3x3", "6x6x32 -> 16, 3x3"}) add(size, {{"microkernel", microkernel}});
  for (const char* compiler : {"g++", "clang++-14"}) expect_right(cases, Family::avx512, compiler);
}

/// Outputs that see nothing of the image are zero. Kernels of one tap, and such as reach beyond the image on all sides.
TEST_P(EachFamily, OutputsBesideTheImageAreZero) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  const char* const sizes[] = {"5x6x5 -> 9, 1x1, pad 1 1 1 1", "6x7x4 -> 8, 1x1, stride 2, pad 1 1 2 2",
                               "5x6x1 -> 9, 1x1, pad 2 2 2 2", "6x5x3 -> 5, 1x3, pad 2 1 2 1",
                               "3x2x3 -> 5, 5x5, pad 4 4 4 4", "2x2x3 -> 17, 3x3, stride 3, pad 4 4 4 4"};
  std::vector<Case> cases;
  int number = 0;
  for (const char* size : sizes)
    for (const Microkernel& kernel : microkernels())
      if (auto path = draw_with(problem(size),
                                {{"family", std::string(traits(GetParam()).key)},
                                 {"microkernel", std::string(kernel.key)},
                                 {"padding", ++number % 2 == 0 ? "tests" : "peeled"}},
                                cases.size()))
        cases.push_back({problem(size), *std::move(path)});
  EXPECT_GT(cases.size(), 20U);
  expect_right(cases, GetParam());
}

/// Pixels that share a vector, some of whose taps miss the image, in tiles of even and odd width.
TEST(CpuGenerated, SharedVectorsBesidePadding) {
  if (!runnable(Family::avx512)) GTEST_SKIP() << "this processor has no AVX-512";
  std::vector<Case> cases;
  for (const char* tile : {"12x2", "13x2", "9x3"})
    for (const char* padding : {"tests", "peeled"}) {
      const Problem one = problem("3x25x5 -> 56, 3x3");
      const auto path = draw_with(one,
                                  {{"family", "avx512"},
                                   {"microkernel", "wmc_yxc"},
                                   {"kernel", "[M/16]YXC[16]"},
                                   {"tile", tile},
                                   {"tail", "shared"},
                                   {"unroll", "2"},
                                   {"padding", padding}},
                                  cases.size());
      ASSERT_TRUE(path) << tile << " " << padding;
      cases.push_back({one, *path});
    }
  expect_right(cases, Family::avx512);
}

/// Pixels held beside the sums, where no registers are left for all weights: taps that miss the image, tails, and the
/// products of Winograd's tiles.
TEST_P(EachFamily, HeldPixels) {
  if (traits(GetParam()).registers != 16) GTEST_SKIP() << "registers are left for the weights";
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  std::vector<Case> cases;
  const auto add = [&](const char* size, std::vector<Choice> fixed) {
    fixed.insert(fixed.begin(),
                 {{"family", std::string(traits(GetParam()).key)}, {"tile", "3x4"}, {"operand", "held"}});
    std::optional<Path> path;  // none where the drawn layout has blocks of other tiles
    for (std::uint64_t seed = 0; seed < 100 && !path; ++seed) path = draw_with(problem(size), fixed, seed);
    ASSERT_TRUE(path) << size << " " << fixed.back().value;
    cases.push_back({problem(size), *path});
  };
  for (const char* microkernel : {"wmc_c", "wmc_yxc"})
    for (const char* padding : {"tests", "peeled", "buffer"})
      for (const char* size : {"3x25x5 -> 37, 3x3", "6x7x6 -> 64, 5x3, stride 2", "4x5x3 -> 47, 3x3, pad 2 2 2 2"})
        add(size, {{"microkernel", microkernel}, {"padding", padding}});
  for (const char* microkernel : {"winograd_1d", "winograd_2d"})
    add("9x26x5 -> 36, 3x3", {{"microkernel", microkernel}, {"transform", "2"}});
  expect_right(cases, GetParam());
}

TEST_P(EachFamily, RandomPaths) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  constexpr int at_once = 40, all = 1000;
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  for (int done = 0; done < (full ? all : at_once); done += at_once)
    expect_right(random_cases(GetParam(), static_cast<std::uint64_t>(done), at_once), GetParam());
}

}  // namespace
}  // namespace convscope::cpu
