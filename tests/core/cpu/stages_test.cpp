#include "core/cpu/generate/stages.h"

#include <algorithm>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/generate/generate.h"
#include "core/cpu/generate/nest.h"
#include "core/cpu/syntax/rewrite.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

GeneratedProgram program_with(const Problem& one, const std::vector<Choice>& fixed) {
  const auto path = draw_with(one, fixed, 1);
  EXPECT_TRUE(path);
  Diagnostics diagnostics;
  auto program = path ? generate(one, *path, diagnostics) : std::nullopt;
  EXPECT_TRUE(program) << diagnostics.text();
  return program ? *std::move(program) : GeneratedProgram{};
}

const Node& stage(const GeneratedProgram& program, const std::string& name) {
  const auto found =
      std::find_if(program.stages.begin(), program.stages.end(), [&](const Stage& one) { return one.name == name; });
  EXPECT_NE(found, program.stages.end()) << name;
  static const Node nothing;
  return found == program.stages.end() ? nothing : *found->tree.root;
}

/// Names of loops in whose bodies tests of a dimension stand.
void loops_around(const Node& node, char dimension, const std::string& loop, std::multiset<std::string>& names) {
  if (node.kind == Kind::condition && node.conditions.front().dimension == dimension) names.insert(loop);
  for (const NodePtr& child : node.children)
    loops_around(*child, dimension, node.kind == Kind::loop || node.kind == Kind::unroll ? node.name : loop, names);
}

std::multiset<std::string> loops_around(const Node& root, char dimension) {
  std::multiset<std::string> names;
  loops_around(root, dimension, "", names);
  return names;
}

const Choice no_blocks[] = {{"block m", "none"}, {"block h", "none"}, {"block w", "none"}, {"block c", "none"}};

std::vector<Choice> tested(const char* microkernel, std::vector<Choice> more) {
  more.insert(more.end(), std::begin(no_blocks), std::end(no_blocks));
  more.push_back({"family", "avx2"});
  more.push_back({"microkernel", microkernel});
  return more;
}

using Names = std::multiset<std::string>;

TEST(CpuConditions, StandWhereTheirVariablesAreKnownFirst) {
  const Problem one = problem("9x9x16 -> 16, 3x3");
  const GeneratedProgram rows_first = program_with(
      one,
      tested(
          "ci_sso",
          {{"loop 1", "h"}, {"loop 2", "y"}, {"loop 3", "m"}, {"loop 4", "x"}, {"loop 5", "w"}, {"padding", "tests"}}));
  EXPECT_EQ(loops_around(stage(rows_first, "conditions"), 'H'), (Names{"y", "y"}));
  EXPECT_EQ(loops_around(stage(rows_first, "conditions"), 'W'), (Names{"w", "w"}));
  const GeneratedProgram taps_first = program_with(
      one,
      tested(
          "ci_sso",
          {{"loop 1", "y"}, {"loop 2", "x"}, {"loop 3", "w"}, {"loop 4", "m"}, {"loop 5", "h"}, {"padding", "tests"}}));
  EXPECT_EQ(loops_around(stage(taps_first, "conditions"), 'H'), (Names{"h", "h"}));
  EXPECT_EQ(loops_around(stage(taps_first, "conditions"), 'W'), (Names{"w", "w"}));
  const GeneratedProgram inside = program_with(one, tested("yxci_sso", {{"padding", "tests"}}));
  EXPECT_EQ(loops_around(stage(inside, "conditions"), 'H'), (Names{"y", "y"}));
  EXPECT_EQ(loops_around(stage(inside, "conditions"), 'W'), (Names{"x", "x"}));
}

TEST(CpuConditions, OnlyWhatCanFailIsTested) {
  const GeneratedProgram one_side =
      program_with(problem("9x9x16 -> 16, 3x3, pad 1 0 0 0"), tested("yxci_sso", {{"padding", "tests"}}));
  EXPECT_EQ(loops_around(stage(one_side, "conditions"), 'H').size(), 1U);
  EXPECT_EQ(loops_around(stage(one_side, "conditions"), 'W').size(), 0U);
}

