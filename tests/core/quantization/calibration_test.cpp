// Points by calibration, and what shares them.

#include "core/quantization/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/readers/common/graph_builder.h"

namespace convscope::quantization {
namespace {

using reference::FloatTensors;

TEST(Calibration, PlacesThePointByTheLargestMagnitude) {
  EXPECT_EQ(fraction_for(0.3, 16), 16);  // ceil(log2 0.3) = -1
  EXPECT_EQ(fraction_for(0.5, 16), 16);
  EXPECT_EQ(fraction_for(1, 16), 15);
  EXPECT_EQ(fraction_for(1.01, 16), 14);
  EXPECT_EQ(fraction_for(1000, 8), -3);
  EXPECT_EQ(fraction_for(0, 8), 7);
  EXPECT_EQ(fraction_for(1e300, 8), -64);
}

/// in -> product -> Relu -> pool -> joined with a second input -> plus the joined one times a constant.
struct Branches {
  Diagnostics diagnostics;
  readers::Report report{"branches", diagnostics};
  int in = -1, other = -1, product = -1, clamp = -1, pool = -1, joined = -1, scaled = -1, sum = -1;
  network::Graph graph;

  Branches() {
    readers::GraphBuilder builder(report);
    in = builder.input("in", {true, {1, 1, 1, 2}, {}});
    other = builder.input("other", {true, {1, 1, 1, 1}, {}});
    product = builder.node({"Conv", "product", {in, builder.floats("weights", {1, 1, 1, 1}, {1.5F})}});
    clamp = builder.node({"Relu", "clamp", {product}});
    network::Attributes kernel, axis;
    kernel.set("kernel_shape", std::vector<std::int64_t>{1, 2});
    axis.set("axis", std::int64_t{1});
    pool = builder.node({"MaxPool", "pool", {clamp}, kernel});
    joined = builder.node({"Concat", "joined", {pool, other}, axis});
    scaled = builder.node({"Mul", "scaled", {joined, builder.floats("factor", {}, {0.125F})}});
    sum = builder.node({"Add", "sum", {joined, scaled}});
    graph = *builder.finish();
    network::infer_shapes(graph, {}, "branches", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }

  static FloatTensors inputs(double first, double second, double other) {
    const auto type = network::ElementType::float32;
    return {{"in", {type, {1, 1, 1, 2}, {first, second}}}, {"other", {type, {1, 1, 1, 1}, {other}}}};
  }
};

TEST(Calibration, AgreesAlongPoolsConcatenationsAndAdditions) {
  Branches net;
  const auto formats = calibrate(net.graph, {Branches::inputs(0.25, -8, 5)}, {}, net.diagnostics);
  ASSERT_TRUE(formats) << net.diagnostics.text();
  EXPECT_FALSE(formats->formats[static_cast<std::size_t>(net.product)]) << "only the clamp's output is held";
  EXPECT_EQ(formats->of(net.in).fraction, 12);      // 8
  EXPECT_EQ(formats->of(net.other).fraction, 12);   // 5
  EXPECT_EQ(formats->of(net.joined).fraction, 12);  // the least of what is joined
  EXPECT_EQ(formats->of(net.pool).fraction, 12);    // 0.375 alone would be 16: it agrees with what it is joined with
  EXPECT_EQ(formats->of(net.clamp).fraction, 12);   // and the pool has its input's
  EXPECT_EQ(formats->of(net.scaled).fraction, 12);  // 0.625 alone would be 15: it is added to the joined one
  EXPECT_EQ(formats->of(net.sum).fraction, 12);     // 5.625
}

/// Two products with one bias, which both take, of inputs and weights with points of their own.
struct Biased {
  Diagnostics diagnostics;
  readers::Report report{"biased", diagnostics};
  int bias = -1, first = -1;
  network::Graph graph;

