// What storing weights as flyte costs: by hand, and on a trained network with inputs that others made.

#include "core/quantization/stored_weights.h"

#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/readers/common/graph_builder.h"
#include "core/readers/onnx/onnx.h"

namespace convscope::quantization {
namespace {

/// in -> Gemm with a transposed constant, bias -> Mul by a constant: only the first one's coefficients are stored.
struct Product {
  Diagnostics diagnostics;
  readers::Report report{"product", diagnostics};
  int weights = -1, turned = -1, bias = -1, factor = -1, product = -1, scaled = -1;
  network::Graph graph;

  Product() {
    readers::GraphBuilder builder(report);
    const int in = builder.input("in", {true, {1, 2}, {}});
    weights = builder.floats("weights", {2, 2}, {1.0039063F, -0.25F, 3.0F, 1.0F / 3});
    turned = builder.node({"Transpose", "turned", {weights}, {}});
    bias = builder.floats("bias", {2}, {1.0F / 3, -20});
    product = builder.node({"Gemm", "product", {in, turned, bias}, {}});
    factor = builder.floats("factor", {1}, {1.0F / 7});
    scaled = builder.node({"Mul", "scaled", {product, factor}});
    graph = *builder.finish();
    network::infer_shapes(graph, {}, "product", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
};

TEST(StoredWeights, OnlyCoefficientsAreStored) {
  const Product made;
  const std::vector<bool> found = coefficients(made.graph);
  for (int tensor = 0; tensor < static_cast<int>(found.size()); ++tensor)
    EXPECT_EQ(found[static_cast<std::size_t>(tensor)], tensor == made.turned) << tensor;
}

TEST(StoredWeights, ErrorsAreThoseOfRounding) {
  Product made;
  const std::vector<reference::FloatTensors> inputs{{{"in", {network::ElementType::float32, {1, 2}, {1, 0}}}}};
  const auto error = measure_stored_weights(made.graph, {2}, inputs, made.diagnostics);
  ASSERT_TRUE(error) << made.diagnostics.text();
  const Error& product = error->tensors[static_cast<std::size_t>(made.product)];
  EXPECT_EQ(product.count, 2);
  EXPECT_NEAR(product.largest, 0.0039063, 1e-6) << "1.00390625 is half way between two of flyte-16, the even one is 1";
  EXPECT_EQ(error->inputs, 1);
  EXPECT_EQ(error->same_answer, 1);
  const auto none = measure_stored_weights(made.graph, {}, inputs, made.diagnostics);
  ASSERT_TRUE(none);
  EXPECT_TRUE(std::isinf(none->tensors[static_cast<std::size_t>(made.scaled)].sqnr()));
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(measure_stored_weights(made.graph, {2}, inputs, made.diagnostics, source.get_token()), Cancelled);
}

const std::string trained = CONVSCOPE_MODELS "/onnx-real/mnist8-cntk";

TEST(StoredWeights, ATrainedNetworkKeepsItsAnswers) {
  if (!std::filesystem::is_directory(trained)) GTEST_SKIP() << "the folder of real networks is absent: " << trained;
  Diagnostics diagnostics;
  const auto file = MappedFile::open(trained + "/model.onnx", diagnostics);
  ASSERT_TRUE(file);
  const auto network = readers::read_onnx(*file, trained, diagnostics);
  ASSERT_TRUE(network) << diagnostics.text();
  network::Graph graph = *network->graph;
  ASSERT_TRUE(network::sort_topologically(graph));
  network::infer_shapes(graph, {}, trained, diagnostics);
  std::vector<reference::FloatTensors> inputs;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    if (auto made = seeded_inputs(graph, seed, diagnostics)) inputs.push_back(*std::move(made));
  double before = 1e9;
  for (const int bytes : {3, 2, 1}) {
    const auto error = measure_stored_weights(graph, {bytes}, inputs, diagnostics);
    ASSERT_TRUE(error) << diagnostics.text();
    const double sqnr = error->tensors.at(static_cast<std::size_t>(graph.outputs.front())).sqnr();
    // A bit of the mantissa is 6 dB; sums of many independent errors keep the ratio.
    if (bytes > 1) {
      EXPECT_EQ(error->same_answer, error->inputs) << bytes;
      EXPECT_GT(sqnr, bytes == 3 ? 85 : 40) << bytes;
    }
    EXPECT_LT(sqnr, before) << bytes;
    before = sqnr;
  }
}

}  // namespace
}  // namespace convscope::quantization