TEST(CpuConditions, PeelingLeavesNone) {
  for (const char* microkernel : {"wmc_yxc", "wmc_c", "ci_sso", "parallel_mc"}) {
    const GeneratedProgram peeled =
        program_with(problem("9x30x16 -> 16, 3x3"), tested(microkernel, {{"padding", "peeled"}}));
    EXPECT_GT(loops_around(stage(peeled, "conditions"), 'W').size(), 0U) << microkernel;
    EXPECT_EQ(loops_around(stage(peeled, "peel"), 'W').size(), 0U) << microkernel;
    EXPECT_EQ(loops_around(stage(peeled, "conditions"), 'H').size(), 0U) << "rows are bounds of loops";
  }
}

std::size_t functions(const char* size, const char* padding) {
  std::vector<Choice> fixed{
      {"family", "avx512"}, {"microkernel", "wmc_yxc"}, {"image", "HWC"}, {"kernel", "[M/32]YXC[32]"},
      {"output", "HWM"},    {"tile", "14x2"},           {"unroll", "1"},  {"loop 1", "h"},
      {"padding", padding}};
  if (std::string_view(padding) == "none") std::erase(fixed, Choice{"loop 1", "h"});  // rows are joined
  fixed.insert(fixed.end(), std::begin(no_blocks), std::end(no_blocks));
  const GeneratedProgram program = program_with(problem(size), fixed);
  std::size_t count = 0;
  visit(stage(program, "functions"), [&](const Node& node) { count += node.kind == Kind::function; });
  return count;
}

TEST(CpuFunctions, OneForEachDistinctTile) {
  EXPECT_EQ(functions("14x14x32 -> 64, 3x3", "peeled"), 2U) << "one tile that touches both edges, and the nest";
  EXPECT_EQ(functions("28x28x32 -> 64, 3x3", "peeled"), 3U) << "left and right";
  EXPECT_EQ(functions("56x56x32 -> 64, 3x3", "peeled"), 4U) << "left, middle, right";
  EXPECT_EQ(functions("56x56x32 -> 64, 1x1", "none"), 2U) << "one row of pixels without edges";
}

TEST(CpuPointers, NoInnermostLoopOfAMicrokernelComputesAddresses) {
  const GeneratedProgram program =
      program_with(problem("9x30x16 -> 40, 3x3"), tested("wmc_yxc", {{"padding", "peeled"}}));
  visit(stage(program, "pointers"), [](const Node& node) {
    if (node.kind != Kind::loop || node.name != "c") return;
    visit(node, [](const Node& inside) {
      for (const Access& access : inside.accesses) EXPECT_FALSE(access.base.empty()) << label(inside);
    });
  });
}

TEST(CpuGenerate, LinksLeadFromEachLineToANode) {
  const GeneratedProgram program = program_with(problem("9x30x16 -> 40, 3x3"), tested("wmc_yxc", {}));
  const auto lines = std::count(program.text.source.begin(), program.text.source.end(), '\n');
  int nodes = 0;
  visit(*program.stages[program.last_unlowered].tree.root, [&](const Node& node) { EXPECT_EQ(node.id, nodes++); });
  EXPECT_GT(program.links.size(), 20U);
  for (const SourceLink& link : program.links) {
    EXPECT_TRUE(link.line >= 1 && link.line <= lines);
    EXPECT_TRUE(link.node >= 0 && link.node < nodes);
  }
}

TEST(CpuGenerate, NothingButFragmentsIsLeftOfStatements) {
  const GeneratedProgram program = program_with(problem("9x30x16 -> 40, 3x3"), tested("wmc_yxc", {}));
  visit(*program.stages.back().tree.root, [](const Node& node) {
    EXPECT_TRUE(node.kind > Kind::assignment || node.kind <= Kind::condition || node.kind == Kind::clear ||
                node.kind == Kind::tile_copy)
        << label(node);
  });
}

TEST(CpuGenerate, SamePathSameSource) {
  const Problem one = problem("9x30x16 -> 40, 3x3");
  EXPECT_EQ(program_with(one, tested("wmc_yxc", {})).text.source, program_with(one, tested("wmc_yxc", {})).text.source);
}

/// The most lines that a loop without another inside asks for ahead.
std::size_t most_prefetches(const Node& node) {
  std::size_t most = 0, here = 0;
  for (const NodePtr& child : node.children) {
    most = std::max(most, most_prefetches(*child));
    here += child->kind == Kind::prefetch ? 1 : 0;
  }
  return std::max(most, here);
}

