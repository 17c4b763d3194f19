#include "core/cpu/tree/winograd.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "core/cpu/generate/nest.h"
#include "core/cpu/tree/expected_error.h"
#include "core/cpu/tree/transform_error.h"
#include "core/winograd/error/error.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

using Choices = std::vector<Choice>;

Choices with(Choices choices, const Choices& more) {
  choices.insert(choices.end(), more.begin(), more.end());
  return choices;
}

GeneratedProgram program_of(const Problem& one, const Choices& fixed) {
  const auto path = draw_with(one, fixed, 1);
  EXPECT_TRUE(path);
  Diagnostics diagnostics;
  auto program = path ? generate(one, *path, diagnostics) : std::nullopt;
  EXPECT_TRUE(program) << diagnostics.text();
  return program ? *std::move(program) : GeneratedProgram{};
}

/// Lines of the source that a function of tiles has for the steps of nested programs: of inputs, or of outputs.
int steps_in_source(const GeneratedProgram& program, const std::string& loaded) {
  std::istringstream source(program.text.source);
  int steps = 0, found = 0;
  for (std::string line; std::getline(source, line);) {
    if (line.find("noinline") != std::string::npos) steps = 0;
    const bool step = line.find("v16 t_") != std::string::npos || line.find("v16 u_") != std::string::npos;
    steps += step ? 1 : 0;
    if (line.find("v16 " + loaded) != std::string::npos) found = 1;
    if (line == "}" && found == 1) return steps;
  }
  return -1;
}

const Choices f4{{"family", "avx512"}, {"microkernel", "winograd_2d"}, {"transform", "4"}, {"padding", "indirection"}};

/// Counts of the 2D transforms of F(4, 3) with FMA: 144 for a tile's inputs; 120 for its outputs, 100 where ±1 is among
/// the points, whatever the others are.
TEST(CpuWinograd, EmitsAsFewStepsAsSymmetricPairsOfPointsNeed) {
  const Problem one = problem("16x16x16 -> 16, 3x3");
  const GeneratedProgram accurate = program_of(one, with(f4, {{"points", "0,5/7,-5/7,7/5,-7/5"}}));
  EXPECT_EQ(steps_in_source(accurate, "d_"), 144);
  EXPECT_EQ(steps_in_source(accurate, "p_"), 120);
  const GeneratedProgram usual = program_of(one, with(f4, {{"points", "0,1,-1,2,-2"}}));
  EXPECT_EQ(steps_in_source(usual, "d_"), 144);
  EXPECT_EQ(steps_in_source(usual, "p_"), 100);
}

/// What the estimate counts is what the source has.
TEST(CpuWinograd, CountsTheStepsThatItEmits) {
  const Problem one = problem("16x16x32 -> 48, 3x3");
  const auto path = draw_with(one, with(f4, {{"points", "0,5/7,-5/7,7/5,-7/5"}}), 1);
  Diagnostics diagnostics;
  const auto nest = describe(one, *path, diagnostics);
  ASSERT_TRUE(nest) << diagnostics.text();
  const double tiles = 4 * 4;
  EXPECT_EQ(nest->transforms.fmas, tiles * (2 * 144 + 3 * 120));
  EXPECT_EQ(nest->transforms.loads, tiles * 36 * (2 + 3));
  EXPECT_EQ(nest->transforms.stores, tiles * (36 * 2 + 16 * 3));
  EXPECT_EQ(nest->transforms.kernel_bytes, 4 * 36 * 32 * 48);
}

TEST(CpuWinograd, IsAbsentWhereTilesWouldNotTakeNeighbours) {
  const char* const refused[] = {"9x9x8 -> 8, 3x3, stride 2", "9x9x8 -> 8, 3x3, dilation 2",
                                 "9x9x8 -> 8, 3x3, groups 2", "9x9x8 -> 8, 1x1",
                                 "9x9x8 -> 8, 3x1",           "9x9x8 -> 8, 9x9"};
  for (const char* size : refused) {
    const Problem one = problem(size);
    EXPECT_FALSE(draw_with(one, {{"microkernel", "winograd_2d"}}, 1)) << size;
    EXPECT_FALSE(draw_with(one, {{"microkernel", "winograd_1d"}}, 1)) << size;
  }
  EXPECT_TRUE(draw_with(problem("9x9x8 -> 8, 1x3"), {{"microkernel", "winograd_1d"}}, 1));
  EXPECT_FALSE(draw_with(problem("9x9x8 -> 8, 1x3"), {{"microkernel", "winograd_2d"}}, 1));
}

