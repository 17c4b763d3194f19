// How weights become words: folding, layouts, positions by range.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/quantization/network_formats.h"
#include "core/snowflake/trained/by_range.h"
#include "trained_model.h"

namespace convscope::snowflake {
namespace {

using network::Attributes;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// A graph with values, operator by operator.
class Built {
 public:
  int input(std::vector<std::int64_t> dimensions) {
    const int tensor = add("input", std::move(dimensions));
    graph_.inputs.push_back(tensor);
    return tensor;
  }
  int constant(std::vector<std::int64_t> dimensions, const std::vector<float>& values) {
    auto owner = std::make_shared<std::vector<float>>(values);
    const int tensor = add("constant", dimensions);
    graph_.tensors.back().constant = std::make_shared<network::Constant>(
        network::Constant{network::ElementType::float32, dimensions, owner, std::as_bytes(std::span(*owner)), {}});
    return tensor;
  }
  /// `count` values that differ, between -scale and scale.
  int varied(std::vector<std::int64_t> dimensions, double scale) {
    std::int64_t count = 1;
    for (const std::int64_t dimension : dimensions) count *= dimension;
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<float>(scale * std::sin(1.0 + 2.3 * static_cast<double>(i))));
    return constant(std::move(dimensions), values);
  }
  int node(const std::string& name, std::vector<int> inputs, Attributes attributes = {}) {
    const int tensor = add(name, {});
    graph_.tensors.back().shape.known = false;
    graph_.nodes.push_back(
        {name + std::to_string(graph_.nodes.size()), name, "", std::move(inputs), {tensor}, std::move(attributes), 0});
    return tensor;
  }
  network::Network network(const std::vector<int>& outputs) {
    graph_.outputs = outputs;
    graph_.opset = 17;
    Diagnostics diagnostics;
    network::infer_shapes(graph_, {}, "built", diagnostics);
    network::Network network;
    network.name = "built";
    network.layers = network::layers_of(graph_);
    network.graph = std::make_shared<network::Graph>(graph_);
    return network;
  }