/// 32 pixels are four tiles of eight, whose calls read the same 48 kernels one after the other.
const std::vector<Choice> four_calls{
    {"family", "avx512"}, {"microkernel", "wmc_c"}, {"image", "HWC"},         {"kernel", "[M/48]YXC[48]"},
    {"output", "HWM"},    {"tile", "8x3"},          {"operand", "broadcast"}, {"tail", "none"},
    {"unroll", "4"},      {"block m", "none"},      {"block h", "none"},      {"block w", "none"},
    {"block c", "none"},  {"loop 1", "m"},          {"loop 2", "w"},          {"padding", "none"},
    {"prefetch", "next"}, {"store", "plain"},       {"threads", "none"}};

/// Elements behind the pointer to the weights that a call with a number asks for in an iteration.
std::multiset<std::int64_t> asked_ahead(const Node& root, std::int64_t call) {
  std::multiset<std::int64_t> elements;
  visit(root, [&](const Node& node) {
    if (node.kind == Kind::prefetch)
      elements.insert(substitute(*node.access().offset, "w", call).constant + node.count / 4);
  });
  return elements;
}

TEST(CpuPrefetch, CallsShareTheNextWeights) {
  const GeneratedProgram program = program_with(problem("8x4x64 -> 96, 1x1"), four_calls);
  std::multiset<std::int64_t> asked, expected;
  for (std::int64_t call = 0; call < 4; ++call) asked.merge(asked_ahead(stage(program, "prefetch"), call));
  constexpr std::int64_t floats_of_block = 64 * 48, floats_of_iteration = 4 * 48, line = 16;
  for (std::int64_t at = 0; at < floats_of_iteration; at += line) expected.insert(floats_of_block + at);
  EXPECT_EQ(asked, expected);
}

/// The loops over w, each with how often it asks in an iteration.
std::vector<std::pair<std::int64_t, std::size_t>> asking_loops(const Node& root) {
  std::vector<std::pair<std::int64_t, std::size_t>> loops;
  visit(root, [&](const Node& node) {
    if (node.kind == Kind::loop && node.name == "w") loops.emplace_back(node.end - node.begin, most_prefetches(node));
  });
  return loops;
}

TEST(CpuPrefetch, OfMoreCallsThanLinesTheFirstOnesAsk) {
  const GeneratedProgram program = program_with(problem("16x16x64 -> 96, 1x1"), four_calls);
  const Node& root = stage(program, "prefetch");
  EXPECT_THAT(asking_loops(root), testing::ElementsAre(std::pair(12, 1), std::pair(20, 0)));
  std::multiset<std::int64_t> asked, expected;
  for (std::int64_t call = 0; call < 12; ++call) asked.merge(asked_ahead(root, call));
  for (std::int64_t at = 0; at < 12; ++at) expected.insert(64 * 48 + 16 * at);
  EXPECT_EQ(asked, expected);
}

TEST(CpuPrefetch, OnlyWhereCallsInARowReadTheSameWeights) {
  const auto drawn = [](const char* size, const Choice& changed) {
    std::vector<Choice> fixed = four_calls;
    for (Choice& one : fixed)
      if (one.level == changed.level) one = changed;
    return draw_with(problem(size), fixed, 1).has_value();
  };
  EXPECT_TRUE(drawn("8x4x64 -> 96, 1x1", {"unroll", "2"}));
  EXPECT_FALSE(drawn("8x1x64 -> 96, 1x1", {"unroll", "4"})) << "one call";
  EXPECT_TRUE(drawn("16x16x64 -> 96, 1x1", {"unroll", "4"})) << "32 calls for 12 lines";
  EXPECT_FALSE(drawn("8x4x64 -> 96, 1x1", {"kernel", "[M/16]YXC[16]"})) << "three blocks";
  EXPECT_FALSE(drawn("8x4x64 -> 48, 1x1", {"unroll", "4"})) << "no other weights";
}

TEST(CpuNest, CountsTheLinesOfWeightsThatACallAsksFor) {
  const Problem one = problem("8x4x64 -> 96, 1x1");
  const auto path = draw_with(one, four_calls, 1);
  ASSERT_TRUE(path);
  Diagnostics diagnostics;
  const auto nest = describe(one, *path, diagnostics);
  ASSERT_TRUE(nest) << diagnostics.text();
  EXPECT_EQ(nest->body.prefetches * 4,
            static_cast<double>(most_prefetches(stage(program_with(one, four_calls), "prefetch"))));
}