TEST(CpuWinograd, KeepsWithinTheTemporaryMemoryThatIsAllowed) {
  const Problem one = problem("56x56x64 -> 64, 3x3");
  TreeMachine machine = any_machine(one);
  machine.temporary_bytes = 300'000;
  const auto path = draw_with(one, with(f4, {{"points", "0,1,-1,2,-2"}}), 1);
  Path so_far;
  for (const Choice& choice : path->choices) {
    if (choice.level == "tiles") break;
    so_far.choices.push_back(choice);
  }
  std::vector<std::string> allowed;
  for (const Option& each : options(one, machine, {}, so_far))
    if (each.rejected.empty()) allowed.push_back(each.value);
  EXPECT_EQ(allowed, std::vector<std::string>{"14"});  // 36 x 14 x (64 + 64) x 4 bytes = 258,048
}

/// Of one case, on the same inputs as every other one's.
std::vector<float> output_of(const Case& one, Family family) {
  const CaseResult result = run_cases({one}, family).front();
  EXPECT_TRUE(result.right()) << text(one.problem) << "\n"
                              << json(one.path) << "\nerror " << result.error << ", bound " << result.bound << " "
                              << result.failure;
  return result.output;
}

class EachMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(CpuWinograd, EachMethod, testing::Values("winograd_2d", "winograd_1d"));

/// Odd sizes, partial tiles and blocks: peeled tiles, copied ones and pointers give the same bits.
TEST_P(EachMethod, AllWaysOfPaddingGiveTheSameBits) {
  const Family family = runnable(Family::avx2) ? Family::avx2 : Family::scalar;
  const char* const sizes[] = {"7x10x9 -> 13, 3x3", "9x8x5 -> 11, 3x3, pad 2 0 1 2"};
  for (const char* size : sizes) {
    const Problem one = problem(size);
    std::vector<std::vector<float>> outputs;
    for (const char* padding : {"peeled", "tile", "indirection"}) {
      const auto path = draw_with(one,
                                  {{"family", std::string(traits(family).key)},
                                   {"microkernel", GetParam()},
                                   {"transform", "2"},
                                   {"points", "0,1,-1"},
                                   {"partial", "discard"},
                                   {"image", "HWC"},
                                   {"kernel", GetParam() == std::string("winograd_2d") ? "YXCM" : "XYCM"},
                                   {"output", "HWM"},
                                   {"tiles", "14"},
                                   {"tile", "4x1"},
                                   {"operand", "broadcast"},
                                   {"tail", "narrow"},
                                   {"unroll", "1"},
                                   {"block c", "none"},
                                   {"padding", padding}},
                                  1);
      ASSERT_TRUE(path) << size << " " << padding;
      outputs.push_back(output_of({one, *path}, family));
      EXPECT_EQ(outputs.back(), outputs.front()) << size << " " << padding;
    }
  }
}

/// Outputs of the partial tiles of odd sizes, on every family: by whole tiles, by plain sums, by smaller tiles.
class PartialTiles : public testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(CpuWinograd, PartialTiles,
                         testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::neon32, Family::neon64),
                         [](const auto& of) { return std::string(traits(of.param).key); });

