#include "core/cpu/tree/tree.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/cpu/tree/loops.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

Weights weights() {
  Diagnostics diagnostics;
  const auto read = standard_weights(diagnostics);
  EXPECT_TRUE(read) << diagnostics.text();
  return read.value_or(Weights{});
}

TEST(CpuTree, SameSeedSamePath) {
  const Problem one = problem("28x28x64 -> 96, 3x3, threads 2");
  const TreeMachine machine = any_machine(one);
  std::set<std::string> paths;
  for (const Drawing drawing : {Drawing::weighted, Drawing::uniform})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto path = draw(one, machine, weights(), drawing, seed);
      ASSERT_TRUE(path);
      EXPECT_EQ(path, draw(one, machine, weights(), drawing, seed));
      paths.insert(json(*path));
    }
  EXPECT_GT(paths.size(), 35U) << "different seeds hardly ever draw the same";
}

TEST(CpuTree, DrawnPathsAreChecked) {
  for (const char* text : {"14x14x512 -> 512, 3x3", "7x7x32 -> 32, 3x3, groups 32", "1x1x3 -> 5, 1x1",
                           "55x55x96 -> 16, 1x1", "9x2x1 -> 1, 2x2, stride 2"}) {
    const Problem one = problem(text);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto path = draw(one, any_machine(one), weights(), Drawing::uniform, seed);
      ASSERT_TRUE(path) << text;
      Diagnostics diagnostics;
      EXPECT_TRUE(check(one, any_machine(one), *path, diagnostics)) << json(*path) << diagnostics.text();
      EXPECT_TRUE(options(one, any_machine(one), weights(), *path).empty());
    }
  }
}

TEST(CpuTree, WeightedDrawsPreferWhatWeighsMore) {
  const Problem one = problem("28x28x64 -> 96, 3x3");
  const Weights heavy{{{"microkernel W-M-C, Y and X inside", 1000}}};
  int chosen = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    chosen += draw(one, any_machine(one), heavy, Drawing::weighted, seed)->find("microkernel")->starts_with("wmc");
  EXPECT_GE(chosen, 18);
}

TEST(CpuTree, RejectedValuesHaveAReasonAndNoWeight) {
  const Problem one = problem("7x13x24 -> 40, 3x3");
  Path path;
  int rejected = 0;
  for (std::string level = next_level(one, path); !level.empty(); level = next_level(one, path)) {
    const auto values = options(one, any_machine(one), weights(), path);
    for (const Option& value : values) {
      EXPECT_EQ(value.rejected.empty(), value.weight > 0) << level << " " << value.value;
      rejected += !value.rejected.empty();
    }
    const auto first = std::find_if(values.begin(), values.end(), [](const Option& o) { return o.rejected.empty(); });
    ASSERT_NE(first, values.end()) << level;
    path.choices.push_back({level, first->value});
  }
  EXPECT_GT(rejected, 10);
}

std::string refusal(const Problem& one, const Path& path) {
  Diagnostics diagnostics;
  EXPECT_FALSE(check(one, any_machine(one), path, diagnostics)) << json(path);
  return diagnostics.text();
}

TEST(CpuTree, RefusesPathsThatArent) {
  const Problem one = problem("14x14x64 -> 64, 3x3");
  const Path path = *draw_with(one, {{"family", "avx512"}, {"microkernel", "wmc_yxc"}}, 3);
  Path shorter = path, longer = path, renamed = path, other = path;
  shorter.choices.pop_back();
  longer.choices.push_back({"colour", "red"});
  renamed.choices[2].level = "kernel";
  other.choices[0].value = "mmx";
  EXPECT_NE(refusal(one, shorter).find("'threads'"), std::string::npos);
  EXPECT_NE(refusal(one, longer).find("'colour'"), std::string::npos);
  EXPECT_NE(refusal(one, renamed).find("'image'"), std::string::npos);
  EXPECT_NE(refusal(one, other).find("no such value"), std::string::npos);
  EXPECT_NE(refusal(problem("14x14x64 -> 8, 3x3"), path).find("level"), std::string::npos);
}

Plan plan_with(const Problem& one, const std::vector<Choice>& fixed) {
  const auto path = draw_with(one, fixed, 1);
  EXPECT_TRUE(path);
  return path ? decode(one, *path) : Plan{};
}

std::set<std::string> loop_names(const Plan& plan) {
  std::set<std::string> names;
  for (const LoopSpec& loop : loop_list(plan)) names.insert(loop.name);
  return names;
}

