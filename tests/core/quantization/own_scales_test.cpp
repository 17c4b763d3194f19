// Files that are quantized already: as real numbers, with the scales that they state.

#include "core/quantization/own_scales.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/quantization/fold_operators.h"
#include "core/quantization/own_points.h"
#include "core/readers/common/graph_builder.h"

namespace convscope::quantization {
namespace {

using network::ElementType;
using reference::FloatTensors;
using testing::ElementsAre;
using testing::HasSubstr;

/// A graph with quantized tensors, node by node.
class Quantized {
 public:
  Diagnostics diagnostics;

  int input(std::vector<std::int64_t> shape, ElementType type = ElementType::float32) {
    return builder_.input("in", {true, std::move(shape), {}}, type);
  }
  template <typename Value>
  int integers(const std::string& name, ElementType type, std::vector<std::int64_t> shape, std::vector<Value> values) {
    const int tensor = builder_.constant(name, std::move(shape), 0, type);
    readers::give_values(*builder_.constant_of(tensor), std::move(values));
    return tensor;
  }
  int bytes(std::vector<std::int64_t> shape, std::vector<std::int8_t> values) {
    return integers("bytes", ElementType::int8, std::move(shape), std::move(values));
  }
  int zero(std::int8_t value = 0) { return bytes({}, {value}); }
  int unsigned_zero(std::uint8_t value) { return integers<std::uint8_t>("zero", ElementType::uint8, {}, {value}); }
  int scale(float value) { return builder_.floats("scale", {}, {value}); }
  int node(const std::string& operator_name, std::vector<int> inputs, network::Attributes attributes = {},
           const std::string& domain = {}) {
    return builder_.node({operator_name, operator_name, std::move(inputs), std::move(attributes), domain}, {}, "");
  }
  /// The value of a tensor after it went to integers and back.
  int quantized(int tensor, float by, int zero_point) {
    const int step = scale(by);
    return node("DequantizeLinear", {node("QuantizeLinear", {tensor, step, zero_point}), step, zero_point});
  }
  /// What TensorFlow Lite says of a tensor itself.
  int scaled_tensor(int tensor, std::vector<double> scales, std::vector<std::int64_t> zero_points) {
    network::Tensor& of = builder_.graph().tensors[static_cast<std::size_t>(tensor)];
    of.scale = std::make_shared<network::IntegerScale>(
        network::IntegerScale{of.type, std::move(scales), std::move(zero_points), 0});
    return tensor;
  }
  readers::GraphBuilder& builder() { return builder_; }