TEST_P(PartialTiles, AreComputedInThreeWays) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor QEMU runs it";
  const char* const sizes[] = {"11x10x5 -> 7, 3x3", "7x15x4 -> 9, 3x3, pad 0 1 2 0", "9x11x3 -> 5, 5x5"};
  std::vector<Case> cases;
  for (const char* size : sizes)
    for (const char* method : {"winograd_2d", "winograd_1d"})
      for (const char* partial : {"discard", "direct", "smaller"})
        for (const char* padding : {"peeled", "tile", "indirection"}) {
          const Problem one = problem(size);
          const auto path = draw_with(one,
                                      {{"family", std::string(traits(GetParam()).key)},
                                       {"microkernel", method},
                                       {"transform", "4"},
                                       {"points", "0,1,-1,2,-2"},
                                       {"partial", partial},
                                       {"padding", padding}},
                                      cases.size());
          if (!path) continue;  // one column is left: that is direct; or the source would be too long
          EXPECT_EQ(tile_parts(decode(one, *path)).size() > 1, partial != std::string("discard"));
          cases.push_back({one, *path});
        }
  EXPECT_GT(cases.size(), 24U);
  const std::vector<CaseResult> results = run_cases(cases, GetParam());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_TRUE(results[i].right()) << text(cases[i].problem) << "\n"
                                    << json(cases[i].path) << "\nerror " << results[i].error << ", bound "
                                    << results[i].bound << " " << results[i].failure;
}

/// F(4, 3) of 11 x 10 outputs: 8 x 8 by whole tiles, 3 rows and 2 columns are left.
TEST(CpuWinograd, PartsCoverEveryOutputOnce) {
  const Problem one = problem("11x10x5 -> 7, 3x3");
  for (const Partial partial : {Partial::direct, Partial::smaller}) {
    Plan plan = decode(one, {{{"family", "avx2"}, {"microkernel", "winograd_2d"}, {"transform", "4"}}});
    plan.points = "0,1,-1,2,-2";
    plan.partial = partial;
    const std::vector<TilePart> parts = tile_parts(plan);
    ASSERT_EQ(parts.size(), 4U);
    int outputs = 0;
    for (const TilePart& part : parts) outputs += part.height * part.width;
    EXPECT_EQ(outputs, 110);
    EXPECT_EQ(parts.back().top, 8);
    EXPECT_EQ(parts.back().y.outputs, partial == Partial::direct ? 1 : 3);
    EXPECT_EQ(parts.back().x.outputs, partial == Partial::direct ? 1 : 2);
    EXPECT_EQ(kernel_transform(plan).extents(one).at('Y'), partial == Partial::direct ? 9 : 11);
    EXPECT_EQ(kernel_transform(plan).extents(one).at('X'), partial == Partial::direct ? 9 : 10);
  }
}

/// Tiles and positions divided over two threads: the same bits, and no way of padding whose copy they would share.
TEST_P(EachMethod, TwoThreadsGiveTheBitsOfOne) {
  const Family family = runnable(Family::avx2) ? Family::avx2 : Family::scalar;
  const Problem one = problem("11x10x9 -> 13, 3x3, threads 2");
  for (const char* tiles : {"14", "all"}) {
    std::vector<Choice> choices{{"family", std::string(traits(family).key)},
                                {"microkernel", GetParam()},
                                {"transform", "2"},
                                {"points", "0,1,-1"},
                                {"partial", "direct"},
                                {"tiles", tiles},
                                {"padding", "indirection"}};
    std::vector<std::vector<float>> outputs;
    for (const char* threads : {"none", "openmp"}) {
      choices.push_back({"threads", threads});
      const auto path = draw_with(one, choices, 1);
      ASSERT_TRUE(path) << tiles << " " << threads;
      const bool divided = program_of(one, path->choices).text.source.find("num_threads(2)") != std::string::npos;
      EXPECT_EQ(divided, threads == std::string("openmp"));
      outputs.push_back(output_of({one, *path}, family));
      choices.pop_back();
    }
    EXPECT_EQ(outputs.front(), outputs.back()) << tiles;
  }
  EXPECT_FALSE(draw_with(one, {{"microkernel", GetParam()}, {"padding", "tile"}, {"threads", "openmp"}}, 1));
}