TEST(CpuNest, CountsThePrefetchesOfAnIteration) {
  const Problem one = problem("12x12x64 -> 64, 3x3");
  for (const char* unroll : {"1", "2", "4"})
    for (const char* image : {"HWC", "CHW"})
      for (const char* kernel : {"YXCM", "[M/16]YXC[16]"}) {
        const std::vector<Choice> fixed{
            {"family", "avx2"}, {"microkernel", "wmc_yxc"}, {"image", image},    {"kernel", kernel}, {"tile", "6x2"},
            {"unroll", unroll}, {"padding", "buffer"},      {"prefetch", "256"}, {"block c", "none"}};
        const auto path = draw_with(one, fixed, 1);
        ASSERT_TRUE(path);
        Diagnostics diagnostics;
        const auto nest = describe(one, *path, diagnostics);
        ASSERT_TRUE(nest) << diagnostics.text();
        EXPECT_EQ(nest->body.prefetches * std::stoi(unroll),
                  static_cast<double>(most_prefetches(stage(program_with(one, fixed), "prefetch"))))
            << unroll << ' ' << image << ' ' << kernel;
      }
}

TEST(CpuNest, IssuesWhatTheProblemNeeds) {
  const Problem one = problem("28x28x64 -> 96, 3x3");
  for (const char* microkernel : {"wmc_yxc", "parallel_mc", "ci_sso", "outer_yxc"}) {
    const auto path = draw_with(one, {{"family", "avx2"}, {"microkernel", microkernel}}, 2);
    Diagnostics diagnostics;
    const auto nest = describe(one, *path, diagnostics);
    ASSERT_TRUE(nest) << diagnostics.text();
    EXPECT_GE(nest->fma_lanes, static_cast<double>(valid_macs(one))) << microkernel;
    EXPECT_NEAR(nest->iterations * nest->body.fmas * nest->lanes, nest->fma_lanes, 1) << microkernel;
  }
}

TEST(CpuNest, SharesOfThreadsAreOfWhatTheyDivide) {
  const auto share = [](const char* size, const std::vector<Choice>& outermost) {
    std::vector<Choice> fixed{{"family", "scalar"}, {"microkernel", "wmc_c"}, {"tile", "8x1"},
                              {"block w", "none"},  {"block h", "none"},      {"threads", "openmp"}};
    fixed.insert(fixed.end(), outermost.begin(), outermost.end());
    const auto path = draw_with(problem(size), fixed, 1);
    EXPECT_TRUE(path) << size;
    Diagnostics diagnostics;
    return path ? describe(problem(size), *path, diagnostics)->largest_share : 0;
  };
  EXPECT_DOUBLE_EQ(share("4x20x5 -> 7, 1x1, stride 2, threads 2", {{"loop 1", "h"}}), 1.0 / 2);
  EXPECT_DOUBLE_EQ(share("5x21x5 -> 7, 1x2, threads 2", {{"loop 1", "h"}}), 3.0 / 5);
  // Tiles of 7, 7 and 6 pixels: the last one's taps are one thread's, its rows are divided.
  EXPECT_DOUBLE_EQ(share("4x21x5 -> 7, 1x2, pad 0 0 0 0, threads 2", {{"loop 1", "w"}, {"loop 2", "x"}}), 13.0 / 20);
  EXPECT_DOUBLE_EQ(share("4x21x5 -> 7, 1x2, pad 0 0 0 0, threads 2", {{"loop 1", "w"}, {"loop 2", "h"}}), 10.0 / 20);
}

TEST(CpuNest, PeelingLosesNoMultiplications) {
  const Problem one = problem("28x28x64 -> 96, 3x3");
  const auto path = draw_with(one, {{"family", "avx512"}, {"microkernel", "wmc_yxc"}, {"padding", "peeled"}}, 2);
  Diagnostics diagnostics;
  const auto nest = describe(one, *path, diagnostics);
  ASSERT_TRUE(nest);
  EXPECT_EQ(nest->fma_lanes, static_cast<double>(valid_macs(one)));
}

}  // namespace
}  // namespace convscope::cpu