  network::Graph graph() {
    network::Graph result = *builder_.finish();
    EXPECT_TRUE(network::sort_topologically(result));
    network::infer_shapes(result, {}, "quantized", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
    return result;
  }
  std::optional<ScaledGraph> scaled() { return with_own_scales(graph(), "quantized", diagnostics); }

 private:
  readers::Report report_{"quantized", diagnostics};
  readers::GraphBuilder builder_{report_};
};

std::vector<double> run(const network::Graph& graph, std::vector<std::int64_t> shape, std::vector<double> values) {
  Diagnostics diagnostics;
  const auto& name = graph.tensors[static_cast<std::size_t>(graph.inputs.at(0))].name;
  const auto outputs = reference::execute(
      graph,
      {{name, {graph.tensors[static_cast<std::size_t>(graph.inputs[0])].type, std::move(shape), std::move(values)}}},
      diagnostics);
  EXPECT_TRUE(outputs) << diagnostics.text();
  return outputs ? outputs->begin()->second.values : std::vector<double>();
}

std::vector<std::string> operators(const network::Graph& graph) {
  std::vector<std::string> names;
  for (const network::Node& node : graph.nodes) names.push_back(node.operator_name);
  return names;
}

TEST(OwnScales, ThereAreNoneInAFileOfRealNumbers) {
  Quantized net;
  net.node("Relu", {net.input({1, 2})});
  EXPECT_FALSE(net.scaled());
  EXPECT_TRUE(net.diagnostics.empty());
}

/// in -> integers of 8 bits -> times weights by two scales -> unsigned integers, whose range is the Relu.
void add_product(Quantized& net, float weight_scale = 0.25F) {
  const int in = net.quantized(net.input({1, 2}), 0.5F, net.zero());
  const int scales = net.builder().floats("scales", {2}, {weight_scale, 2});
  network::Attributes axis;
  axis.set("axis", std::int64_t{1});
  const int weights = net.node("DequantizeLinear", {net.bytes({2, 2}, {1, 2, -3, 4}), scales}, axis);
  net.quantized(net.node("MatMul", {in, weights}), 0.125F, net.unsigned_zero(0));
}

TEST(OwnScales, QuantizedTensorsBecomeRealOnes) {
  Quantized net;
  add_product(net);
  const auto scaled = net.scaled();
  ASSERT_TRUE(scaled) << net.diagnostics.text();
  EXPECT_THAT(operators(scaled->graph), ElementsAre("Clip", "MatMul", "Clip"));
  // 10 * (0.25, 4) + 2 * (-0.75, 8), and what 8 bits hold: -64 to 63.5, then 0 to 31.875.
  EXPECT_THAT(run(scaled->graph, {1, 2}, {10, 2}), ElementsAre(testing::DoubleNear(1, 1e-6), 31.875));
  EXPECT_THAT(run(scaled->graph, {1, 2}, {-100, 0}), ElementsAre(0, 0));
  const int weights = scaled->graph.nodes[1].inputs[1];
  const auto& own = scaled->scales[static_cast<std::size_t>(weights)];
  ASSERT_TRUE(own);
  EXPECT_THAT(own->scales, ElementsAre(0.25, 2));
  EXPECT_EQ(own->axis, 1U);
  EXPECT_TRUE(own->is_point());
  EXPECT_TRUE(scaled->passed[static_cast<std::size_t>(scaled->graph.inputs[0])]);
}

TEST(OwnPoints, ArePowersOfTwoAsTheyAre) {
  Quantized net;
  add_product(net);
  const auto scaled = net.scaled();
  ASSERT_TRUE(scaled);
  const std::vector<FloatTensors> inputs{{{"in", {ElementType::float32, {1, 2}, {10.3, 2}}}}};
  const auto own = own_points(*scaled, inputs, {16, 100}, net.diagnostics);
  ASSERT_TRUE(own) << net.diagnostics.text();
  const auto weights = static_cast<std::size_t>(scaled->graph.nodes[1].inputs[1]);
  EXPECT_THAT(own->formats.filters[weights].fractions, ElementsAre(2, -1));
  EXPECT_EQ(own->points[weights]->by_point.noise, 0);
  EXPECT_EQ(own->formats.of(scaled->graph.nodes[0].outputs[0]), (Format{8, 1}));
  EXPECT_FALSE(own->formats.formats[static_cast<std::size_t>(scaled->graph.inputs[0])]);
  // 0 to 31.875 in steps of 1/8 needs nine bits with a sign: 8 of them hold steps of 1/4, and 31.75 at most.
  EXPECT_EQ(own->formats.of(scaled->graph.outputs[0]), (Format{8, 2}));
}

TEST(OwnPoints, OtherScalesHaveThePointWithLeastNoise) {
  Quantized net;
  const int in = net.input({1, 4});
  net.quantized(in, 0.3F, net.zero());
  const auto scaled = net.scaled();
  ASSERT_TRUE(scaled);
  const auto point = [&](std::vector<double> values) {
    const std::vector<FloatTensors> inputs{{{"in", {ElementType::float32, {1, 4}, std::move(values)}}}};
    const auto own = own_points(*scaled, inputs, {16, 100}, net.diagnostics);
    EXPECT_TRUE(own) << net.diagnostics.text();
    return own->points[static_cast<std::size_t>(scaled->graph.outputs[0])].value();
  };
  const OwnPoint large = point({38, -38, 30, 0.3}), small = point({3, -3.25, 0.25, 0.75});
  EXPECT_EQ(large.format, (Format{8, 1})) << "38 doesn't fit steps of a quarter";
  EXPECT_EQ(small.format, (Format{8, 2}));
  EXPECT_EQ(small.by_point.noise, 0);
  EXPECT_GT(small.by_scale.noise, 0);
  EXPECT_FALSE(scaled->scales[static_cast<std::size_t>(scaled->graph.outputs[0])]->is_point());
}

TEST(OwnPoints, TheFilesOwnScalesAreMeasuredToo) {
  Quantized net;
  add_product(net, 0.3F);
  const network::Graph quantized = net.graph();
  const auto scaled = with_own_scales(quantized, "quantized", net.diagnostics);
  ASSERT_TRUE(scaled);
  const std::vector<double> values{10.3, 1.4};
  const std::vector<FloatTensors> inputs{{{"in", {ElementType::float32, {1, 2}, values}}}};
  const auto own = own_points(*scaled, inputs, {16, 100}, net.diagnostics);
  ASSERT_TRUE(own);
  Error as_it_is;  // as the quantized operators themselves compute
  as_it_is.add(run(scaled->graph, {1, 2}, values), run(quantized, {1, 2}, values));
  EXPECT_GT(as_it_is.noise, 0);
  EXPECT_NEAR(own->outputs.at(0).sqnr(), as_it_is.sqnr(), 1e-3);
}

/// Unsigned integers in, pooled, convolved and added to themselves, all as integers.
TEST(OwnScales, QuantizedOperatorsBecomeThoseOfRealNumbers) {
  Quantized net;
  const int in = net.input({1, 1, 2, 2}, ElementType::uint8);
  network::Attributes kernel;
  kernel.set("kernel_shape", std::vector<std::int64_t>{1, 2});
  const int pooled = net.node("MaxPool", {in}, kernel), in_scale = net.scale(0.5F), zero = net.unsigned_zero(10);
  const int weights = net.bytes({1, 1, 1, 1}, {3}), half = net.scale(0.25F);
  const int bias = net.integers<std::int32_t>("bias", ElementType::int32, {1}, {8});
  const int convolved =
      net.node("QLinearConv", {pooled, in_scale, zero, weights, half, net.zero(), half, net.zero(-5), bias});
  net.node("QLinearAdd", {convolved, half, net.zero(-5), convolved, half, net.zero(-5), half, net.zero()}, {},
           "com.microsoft");
  const network::Graph quantized = net.graph();
  const auto scaled = with_own_scales(quantized, "quantized", net.diagnostics);
  ASSERT_TRUE(scaled) << net.diagnostics.text();
  EXPECT_THAT(operators(scaled->graph), ElementsAre("MaxPool", "Conv", "Clip", "Add", "Clip"));
  // Integers 10, 12 / 14, 11 stand for 0, 1 / 2, 0.5: 0.75 * (1, 2) + 1 = 1.75, 2.5, twice.
  EXPECT_THAT(run(scaled->graph, {1, 1, 2, 2}, {0, 1, 2, 0.5}), ElementsAre(3.5, 5));
  EXPECT_THAT(run(quantized, {1, 1, 2, 2}, {10, 12, 14, 11}), ElementsAre(14, 20)) << "by 0.25";
}

/// Unsigned integers in, convolved with two filters of a scale each, clipped below 0, and pooled; tensors have scales.
void add_scaled_tensors(Quantized& net, double pooled_scale) {
  const int in = net.scaled_tensor(net.input({1, 1, 1, 2}, ElementType::uint8), {0.5}, {10});
  const int weights = net.scaled_tensor(net.bytes({2, 1, 1, 1}, {3, -1}), {0.25, 2}, {0, 0});
  const int bias =
      net.scaled_tensor(net.integers<std::int32_t>("bias", ElementType::int32, {2}, {8, 4}), {0.125, 1}, {0, 0});
  const int sums = net.builder().tensor("sums", {}, ElementType::int8);
  net.builder().node_to({"Conv", "conv", {in, weights, bias}}, {sums});
  const int positive = net.scaled_tensor(net.builder().tensor("positive", {}, ElementType::int8), {0.0625}, {-128});
  net.builder().node_to({"Relu", "relu", {sums}}, {positive});
  network::Attributes kernel;
  kernel.set("kernel_shape", std::vector<std::int64_t>{1, 2});
  const int pooled = net.scaled_tensor(net.builder().tensor("pooled", {}, ElementType::int8), {pooled_scale}, {-128});
  net.builder().node_to({"MaxPool", "pool", {positive}, kernel}, {pooled});
}

TEST(FoldOperators, ClipsThatRectifyStay) {
  Quantized q;
  const int in = q.quantized(q.input({1, 2}), .05F, q.zero());
  const int weights = q.builder().floats("weights", {2, 2}, {1, -1, .5F, 2});
  const int rectified = q.quantized(q.node("MatMul", {in, weights}), .02F, q.zero(-128));
  const int shape = q.integers<std::int64_t>("shape", ElementType::int64, {2}, {2, 1});
  const int reshaped = q.quantized(q.node("Reshape", {rectified, shape}), .02F, q.zero(-128));
  const int negated = q.quantized(q.node("Neg", {reshaped}), .05F, q.zero());
  q.quantized(q.node("Relu", {negated}), .05F, q.zero(-128));
  const network::Graph graph = q.graph();
  auto folded = fold_operators(graph, "quantized", q.diagnostics);
  ASSERT_TRUE(folded) << q.diagnostics.text();
  network::infer_shapes(*folded, {}, "quantized", q.diagnostics);
  std::vector<std::string> names;
  for (const network::Node& node : folded->nodes) names.push_back(node.operator_name);
  EXPECT_THAT(names, ElementsAre("MatMul", "Clip", "Reshape", "Neg", "Relu"));
  for (const std::vector<double>& values : {std::vector<double>{.5, 1}, {-1, .4}, {1, -1}}) {
    const std::vector<double> rounded = run(graph, {1, 2}, values), real = run(*folded, {1, 2}, values);
    ASSERT_EQ(rounded.size(), real.size());
    for (std::size_t i = 0; i < real.size(); ++i) EXPECT_NEAR(rounded[i], real[i], .15);
  }
}

TEST(FoldOperators, GraphsOfRealNumbersAreLeftAlone) {
  Quantized q;
  q.node("Relu", {q.input({1, 2})});
  EXPECT_FALSE(fold_operators(q.graph(), "real", q.diagnostics));
  EXPECT_TRUE(q.diagnostics.empty());
}

TEST(OwnScales, TensorsWithScalesBecomeRealOnes) {
  Quantized net;
  add_scaled_tensors(net, 0.0625);
  const auto scaled = net.scaled();
  ASSERT_TRUE(scaled) << net.diagnostics.text();
  EXPECT_THAT(operators(scaled->graph), ElementsAre("Conv", "Relu", "Clip", "MaxPool"));
  // 0.75 x + 1 and 4 - 2 x; what 8 bits hold: 0 to 15.9375.
  EXPECT_THAT(run(scaled->graph, {1, 1, 1, 2}, {2, 1}), ElementsAre(2.5, 2));
  EXPECT_THAT(run(scaled->graph, {1, 1, 1, 2}, {40, 3}), ElementsAre(15.9375, 0));
  const auto& of_weights = scaled->scales[static_cast<std::size_t>(scaled->graph.nodes[0].inputs[1])];
  ASSERT_TRUE(of_weights);
  EXPECT_THAT(of_weights->scales, ElementsAre(0.25, 2));
  EXPECT_FALSE(scaled->scales[static_cast<std::size_t>(scaled->graph.nodes[0].outputs[0])]);
}

TEST(OwnScales, TensorsWithScalesBecomeRealOnesInTheirPlaces) {
  Quantized net;
  add_scaled_tensors(net, 0.0625);
  const network::Graph quantized = net.graph();
  const auto real = in_real_numbers(quantized, "quantized", net.diagnostics);
  ASSERT_TRUE(real) << net.diagnostics.text();
  EXPECT_THAT(operators(*real), ElementsAre("Conv", "Relu", "MaxPool"));
  EXPECT_EQ(real->tensors.size(), quantized.tensors.size());
  for (const network::Tensor& tensor : real->tensors) EXPECT_TRUE(is_real(tensor.type) && !tensor.scale) << tensor.name;
  EXPECT_THAT(run(*real, {1, 1, 1, 2}, {2, 1}), ElementsAre(2.5, 2));
  EXPECT_THAT(run(*real, {1, 1, 1, 2}, {40, 3}), ElementsAre(31, 0)) << "not clipped";
}

TEST(OwnScales, AnotherScaleOfATensorIsAnotherClip) {
  Quantized net;
  add_scaled_tensors(net, 0.03125);
  const auto scaled = net.scaled();
  ASSERT_TRUE(scaled) << net.diagnostics.text();
  EXPECT_THAT(operators(scaled->graph), ElementsAre("Conv", "Relu", "Clip", "MaxPool", "Clip"));
  EXPECT_THAT(run(scaled->graph, {1, 1, 1, 2}, {40, 3}), ElementsAre(7.96875, 0));
}

TEST(OwnScalesRefused, WhatHasNoRealCounterpart) {
  {
    Quantized net;
    const int real = net.input({1, 2}), step = net.scale(0.5F);
    net.node("DequantizeLinear", {net.node("QuantizeLinear", {real, step}), net.scale(0.25F)});
    EXPECT_FALSE(net.scaled());
    EXPECT_THAT(net.diagnostics.text(), HasSubstr("by another scale than they were made with"));
    EXPECT_FALSE(net.diagnostics.has_errors());
  }
  {
    Quantized net;
    const int in = net.scaled_tensor(net.input({1, 1, 1, 2}, ElementType::uint8), {0.5}, {10});
    net.node("Conv", {in, net.scaled_tensor(net.bytes({2, 1, 1, 1}, {3, -1}), {0.25, 2, 1}, {0, 0, 0})});
    EXPECT_FALSE(net.scaled());
    EXPECT_THAT(net.diagnostics.text(), HasSubstr("scales that don't fit its values"));
  }
  {
    Quantized net;
    net.node("Relu", {net.scaled_tensor(net.input({1, 2}, ElementType::int8), {-0.5}, {0})});
    EXPECT_FALSE(net.scaled());
    EXPECT_THAT(net.diagnostics.text(), HasSubstr("isn't above 0"));
  }
  {
    Quantized net;
    const int real = net.input({1, 2}), step = net.node("Relu", {net.scale(0.5F)});
    net.node("DequantizeLinear", {net.node("QuantizeLinear", {real, step}), step});
    EXPECT_FALSE(net.scaled());
    EXPECT_THAT(net.diagnostics.text(), HasSubstr("that is no constant"));
  }
  {
    Quantized net;
    const int real = net.input({1, 2});
    net.node("DequantizeLinear", {net.node("QuantizeLinear", {real, net.scale(0)}), net.scale(0)});
    EXPECT_FALSE(net.scaled());
    EXPECT_THAT(net.diagnostics.text(), HasSubstr("isn't above 0"));
  }
  {
    Quantized net;
    const int step = net.scale(1);
    const int whole = net.node("QuantizeLinear", {net.input({1, 2}), step});
    net.node("DequantizeLinear", {net.node("Mul", {whole, whole}), step});
    EXPECT_FALSE(net.scaled());
    EXPECT_THAT(net.diagnostics.text(), HasSubstr("computes with integers"));
  }
}

}  // namespace
}  // namespace convscope::quantization