/// With points of least error, and sums in blocks of 64 channels, what F(4, 3) is allowed without being asked.
TEST(CpuWinograd, ErrsLittleWithAccuratePoints) {
  const Family family = runnable(Family::avx512) ? Family::avx512 : Family::avx2;
  if (!runnable(family)) GTEST_SKIP() << "this processor has no AVX2";
  const Problem one = problem("13x13x128 -> 32, 3x3");
  const auto path = draw_with(one,
                              {{"family", std::string(traits(family).key)},
                               {"microkernel", "winograd_2d"},
                               {"transform", "4"},
                               {"points", "0,5/7,-5/7,7/5,-7/5"},
                               {"block c", "64"}},
                              2);
  ASSERT_TRUE(path);
  const CaseResult result = run_cases({{one, *path}}, family).front();
  EXPECT_TRUE(result.right()) << result.failure;
  // The bound is 4 eps sqrt(taps) rms, times the growth of errors.
  const double growth = kernel_transform(decode(one, *path)).error_growth;
  const double rms = result.bound / (growth * 4 * 0x1p-23 * std::sqrt(9.0 * 128));
  EXPECT_LE(result.error, usual_error * rms);
}

/// Errors of all outputs at 64 channels: the design's prototype had 2.5e-7, 1.8e-6, 7.6e-7, 3.1e-6 of other data.
TEST(CpuWinograd, KnowsHowFarPointsAreOff) {
  const auto error = [](int m, const char* points) { return transform_error(m, 3, points, true).one_chain; };
  EXPECT_NEAR(error(2, "0,1,-1").l2, 2.5e-7, 5e-8);
  EXPECT_NEAR(error(4, "0,1,-1,2,-2").l2, 1.8e-6, 3e-7);
  EXPECT_NEAR(error(4, "0,5/7,-5/7,7/5,-7/5").l2, 7.6e-7, 1.5e-7);
  EXPECT_NEAR(error(6, "0,1,-1,2,-2,1/2,-1/2").l2, 3.1e-6, 5e-7);
  EXPECT_GT(error(4, "0,1,-1,2,-2").worst, error(4, "0,1,-1,2,-2").l2);
  EXPECT_LT(transform_error(4, 3, "0,1,-1,2,-2", false).one_chain.l2, error(4, "0,1,-1,2,-2").l2);
  EXPECT_TRUE(std::isinf(error(4, "0,1,1,2,-2").l2));
}

/// What is expected of long and short chains, against what is measured on other data.
TEST(CpuWinograd, ExpectsLessOfShortChains) {
  constexpr const char* accurate = "0,5/7,-5/7,7/5,-7/5";
  const winograd::ErrorSetup setup{512, 8, 32};
  const double outputs = 8 * 32;  // at each place of a tile
  Diagnostics diagnostics;
  const auto matrices =
      winograd::make_transform(4, 3, *winograd::parse_points(accurate, 4, 3, diagnostics), diagnostics);
  ASSERT_TRUE(matrices);
  double before = std::numeric_limits<double>::infinity();
  for (const int chain : {512, 128, 32}) {
    winograd::ErrorSetup chained = setup;
    chained.chain = chain;
    const winograd::MeasuredError measured = winograd::ErrorTrial(4, 3, chained).of(*matrices, {});
    const auto expected = [&](ErrorMetric metric) {
      return expected_error(transform_error(4, 3, accurate, true), metric, outputs, {512, static_cast<double>(chain)});
    };
    EXPECT_NEAR(expected(ErrorMetric::l2) / measured.l2, 1, .25) << chain;
    EXPECT_NEAR(expected(ErrorMetric::max) / measured.largest, 1, .5) << chain;
    EXPECT_LT(expected(ErrorMetric::max), before);
    before = expected(ErrorMetric::max);
  }
}