TEST(CpuLoops, TheMicrokernelsLoopsAreLeftOutOfBlockedOnesTheInner) {
  const Problem one = problem("28x28x64 -> 64, 3x3");
  const Choice family{"family", "avx2"}, whole{"block c", "none"}, eight{"block c", "8"}, rows{"block h", "4"};
  EXPECT_EQ(
      loop_names(plan_with(
          one,
          {family, {"microkernel", "ci_sso"}, whole, {"block m", "none"}, {"block h", "none"}, {"block w", "none"}})),
      (std::set<std::string>{"m", "h", "w", "y", "x"}));
  EXPECT_EQ(loop_names(plan_with(
                one, {family, {"microkernel", "yxci_sso"}, eight, {"block m", "none"}, rows, {"block w", "none"}})),
            (std::set<std::string>{"m", "ho", "hi", "w", "co"}));
  EXPECT_EQ(loop_names(plan_with(one, {family,
                                       {"microkernel", "parallel_myxc"},
                                       whole,
                                       {"block m", "none"},
                                       {"block h", "none"},
                                       {"block w", "none"}})),
            (std::set<std::string>{"h", "w"}));
}

using Part = LoopSpec::Part;

/// Orders that rule 4 allows, built loop after loop.
int count_orders(const std::vector<LoopSpec>& loops, std::vector<std::string>& chosen) {
  if (chosen.size() == loops.size()) return 1;
  int count = 0;
  for (const LoopSpec& next : loops) {
    if (!order_fault(loops, chosen, next).empty()) continue;
    chosen.push_back(next.name);
    count += count_orders(loops, chosen);
    chosen.pop_back();
  }
  return count;
}

/// The same by trying all permutations: no outer loop anywhere behind an inner one.
int count_permutations(const std::vector<LoopSpec>& loops) {
  std::vector<std::size_t> order(loops.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  int count = 0;
  do {
    bool inner = false, allowed = true;
    for (const std::size_t i : order) {
      allowed = allowed && !(inner && loops[i].part == Part::outer);
      inner = inner || loops[i].part == Part::inner;
    }
    count += allowed;
  } while (std::next_permutation(order.begin(), order.end()));
  return count;
}

TEST(CpuLoops, OrdersOfBlockedLoops) {
  const std::vector<LoopSpec> loops{
      {"m", 'M', Part::whole, 4},  {"ho", 'H', Part::outer, 4}, {"hi", 'H', Part::inner, 4}, {"y", 'Y', Part::whole, 4},
      {"co", 'C', Part::outer, 4}, {"ci", 'C', Part::inner, 4}, {"x", 'X', Part::whole, 4}};
  std::vector<std::string> chosen;
  EXPECT_EQ(count_orders(loops, chosen), count_permutations(loops));
}

TEST(CpuLoops, RefusesAnInnerLoopBeforeItsOuterAndAnOuterWithinAnInner) {
  const std::vector<LoopSpec> loops{{"ho", 'H', Part::outer, 4},
                                    {"hi", 'H', Part::inner, 4},
                                    {"co", 'C', Part::outer, 4},
                                    {"m", 'M', Part::whole, 4}};
  EXPECT_EQ(order_fault(loops, {"m", "co"}, loops[1]), "it stands within ho");
  EXPECT_EQ(order_fault(loops, {"m", "ho"}, loops[1]), "the outer loop co would stand within it");
  EXPECT_EQ(order_fault(loops, {"m", "ho", "co"}, loops[1]), "");
  EXPECT_EQ(order_fault(loops, {"m"}, loops[3]), "it has its place");
}

int count_layouts(std::string dimensions) {
  std::sort(dimensions.begin(), dimensions.end());
  int count = 0;
  do {
    const auto layout = parse_layout(dimensions);
    count += layout && text(*layout) == dimensions;
  } while (std::next_permutation(dimensions.begin(), dimensions.end()));
  return count;
}

/// Section 4.5.2: six loops in any order, 3! layouts of the image, 4! of the kernel, 3! of the output.
TEST(CpuLoops, OrdersAndLayoutsOfTheThesis) {
  std::vector<LoopSpec> loops;
  for (const char dimension : {'M', 'H', 'W', 'Y', 'X', 'C'})
    loops.push_back({std::string(1, dimension), dimension, Part::whole, 4});
  std::vector<std::string> chosen;
  EXPECT_EQ(count_orders(loops, chosen) * count_layouts("HWC") * count_layouts("MYXC") * count_layouts("HWM"), 622080);
}

TEST(CpuRuns, TilesAlongWAreNearEqual) {
  const Plan plan = plan_with(problem("4x299x3 -> 32, 3x3"),
                              {{"family", "avx512"}, {"microkernel", "wmc_yxc"}, {"kernel", "YXCM"}, {"tile", "14x2"}});
  const auto runs = pixel_runs(plan);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].extent * runs[0].count, 14 * 13);
  EXPECT_EQ(runs[1].begin, 14 * 13);
  EXPECT_EQ(runs[1].extent * runs[1].count, 13 * 9);
}

