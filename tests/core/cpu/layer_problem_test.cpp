#include "core/cpu/layers/layer_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/layers/problem_list.h"

namespace convscope::cpu {
namespace {

network::Layer convolution() {
  network::Layer layer;
  layer.name = "a";
  layer.in = {64, {56, 56}};
  layer.out = {128, {28, 28}};
  layer.kernel = {3, 3};
  layer.stride = {2, 2};
  layer.padding = {1, 1, 1, 1};
  layer.dense = true;
  return layer;
}

std::optional<Problem> of(const network::Layer& layer) {
  std::string reason;
  const auto problem = problem_of(layer, 1, reason);
  EXPECT_EQ(problem.has_value(), reason.empty()) << reason;
  return problem;
}

std::string refusal(const network::Layer& layer) {
  std::string reason;
  EXPECT_FALSE(problem_of(layer, 1, reason));
  return reason;
}

TEST(LayerProblem, AConvolutionIsWhatItsLayerSays) {
  const auto problem = of(convolution());
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->out_height(), 28);
  EXPECT_EQ(problem->out_width(), 28);
  EXPECT_EQ(problem->kernels, 128);
  EXPECT_EQ(problem->pad_bottom, 0) << "the last row of padding is never looked at";
}

TEST(LayerProblem, AFullyConnectedLayerIsAConvolutionAsLargeAsItsInput) {
  network::Layer layer = convolution();
  layer.in = {256, {6, 6}};
  layer.out = {4096, {1, 1}};
  layer.kernel = {6, 6};
  layer.stride = {1, 1};
  layer.padding = {};
  const auto problem = of(layer);
  ASSERT_TRUE(problem);
  EXPECT_EQ(valid_macs(*problem), std::int64_t{256} * 36 * 4096);
}

TEST(LayerProblem, ATableOfConnectionsIsFilledWithZeros) {
  network::Layer layer = convolution();
  layer.dense = false;
  layer.inputs.assign(128, {0, 1});
  const auto problem = of(layer);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->groups, 1);
  EXPECT_EQ(problem->group_channels(), 64);
}

TEST(LayerProblem, WhatIsNoConvolutionIsRefusedWithAReason) {
  network::Layer pool = convolution();
  pool.operator_name = "MaxPool";
  pool.kernel = {0, 0};
  EXPECT_THAT(refusal(pool), testing::HasSubstr("MaxPool"));
  network::Layer transposed = convolution();
  transposed.operator_name = "ConvTranspose";
  EXPECT_THAT(refusal(transposed), testing::HasSubstr("transposed"));
  network::Layer open = convolution();
  open.in.size = {0, 0};
  EXPECT_THAT(refusal(open), testing::HasSubstr("shape"));
}

TEST(LayerProblem, ProblemsBecomeLayersAndComeBack) {
  Diagnostics diagnostics;
  std::vector<Problem> problems;
  for (const char* each : {"27x27x96 -> 256, 5x5", "112x112x32 -> 32, 3x3, stride 2, groups 32", "7x9x4 -> 8, 1x1"}) {
    const auto problem = parse_problem(each, diagnostics);
    ASSERT_TRUE(problem) << diagnostics.text();
    problems.push_back(*problem);
  }
  problems.push_back(problems.front());
  const network::Network network = network_of(problems, "all");
  ASSERT_EQ(network.layers.size(), 4u);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto back = of(network.layers[i]);
    ASSERT_TRUE(back) << i;
    EXPECT_EQ(valid_macs(*back), valid_macs(problems[i]));
    EXPECT_EQ(back->out_height(), problems[i].out_height());
  }
  EXPECT_NE(network.layers[0].name, network.layers[3].name);
}

TEST(ProblemList, IsRecognizedByItsFirstLine) {
  EXPECT_TRUE(is_problem_list("# sizes\n\n 27x27x96 -> 256, 5x5\n"));
  EXPECT_FALSE(is_problem_list("<layer_list/>"));
  EXPECT_FALSE(is_problem_list("a -> b"));
  EXPECT_FALSE(is_problem_list(""));
}

TEST(ProblemList, ReadsLinesAndSaysWhichIsWrong) {
  Diagnostics diagnostics;
  const auto network = read_problem_list_text("8x8x4 -> 8, 3x3  # first\n9x9x4 -> 8, 1x1", "two.conv", diagnostics);
  ASSERT_TRUE(network) << diagnostics.text();
  EXPECT_EQ(network->name, "two");
  EXPECT_EQ(network->layers.at(1).source_line, 2);
  EXPECT_FALSE(read_problem_list_text("8x8x4 -> 8, 3x3\n9x9x4 -> none\n8x8x3 -> 4, groups 2", "b", diagnostics));
  ASSERT_EQ(diagnostics.items().size(), 2u);
  EXPECT_EQ(diagnostics.items()[0].where.line, 2);
  EXPECT_EQ(diagnostics.items()[1].where.line, 3);
}

TEST(ProblemList, IsNoLongerThanAThousand) {
  std::string text;
  for (int i = 0; i < 1001; ++i) text += "8x8x4 -> 8, 1x1\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read_problem_list_text(text, "long", diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("1000"));
}

}  // namespace
}  // namespace convscope::cpu
