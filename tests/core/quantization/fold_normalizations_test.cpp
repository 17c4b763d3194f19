// Batch norms that become weights.

#include "core/quantization/fold_normalizations.h"

#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/readers/common/graph_builder.h"
#include "core/reference/executor.h"

namespace convscope::quantization {
namespace {

using reference::FloatTensors;

/// in -> Conv (2 filters) -> BatchNormalization [-> BatchNormalization].
struct Normalized {
  Diagnostics diagnostics;
  readers::Report report{"normalized", diagnostics};
  readers::GraphBuilder builder{report};
  int in = -1, product = -1, normal = -1;
  network::Graph graph;

  explicit Normalized(bool biased = true) {
    in = builder.input("in", {true, {1, 1, 1, 3}, {}});
    std::vector<int> inputs{in, builder.floats("weights", {2, 1, 1, 2}, {1, 2, 3, -4})};
    if (biased) inputs.push_back(builder.floats("bias", {2}, {0.5F, -1}));
    product = builder.node({"Conv", "product", inputs});
    normal = normalize("normal", product, {2, -1});
  }
  int normalize(const std::string& name, int data, const std::vector<float>& scale) {
    return builder.node(
        {"BatchNormalization",
         name,
         {data, builder.floats(name + ".scale", {2}, scale), builder.floats(name + ".shift", {2}, {1, 5}),
          builder.floats(name + ".mean", {2}, {0.25F, 3}), builder.floats(name + ".variance", {2}, {4, 0.5F})}});
  }
  void finish() {
    graph = *builder.finish();
    network::infer_shapes(graph, {}, "normalized", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
  std::vector<double> run() {
    const FloatTensors input{{"in", {network::ElementType::float32, {1, 1, 1, 3}, {1, -2, 0.5}}}};
    const auto outputs = reference::execute(graph, input, diagnostics);
    EXPECT_TRUE(outputs) << diagnostics.text();
    return outputs ? outputs->begin()->second.values : std::vector<double>();
  }
};

void expect_near(const std::vector<double>& folded, const std::vector<double>& before) {
  ASSERT_EQ(folded.size(), before.size());
  for (std::size_t i = 0; i < folded.size(); ++i) EXPECT_NEAR(folded[i], before[i], 1e-5);
}

TEST(FoldNormalizations, ComputesTheSameWithoutThem) {
  for (const bool biased : {true, false}) {
    Normalized net(biased);
    net.normalize("second", net.normal, {0.5F, 3});
    net.finish();
    const std::vector<double> before = net.run();
    EXPECT_EQ(fold_normalizations(net.graph), 2);
    ASSERT_EQ(net.graph.nodes.size(), 1U);
    expect_near(net.run(), before);
  }
}

TEST(FoldNormalizations, LeavesWhatIsReadElsewhere) {
  Normalized net;
  net.builder.node({"Relu", "other", {net.product}});
  net.finish();
  EXPECT_EQ(fold_normalizations(net.graph), 0);
  EXPECT_EQ(net.graph.nodes.size(), 3U);
}

TEST(FoldNormalizations, LeavesParametersOfAnotherSize) {
  Normalized net;
  net.builder.node({"BatchNormalization",
                    "odd",
                    {net.normal, net.builder.floats("a", {3}, {1, 1, 1}), net.builder.floats("b", {3}, {1, 1, 1}),
                     net.builder.floats("c", {3}, {1, 1, 1}), net.builder.floats("d", {3}, {1, 1, 1})}});
  net.graph = *net.builder.finish();
  EXPECT_EQ(fold_normalizations(net.graph), 1);
  EXPECT_EQ(net.graph.nodes.size(), 2U);
}

}  // namespace
}  // namespace convscope::quantization