 private:
  int add(const std::string& name, std::vector<std::int64_t> dimensions) {
    network::Tensor tensor;
    tensor.name = name + std::to_string(graph_.tensors.size());
    tensor.type = network::ElementType::float32;
    tensor.shape = {true, std::move(dimensions), {}};
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<int>(graph_.tensors.size()) - 1;
  }
  network::Graph graph_;
};

Attributes pads(std::int64_t pad) {
  Attributes attributes;
  attributes.set("pads", std::vector<std::int64_t>(4, pad));
  return attributes;
}

/// Compiled by range and run on seeded inputs: equal to the reference, and this near to floating point.
double sqnr_of(const network::Network& network, int left_to_host = 0) {
  const TrainedModel model = compile_model(network, FixedPoint::by_range);
  EXPECT_EQ(model.refused, "");
  if (!model.refused.empty()) return 0;
  EXPECT_EQ(std::ranges::count(model.plan->parsed.reasons, std::string()) + left_to_host,
            std::ssize(model.plan->parsed.reasons));
  for (const ParsedLayer& layer : model.plan->parsed.layers)
    for (const int fraction :
         {layer.layer.fraction, layer.layer.weights_fraction, layer.layer.in_fraction, layer.layer.out_fraction})
      EXPECT_TRUE(0 <= fraction && fraction <= 15) << layer.layer.name;
  const Agreement agreement = run_model(model, seeded(network, 7, 3));
  EXPECT_THAT(agreement.wrong, ElementsAre());
  return agreement.agreement.error.sqnr();
}

constexpr double near = 55;  // dB; a wrong weight, bias or scale leaves less than 30

TEST(TrainedLayers, NormalizationsAndAddedConstantsAreFolded) {
  Built built;
  const int in = built.input({1, 3, 8, 8});
  const int conv = built.node("Conv", {in, built.varied({20, 3, 3, 3}, 0.5)}, pads(1));
  const int added = built.node("Add", {conv, built.varied({20, 1, 1}, 2)});
  const int normal =
      built.node("BatchNormalization", {added, built.varied({20}, 1.5), built.varied({20}, 0.7),
                                        built.varied({20}, 0.3), built.constant({20}, std::vector<float>(20, 2.5F))});
  EXPECT_GT(sqnr_of(built.network({built.node("Relu", {normal})})), near);
}

TEST(TrainedLayers, ProductsWithFlattenedMapsInEveryLayout) {
  for (const char* product : {"Gemm", "Gemm, transB", "MatMul"}) {
    Built built;
    const int in = built.input({1, 3, 6, 5});
    const int conv = built.node("Conv", {in, built.varied({20, 3, 3, 3}, 0.3), built.varied({20}, 0.4)});
    const int flat = built.node("Flatten", {conv});
    const bool transposed = std::string(product) == "Gemm, transB";
    Attributes attributes;
    if (transposed) attributes.set("transB", std::int64_t{1});
    if (transposed) attributes.set("alpha", 0.5);
    const int weights = transposed ? built.varied({7, 240}, 0.1) : built.varied({240, 7}, 0.1);
    const bool matrix = std::string(product) == "MatMul";
    const int out = matrix ? built.node("Add", {built.node("MatMul", {flat, weights}), built.varied({7}, 0.5)})
                           : built.node("Gemm", {flat, weights, built.varied({7}, 0.5)}, attributes);
    EXPECT_GT(sqnr_of(built.network({out})), near) << product;
  }
}

TEST(TrainedLayers, WeightsThatAreComputedFromConstants) {
  Built built;
  const int in = built.input({1, 16, 4, 4});
  const int doubled = built.node("Add", {built.varied({16, 16, 1, 1}, 0.2), built.varied({16, 1, 1, 1}, 0.2)});
  EXPECT_GT(sqnr_of(built.network({built.node("Conv", {in, doubled})}), 1), near);
}

// A residual addition, a concatenation and pools: what shares words has one position.
TEST(TrainedLayers, TiedMapsHaveOnePosition) {
  Built built;
  const int in = built.input({1, 16, 8, 8});
  const int a = built.node("Relu", {built.node("Conv", {in, built.varied({16, 16, 1, 1}, 4)})});
  const int b = built.node("Conv", {a, built.varied({16, 16, 3, 3}, 0.01)}, pads(1));
  const int sum = built.node("Relu", {built.node("Add", {b, a})});
  const int c = built.node("Conv", {sum, built.varied({16, 16, 1, 1}, 0.02)});
  Attributes concat, window;
  concat.set("axis", std::int64_t{1});
  window.set("kernel_shape", std::vector<std::int64_t>{2, 2});
  window.set("strides", std::vector<std::int64_t>{2, 2});
  const int d = built.node("Conv", {sum, built.varied({32, 16, 1, 1}, 2)});
  const int joined = built.node("Concat", {c, d}, concat);
  const network::Network network = built.network({built.node("AveragePool", {joined}, window)});
  EXPECT_GT(sqnr_of(network), near);
  const TrainedModel model = compile_model(network, FixedPoint::by_range);
  const auto& layers = model.plan->parsed.layers;
  ASSERT_EQ(layers.size(), 5u);
  EXPECT_EQ(layers[0].layer.out_fraction, layers[1].layer.out_fraction);  // bypass
  EXPECT_EQ(layers[2].layer.out_fraction, layers[3].layer.out_fraction);  // concatenation
  EXPECT_EQ(layers[4].layer.in_fraction, layers[3].layer.out_fraction);
  EXPECT_EQ(layers[4].layer.out_fraction, layers[4].layer.in_fraction);
}

// Inputs in [-1, 1) times 9: many sums are above 6.
TEST(TrainedLayers, ClipsLimitIsWhereWordsSaturate) {
  const auto clipped = [](Built& built) {
    const int in = built.input({1, 16, 6, 6});
    const int conv = built.node("Conv", {in, built.varied({16, 16, 1, 1}, 3), built.varied({16}, 5)});
    const int clip = built.node("Clip", {conv, built.constant({}, {0}), built.constant({}, {6})});
    return built.network({built.node("Conv", {clip, built.varied({16, 16, 1, 1}, 1)})});
  };
  Built one, other;
  EXPECT_GT(sqnr_of(clipped(one)), near);
  const network::Network network = clipped(other);
  const TrainedModel by_range = compile_model(network, FixedPoint::by_range),
                     fixed = compile_model(network, FixedPoint::q8_8);
  EXPECT_THAT(by_range.plan->parsed.layers[0].remarks, Contains(HasSubstr("saturate at the upper limit of Clip")));
  EXPECT_THAT(fixed.plan->parsed.layers[0].remarks, Contains(HasSubstr("limit of Clip, 6, is not applied")));
  EXPECT_LT(run_model(fixed, seeded(network, 7, 1)).agreement.error.sqnr(), 30);
}

TEST(TrainedLayers, WithoutValuesByRangeIsQ88AndSaysWhy) {
  Built built;
  const int in = built.input({1, 16, 4, 4});
  network::Network network = built.network({built.node("Conv", {in, built.constant({16, 16, 1, 1}, {})})});
  const TrainedModel model = compile_model(std::move(network), FixedPoint::by_range);
  EXPECT_EQ(model.plan->trained, nullptr);
  const ParsedLayer& layer = model.plan->parsed.layers.at(0);
  EXPECT_EQ(layer.layer.weights_fraction, 8);
  EXPECT_EQ(layer.layer.fraction, 8);
  EXPECT_THAT(layer.remarks, Contains(HasSubstr("not by range: the file has no weights")));
}

}  // namespace
}  // namespace convscope::snowflake