/// Largest errors of programs for AVX2 by chain (docs/cpu.md): what is expected isn't less by more than a tenth, and
/// not a third more.
TEST(CpuWinograd, ExpectsWhatProgramsErr) {
  struct Row {
    double outputs, channels, chain, measured;
  };
  const TransformError error = transform_error(4, 3, "0,5/7,-5/7,7/5,-7/5", true);
  for (const Row& row : {Row{35 * 35 * 96, 64, 32, 4.6e-6},
                         {56 * 56 * 64, 64, 32, 4.8e-6},
                         {28 * 28 * 512, 512, 32, 4.9e-6},
                         {112 * 112 * 32, 32, 32, 5.06e-6},
                         {112 * 112 * 128, 64, 32, 5.28e-6},
                         {224 * 224 * 64, 64, 32, 6.0e-6},
                         {112 * 112 * 32, 32, 16, 3.45e-6},
                         {112 * 112 * 128, 64, 16, 4.17e-6},
                         {224 * 224 * 64, 64, 16, 4.6e-6}}) {
    const double expected = expected_error(error, ErrorMetric::max, row.outputs / 16, {row.channels, row.chain});
    EXPECT_GT(expected, .9 * row.measured) << row.outputs << ", chains of " << row.chain;
    EXPECT_LT(expected, 1.3 * row.measured) << row.outputs << ", chains of " << row.chain;
  }
}

/// Four outputs err no more than 5e-6 where channels are summed in short chains, and one chain of all is refused.
TEST(CpuWinograd, FindsChainsThatErrNoMoreThanAskedFor) {
  for (const char* size : {"56x56x64 -> 64, 3x3", "28x28x512 -> 512, 3x3"}) {
    const Problem one = problem(size);
    TreeMachine strict = any_machine(one);
    strict.methods = Methods::winograd;
    strict.accuracy.bound = 5e-6;
    int blocked = 0, four = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const auto path = draw(one, strict, {}, Drawing::uniform, seed);
      if (!path || *path->find("transform") != "4" || *path->find("microkernel") != "winograd_2d") continue;
      ++four;
      blocked += *path->find("block c") != "none" ? 1 : 0;
    }
    EXPECT_GT(four, 0) << size;
    EXPECT_EQ(blocked, four) << size;
  }
}

/// Of many outputs the largest error is beyond 5e-6 in chains of 32.
TEST(CpuWinograd, TakesShortChainsOnLargeImages) {
  for (const char* size : {"112x112x32 -> 32, 3x3", "112x112x64 -> 128, 3x3", "224x224x64 -> 64, 3x3"}) {
    const Problem one = problem(size);
    TreeMachine strict = any_machine(one);
    strict.methods = Methods::winograd;
    strict.accuracy.bound = 5e-6;
    int four = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const auto path = draw(one, strict, {}, Drawing::uniform, seed);
      if (!path || *path->find("transform") != "4" || *path->find("microkernel") != "winograd_2d") continue;
      ++four;
      const std::string chain = *path->find("block c");
      EXPECT_TRUE(chain == "16" || chain.size() == 1) << size << ": " << chain;
    }
    EXPECT_GT(four, 0) << size;
  }
}

/// Where 1e-5 is asked for, no six outputs, and for four no usual points; both are there where nothing is asked for.
TEST(CpuWinograd, OffersNoPointsThatErrMoreThanAskedFor) {
  const Problem one = problem("28x28x64 -> 64, 3x3");
  const Path before{
      {{"family", "avx2"}, {"microkernel", "winograd_2d"}, {"image", "HWC"}, {"kernel", "YXCM"}, {"output", "HWM"}}};
  TreeMachine strict = any_machine(one);
  strict.accuracy.bound = usual_error;
  const auto rejected = [&](const TreeMachine& machine, const Path& path, const std::string& value) {
    for (const Option& each : options(one, machine, {}, path))
      if (each.value == value) return !each.rejected.empty();
    return true;
  };
  EXPECT_TRUE(rejected(strict, before, "6"));
  EXPECT_FALSE(rejected(any_machine(one), before, "6"));
  Path four = before;
  four.choices.push_back({"transform", "4"});
  EXPECT_TRUE(rejected(strict, four, "0,1,-1,2,-2"));
  EXPECT_FALSE(rejected(strict, four, "0,5/7,-5/7,7/5,-7/5"));
  EXPECT_FALSE(rejected(any_machine(one), four, "0,1,-1,2,-2"));
}

}  // namespace
}  // namespace convscope::cpu