TEST(CpuRuns, KernelsInMixedBlocks) {
  const Plan narrow = plan_with(problem("13x13x512 -> 1000, 1x1"), {{"family", "avx512"},
                                                                    {"microkernel", "wmc_yxc"},
                                                                    {"kernel", "[M/32]YXC[32]"},
                                                                    {"tile", "13x2"},
                                                                    {"tail", "narrow"}});
  const auto blocks = kernel_runs(narrow);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].count, 31);
  EXPECT_EQ(blocks[0].extent, 32);
  EXPECT_EQ(blocks[1].begin, 992);
  EXPECT_EQ(blocks[1].columns, (std::vector<Column>{{0, 8, 8, false}}));
}

TEST(CpuRuns, TwoPixelsShareTheTailsVector) {
  const Plan shared = plan_with(problem("56x56x56 -> 56, 3x3"), {{"family", "avx512"},
                                                                 {"microkernel", "wmc_yxc"},
                                                                 {"kernel", "[M/16]YXC[16]"},
                                                                 {"tile", "6x4"},
                                                                 {"tail", "shared"}});
  const auto runs = kernel_runs(shared);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].extent, 56);
  EXPECT_EQ(runs[0].columns.back(), (Column{48, 8, 8, true}));
}

std::string rejection(const Problem& one, const Path& path, const std::string& level, const std::string& value) {
  Path before;
  for (const Choice& choice : path.choices) {
    if (choice.level == level) break;
    before.choices.push_back(choice);
  }
  for (const Option& option : options(one, any_machine(one), {}, before))
    if (option.value == value) return option.rejected;
  return "no such value";
}

TEST(CpuTree, RefusesSourcesThatWouldBeTooLong) {
  const std::vector<Choice> fixed{
      {"family", "avx512"}, {"microkernel", "wmc_yxc"}, {"kernel", "YXCM"}, {"operand", "broadcast"}, {"unroll", "4"}};
  std::vector<Choice> large = fixed, usual = fixed;
  large.insert(large.end(), {{"tile", "8x3"}, {"tail", "narrow"}, {"padding", "buffer"}});
  usual.insert(usual.end(), {{"tile", "14x2"}, {"padding", "peeled"}});
  const Problem wide = problem("32x64x64 -> 1000, 7x15");
  const auto path = draw_with(wide, large, 2);
  ASSERT_TRUE(path);
  EXPECT_NE(rejection(wide, *path, "padding", "peeled").find("lines, more than"), std::string::npos);
  EXPECT_EQ(rejection(wide, *path, "padding", "tests"), "");
  EXPECT_TRUE(draw_with(problem("28x28x128 -> 128, 3x3"), usual, 1));
}

/// One tile of 16 registers holds its pixels: there weights of four vectors would be one register too many.
TEST(CpuTree, HoldsPixelsOnlyWhereWeightsDoNotFit) {
  const Problem one = problem("28x28x32 -> 64, 3x3");
  const auto held = draw_with(one, {{"family", "avx2"}, {"microkernel", "wmc_c"}, {"tile", "3x4"}}, 1);
  const auto small = draw_with(one, {{"family", "avx2"}, {"microkernel", "wmc_c"}, {"tile", "4x3"}}, 1);
  ASSERT_TRUE(held && small);
  EXPECT_EQ(rejection(one, *held, "operand", "held"), "");
  EXPECT_EQ(rejection(one, *held, "operand", "broadcast"), "no register is left for the element");
  EXPECT_EQ(rejection(one, *small, "operand", "held"), "registers are left for the weights of all vectors");
  EXPECT_EQ(rejection(one, *held, "tile", "4x4"), "it takes 21 of 16 registers");
}

TEST(CpuRuns, KernelsAreSingleWhereLanesAreChannels) {
  for (const char* microkernel : {"ci_sso", "yxci_sso"}) {
    const auto runs =
        kernel_runs(plan_with(problem("6x6x16 -> 32, 3x3"), {{"family", "avx512"}, {"microkernel", microkernel}}));
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].count, 32) << "a kernel each, none left out";
    EXPECT_EQ(runs[0].extent, 1);
  }
}

TEST(CpuWeights, RefusesWhatIsNone) {
  for (const char* json : {"", "[]", "{\"speed\": 2}", "{\"block none\": 0}", "{\"block none\": -1}",
                           "{\"block none\": \"3\"}", "{\"block none\": 1e9}"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_weights(json, "weights.json", diagnostics)) << json;
    EXPECT_TRUE(diagnostics.has_errors()) << json;
  }
}

}  // namespace
}  // namespace convscope::cpu