  explicit Biased(float largest) {
    readers::GraphBuilder builder(report);
    network::Attributes transposed;
    transposed.set("transB", std::int64_t{1});
    const int in = builder.input("in", {true, {1, 2}, {}});
    bias = builder.floats("bias", {2}, {largest, -largest / 3});
    first = builder.node({"Gemm", "first", {in, builder.floats("w1", {2, 2}, {1.5F, 0, 0, 0.01F}), bias}, transposed});
    builder.node({"Gemm", "second", {first, builder.floats("w2", {2, 2}, {0.3F, 1, 1, 1}), bias}, transposed});
    graph = *builder.finish();
    network::infer_shapes(graph, {}, "biased", diagnostics);
  }
  NetworkFormats formats(const CalibrationOptions& options) {
    auto made =
        calibrate(graph, {{{"in", {network::ElementType::float32, {1, 2}, {0.75, -0.5}}}}}, options, diagnostics);
    EXPECT_TRUE(made) << diagnostics.text();
    return made.value_or(NetworkFormats{});
  }
};

TEST(Calibration, BiasesBeginSumsWithThePointOfProducts) {
  Biased net(0.5F);
  // in: 0.75 has Q15 of 16 bits, weights of 1.5 Q14; what the first computes is 1.625, Q14, weights of 1 Q15.
  EXPECT_EQ(net.formats({}).of(net.bias), (Format{32, 29}));
  EXPECT_EQ(net.formats({.bits = 8}).of(net.bias), (Format{32, 7 + 6})) << "products of 8 bits have fewer";
  EXPECT_EQ(net.formats({.per_filter = true}).of(net.bias), (Format{32, 29})) << "the least of all filters";
}

TEST(Calibration, BiasesHaveNoMoreBitsThanTheGreatestLeaves) {
  Biased small(0.5F), large(100);
  EXPECT_EQ(small.formats({.bits = 24}).of(small.bias), (Format{32, 32})) << "products have 45";
  EXPECT_EQ(large.formats({.bits = 24}).of(large.bias), (Format{32, 24})) << "100 takes 7 bits and a sign";
}

TEST(Calibration, FollowsTheLargestOfAllInputs) {
  Branches net;
  const auto formats =
      calibrate(net.graph, {Branches::inputs(1, 1, 1), Branches::inputs(0, 100, 0)}, {8, 100}, net.diagnostics);
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->of(net.in), (Format{8, 0}));
  EXPECT_EQ(formats->of(net.clamp), (Format{8, -1}));  // 150
  const auto error = measure_error(net.graph, *formats, {Branches::inputs(0, 100, 0)}, {}, net.diagnostics);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->tensors[static_cast<std::size_t>(net.pool)].largest, 0);    // 150 is even
  EXPECT_EQ(error->tensors[static_cast<std::size_t>(net.sum)].largest, 0.75);  // 168.75 as 150 + 18
}

// Eight values of `in` over four inputs: 0, .25, .5, 1, 2, 3, 4, -9. Points tell powers of two, so powers are counted.
TEST(Calibration, LeavesOutTheLargestMagnitudesOfAllInputs) {
  Branches net;
  const std::vector<FloatTensors> inputs{Branches::inputs(1, -9, 0), Branches::inputs(3, -2, 0),
                                         Branches::inputs(4, .5, 0), Branches::inputs(.25, 0, 0)};
  const auto most = [&](double percentile) {
    const auto seen = observe(net.graph, inputs, {percentile, false}, net.diagnostics);
    EXPECT_TRUE(seen) << net.diagnostics.text();
    return seen->most[static_cast<std::size_t>(net.in)];
  };
  EXPECT_EQ(most(100), 9);
  EXPECT_EQ(most(99), 9) << "one in eight is more than one in a hundred";
  EXPECT_EQ(most(87), 4);
  EXPECT_EQ(most(60), 2);
  EXPECT_EQ(most(40), 1);
  EXPECT_EQ(most(1), 0);
}

TEST(Calibration, HoldsWeightsWholeWhateverThePercentile) {
  Branches net;
  const auto seen = observe(net.graph, {Branches::inputs(1, 1, 1)}, {1, false}, net.diagnostics);
  ASSERT_TRUE(seen);
  const auto weights = std::find_if(net.graph.tensors.begin(), net.graph.tensors.end(),
                                    [](const network::Tensor& tensor) { return tensor.name == "weights"; });
  ASSERT_NE(weights, net.graph.tensors.end());
  EXPECT_EQ(seen->most[static_cast<std::size_t>(weights - net.graph.tensors.begin())], 1.5);
}

/// Two filters, one of them a hundred times the other: of a Conv they are rows, of a Gemm columns.
TEST(Calibration, GivesEachFilterItsPoint) {
  for (const bool convolution : {true, false}) {
    Diagnostics diagnostics;
    readers::Report report{"filters", diagnostics};
    readers::GraphBuilder builder(report);
    const std::vector<std::int64_t> shape =
        convolution ? std::vector<std::int64_t>{1, 2, 1, 1} : std::vector<std::int64_t>{1, 2};
    const int in = builder.input("in", {true, shape, {}});
    const std::vector<float> values =
        convolution ? std::vector<float>{100, 30, 0.9F, 0.6F} : std::vector<float>{100, 0.9F, 30, 0.6F};
    const int weights = builder.floats(
        "weights", convolution ? std::vector<std::int64_t>{2, 2, 1, 1} : std::vector<std::int64_t>{2, 2}, values);
    builder.node({convolution ? "Conv" : "Gemm", "product", {in, weights}});
    network::Graph graph = *builder.finish();
    network::infer_shapes(graph, {}, "filters", diagnostics);
    const std::vector<FloatTensors> inputs{{{"in", {network::ElementType::float32, shape, {1, 1}}}}};
    const auto formats = calibrate(graph, inputs, {8, 100, true}, diagnostics);
    ASSERT_TRUE(formats) << diagnostics.text();
    EXPECT_EQ(formats->filters[static_cast<std::size_t>(weights)].fractions, (std::vector<int>{0, 7}));
    EXPECT_EQ(formats->of(weights).fraction, 0);
    reference::FloatTensor rounded{network::ElementType::float32,
                                   graph.tensors[static_cast<std::size_t>(weights)].shape.dimensions,
                                   {values.begin(), values.end()}};
    round_tensor(*formats, weights, rounded);
    EXPECT_EQ(rounded.values[convolution ? 2 : 1], 115 / 128.0);
    EXPECT_EQ(rounded.values[0], 100);
  }
}

}  // namespace
}  // namespace convscope::quantization
