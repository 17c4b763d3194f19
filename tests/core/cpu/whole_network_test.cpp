// Networks as a whole, without running anything: layouts, steps, and what is refused.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/network/flow.h"
#include "core/cpu/network/join_layouts.h"
#include "core/cpu/network/movements.h"
#include "core/cpu/network/network_program.h"
#include "core/cpu/network/seeded_run.h"
#include "tests/core/cpu/drawing.h"
#include "tests/core/cpu/small_network.h"

namespace convscope::cpu {
namespace {

/// Every pair of a random graph, costs in whole numbers, some impossible.
JoinProblem random_join(std::size_t variables, std::size_t pairs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  JoinProblem problem;
  problem.variables = variables;
  problem.values = 3;
  const auto cost = [&] { return static_cast<double>(random() % 20); };
  for (std::size_t i = 0; i < variables; ++i) {
    problem.own.emplace_back();
    for (std::size_t v = 0; v < problem.values; ++v) problem.own.back().push_back(cost());
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    JoinProblem::Pair pair;
    pair.first = random() % variables;
    pair.second = random() % variables;
    for (std::size_t v = 0; v < problem.values * problem.values; ++v) pair.cost.push_back(cost());
    problem.pairs.push_back(std::move(pair));
  }
  return problem;
}

double cost_of(const JoinProblem& problem, const std::vector<std::size_t>& value) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.variables; ++i) sum += problem.own[i][value[i]];
  for (const auto& pair : problem.pairs) sum += pair.cost[value[pair.first] * problem.values + value[pair.second]];
  return sum;
}

double least_cost(const JoinProblem& problem) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> value(problem.variables, 0);
  for (std::size_t number = 0; number < std::pow(problem.values, problem.variables); ++number) {
    std::size_t rest = number;
    for (std::size_t& one : value) one = rest % problem.values, rest /= problem.values;
    least = std::min(least, cost_of(problem, value));
  }
  return least;
}

TEST(CpuJoinLayouts, TakesTheLeastCost) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const JoinProblem problem = random_join(7, 6 + seed % 8, seed);
    const Joined joined = join(problem);
    EXPECT_TRUE(joined.optimal);
    EXPECT_EQ(joined.cost, least_cost(problem)) << seed;
    EXPECT_EQ(cost_of(problem, joined.value), joined.cost) << seed;
  }
}

TEST(CpuJoinLayouts, WhatIsJoinedTooCloselyIsALocalOptimumAndSaysSo) {
  const JoinProblem problem = random_join(40, 1200, 3);
  const Joined joined = join(problem);
  EXPECT_FALSE(joined.optimal);
  std::vector<std::size_t> other = joined.value;
  for (std::size_t i = 0; i < problem.variables; ++i) {
    for (other[i] = 0; other[i] < problem.values; ++other[i]) EXPECT_GE(cost_of(problem, other), joined.cost);
    other[i] = joined.value[i];
  }
}

network::Network filled(const network::Network& network) {
  network::Network result = network;
  result.graph = std::make_shared<const network::Graph>(with_coefficients(*network.graph, 1));
  return result;
}

TEST(CpuFlow, ActivationsAreComputedWithWhatTheyFollow) {
  const network::Network network = filled(small_network());
  Diagnostics diagnostics;
  const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(values) << diagnostics.text();
  const auto flow = flow_of(network, *values, diagnostics);
  ASSERT_TRUE(flow) << diagnostics.text();
  std::vector<StepKind> kinds;
  for (const Step& step : flow->steps) kinds.push_back(step.kind);
  using enum StepKind;
  EXPECT_THAT(kinds, testing::ElementsAre(convolution, max_pool, convolution, average_pool, concat, convolution, add,
                                          lrn, convolution, reshape, convolution, softmax));
  EXPECT_EQ(flow->steps.front().after.size(), 2U) << "bias and ReLU";
  EXPECT_EQ(flow->steps[4].after.size(), 2U) << "scale and offset";
  EXPECT_EQ(flow->taps, 27 + 16 + 9 + 26 * 9 + 21 * 20);
}

TEST(CpuFlow, RefusesWhatHasNoCodeAndNamesTheNode) {
  NetworkMaker maker({1, 3, 6, 6});
  network::Network network = maker.finish(maker.add("Erf", {maker.input()}));
  Diagnostics diagnostics;
  const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(values) << diagnostics.text();
  EXPECT_FALSE(flow_of(network, *values, diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("Erf0"));
  NetworkMaker batch({2, 3, 6, 6});
  network = batch.finish(batch.add("Relu", {batch.input()}));
  auto two = std::make_shared<network::Graph>(*network.graph);
  two->tensors.front().shape.dimensions.front() = 2;
  network.graph = two;
  const auto doubled = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(doubled);
  EXPECT_FALSE(flow_of(network, *doubled, diagnostics));
  network.graph = nullptr;
  EXPECT_FALSE(flow_of(network, *values, diagnostics));
  EXPECT_EQ(diagnostics.count(Severity::error), 3U) << diagnostics.text();
}

/// A convolution with a ReLU; what follows it has no code.
NetworkMaker with_convolution(int& image) {
  NetworkMaker maker({1, 3, 6, 6});
  const int sums = maker.add("Conv", {maker.input(), maker.coefficients({4, 3, 3, 3})});
  image = maker.add("Relu", {sums});
  return maker;
}

TEST(CpuFlow, LeavesEndsWithoutCodeOut) {
  int image = 0;
  NetworkMaker maker = with_convolution(image);
  const int unknown = maker.add("Erf", {image});
  const int behind = maker.add("Flatten", {unknown});
  const int pooled = maker.add("GlobalAveragePool", {image});
  const network::Network network = filled(maker.finish({behind, pooled}));
  Diagnostics diagnostics;
  const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(values) << diagnostics.text();
  const auto flow = flow_of(network, *values, diagnostics);
  ASSERT_TRUE(flow) << diagnostics.text();
  EXPECT_THAT(flow->left_out, testing::ElementsAre("Erf2", "Flatten3"));
  ASSERT_EQ(flow->steps.size(), 2U);
  EXPECT_EQ(flow->steps.front().name, "Conv0+Relu1");
  std::vector<int> read;
  for (const int output : flow->outputs) read.push_back(flow->tensors[static_cast<std::size_t>(output)].tensor);
  EXPECT_THAT(read, testing::UnorderedElementsAre(image, pooled));
  EXPECT_EQ(diagnostics.items().size(), 0U) << diagnostics.text();
}

TEST(CpuFlow, RefusesWhatAConvolutionNeeds) {
  int image = 0;
  NetworkMaker maker = with_convolution(image);
  const int unknown = maker.add("Erf", {image});
  const network::Network network = filled(maker.finish(maker.add("Conv", {unknown, maker.coefficients({2, 4, 1, 1})})));
  Diagnostics diagnostics;
  const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(values) << diagnostics.text();
  EXPECT_FALSE(flow_of(network, *values, diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("Erf2"));
}

std::vector<float> moved(const Step& step, const Flow& flow, const TensorValues& values) {
  const auto value = [&](int tensor) -> const std::vector<float>& {
    return values.at(flow.tensors[static_cast<std::size_t>(tensor)].tensor).values;
  };
  std::vector<float> out(value(step.output).size(), step.moves.elsewhere.value_or(std::nanf("")));
  for (const Movement& piece : step.moves.pieces) {
    std::vector<std::int64_t> index(piece.axes.size(), 0);
    for (bool more = true; more;) {
      std::int64_t from = piece.from, to = piece.to;
      for (std::size_t i = 0; i < index.size(); ++i) {
        from += index[i] * piece.axes[i].from;
        to += index[i] * piece.axes[i].to;
      }
      out.at(static_cast<std::size_t>(to)) = value(step.inputs.at(piece.input)).at(static_cast<std::size_t>(from));
      std::size_t axis = index.size();
      for (; axis > 0 && ++index[axis - 1] == piece.axes[axis - 1].count; --axis) index[axis - 1] = 0;
      more = axis > 0;
    }
  }
  return out;
}

TEST(CpuFlow, MovesElementsWhereTheReferenceHasThem) {
  const network::Network network = filled(moving_network());
  Diagnostics diagnostics;
  const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(values) << diagnostics.text();
  const auto flow = flow_of(network, *values, diagnostics);
  ASSERT_TRUE(flow) << diagnostics.text();
  int steps = 0;
  for (const Step& step : flow->steps) {
    if (step.kind != StepKind::movement) continue;
    ++steps;
    const int out = flow->tensors[static_cast<std::size_t>(step.output)].tensor;
    EXPECT_EQ(moved(step, *flow, *values), values->at(out).values) << step.name;
  }
  EXPECT_EQ(steps, 13);
  EXPECT_EQ(flow->constants.size(), 2U);
}

TEST(CpuFlow, JoinsAxesThatStandOneAfterTheOther) {
  Movement rows{0, 5, 7, {{2, 12, 12}, {1, 9, 9}, {3, 4, 4}, {4, 1, 1}}};
  const Movement joined = simplified(rows);
  ASSERT_EQ(joined.axes.size(), 1U);
  EXPECT_EQ(joined.axes[0].count, 24);
  EXPECT_EQ(joined.axes[0].to, 1);
  EXPECT_EQ(joined.from, 5);
  EXPECT_EQ(joined.to, 7);
  rows.axes[2].from = 5;
  EXPECT_EQ(simplified(rows).axes.size(), 3U);
}

TEST(CpuFlow, RefusesMovesThatAreNoCopies) {
  using Integers = std::vector<std::int64_t>;
  const auto refused = [](NetworkMaker& maker, int output) {
    const network::Network network = filled(maker.finish(output));
    Diagnostics diagnostics;
    const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
    EXPECT_TRUE(values) << diagnostics.text();
    return values && !flow_of(network, *values, diagnostics) && diagnostics.count(Severity::error) == 1;
  };
  const network::Attributes reflect = attributes_of({{"mode", std::string("reflect")}});
  NetworkMaker pad({1, 3, 6, 6});
  EXPECT_TRUE(refused(pad, pad.add("Pad", {pad.input(), pad.integers({0, 0, 1, 1, 0, 0, 1, 1})}, reflect)));
  NetworkMaker cut({1, 3, 6, 6});
  EXPECT_TRUE(refused(cut, cut.add("Pad", {cut.input(), cut.integers({0, 0, -1, 0, 0, 0, 0, 0})})));
  const auto scales = [](std::vector<double> all, const char* mode) {
    return attributes_of({{"scales", std::move(all)}, {"mode", std::string(mode)}});
  };
  NetworkMaker linear({1, 3, 6, 6});
  EXPECT_TRUE(refused(linear, linear.add("Upsample", {linear.input()}, scales({1, 1, 2, 2}, "linear"))));
  NetworkMaker half({1, 3, 6, 6});
  EXPECT_TRUE(refused(half, half.add("Upsample", {half.input()}, scales({1, 1, 1.5, 1.5}, "nearest"))));
  NetworkMaker rows({1, 4, 3, 3, 2});
  EXPECT_TRUE(refused(rows, rows.add("Relu", {rows.input()}))) << "the input is no image";
  NetworkMaker pool({1, 4, 4, 4});
  const int shuffled = pool.add("Reshape", {pool.input(), pool.integers({2, 2, 4, 4})});
  EXPECT_TRUE(refused(pool, pool.add("MaxPool", {shuffled}, attributes_of({{"kernel_shape", Integers{2, 2}}}))));
  NetworkMaker middle({1, 4, 3, 3});
  const int five = middle.add("Reshape", {middle.input(), middle.integers({1, 2, 2, 3, 3})});
  EXPECT_TRUE(refused(middle, middle.add("Softmax", {five}, attributes_of({{"axis", std::int64_t{1}}}))));
}

/// Two convolutions whose programs give H W C; the image comes as C H W.
TEST(CpuNetworkProgram, ConvertsWhereItPays) {
  NetworkMaker maker({1, 8, 6, 6});
  const int first = maker.add("Conv", {maker.input(), maker.coefficients({8, 8, 1, 1})});
  const network::Network network = filled(maker.finish(maker.add("Conv", {first, maker.coefficients({8, 8, 1, 1})})));
  Diagnostics diagnostics;
  const auto values = seeded_run(*network.graph, 1, {}, diagnostics);
  ASSERT_TRUE(values) << diagnostics.text();
  const auto flow = flow_of(network, *values, diagnostics);
  ASSERT_TRUE(flow) << diagnostics.text();
  const auto choice = [&](const char* image, double seconds) {
    const auto path =
        draw_with(*flow->steps.front().problem,
                  {{"family", "scalar"}, {"microkernel", "wmc_c"}, {"image", image}, {"output", "HWM"}}, 1);
    EXPECT_TRUE(path);
    return ProgramChoice{path.value_or(Path{}), Layout{image}, Layout{"HWC"}, seconds, true};
  };
  const auto conversions = [&](const std::vector<ProgramChoice>& known) {
    const auto program = assemble(*flow, {known, known}, *values, {}, diagnostics);
    EXPECT_TRUE(program && program->optimal) << diagnostics.text();
    return program ? std::count_if(program->steps.begin(), program->steps.end(),
                                   [](const auto& step) { return step.conversion; })
                   : -1;
  };
  EXPECT_EQ(conversions({choice("CHW", 1e-3)}), 1) << "before the second";
  EXPECT_EQ(conversions({choice("HWC", 1e-3)}), 1) << "before the first";
  EXPECT_EQ(conversions({choice("CHW", 1e-3), choice("HWC", 1e-3)}), 0);
  EXPECT_EQ(conversions({choice("CHW", 1e-3), choice("HWC", 1)}), 1) << "quicker than the slow program";
}

}  // namespace
}  // namespace convscope::cpu
