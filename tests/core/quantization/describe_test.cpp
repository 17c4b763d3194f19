// A network's quantization as views show it.

#include "core/quantization/describe.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/quantization/network_formats.h"
#include "core/readers/common/graph_builder.h"

namespace convscope::quantization {
namespace {

using artifact::QuantizedTensor;
using testing::ElementsAre;

/// in -> times (3, 0.3) -> Relu -> out, as a network of two layers.
struct Described {
  Diagnostics diagnostics;
  network::Network network;

  Described() {
    readers::Report report{"described", diagnostics};
    readers::GraphBuilder builder(report);
    const int in = builder.input("in", {true, {1, 2}, {}});
    const int weights = builder.floats("weights", {2, 2}, {3, 0.3F, 0, -1});
    builder.node({"Relu", "clamp", {builder.node({"MatMul", "product", {in, weights}})}});
    network.name = network.source_file = "described";
    network.graph = builder.finish();
    network::set_shapes(network, {}, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
  artifact::Quantization of(std::vector<double> values, int bits = 8) {
    DescribeOptions options;
    options.calibration.bits = bits;
    const std::vector<reference::FloatTensors> inputs{
        {{"in", {network::ElementType::float32, {1, 2}, std::move(values)}}}};
    const auto result = describe(network, inputs, options, diagnostics);
    EXPECT_TRUE(result) << diagnostics.text();
    return result.value_or(artifact::Quantization());
  }
};

TEST(Describe, TensorsInTheOrderOfComputation) {
  Described small;
  const artifact::Quantization result = small.of({1.75, 0.25});
  std::vector<std::string> names;
  for (const QuantizedTensor& tensor : result.tensors) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("in", "weights", "clamp")) << "what only a clamp reads isn't held";
  const QuantizedTensor &in = result.tensors[0], &weights = result.tensors[1], &out = result.tensors[2];
  EXPECT_EQ(in.layer, -1);
  EXPECT_EQ(weights.layer, 0);
  EXPECT_TRUE(weights.constant);
  EXPECT_FALSE(weights.noise);
  EXPECT_EQ(out.layer, 1);
  EXPECT_THAT(result.outputs, ElementsAre(2));
  EXPECT_EQ(result.inputs, 1);
  EXPECT_EQ(result.same_answer, 1);
}

TEST(Describe, ErrorsAsTheyAreMeasured) {
  Described small;
  const artifact::Quantization result = small.of({1.75, 0.25});
  EXPECT_EQ(result.tensors[0].noise, 0) << "both fit";
  // 0.3 becomes 10 / 32 in Q3.5, so 0.525 - 0.25 = 0.275 becomes 5 / 16; alone it becomes 4 / 16. Q4.4 holds 5.25.
  EXPECT_EQ(result.tensors[1].format, "Q3.5");
  EXPECT_EQ(result.tensors[2].format, "Q4.4");
  const double signal = 5.25 * 5.25 + 0.275 * 0.275, lost = 0.0375 * 0.0375 / signal;
  EXPECT_NEAR(result.tensors[2].noise.value(), lost, 1e-8);
  EXPECT_NEAR(result.tensors[2].alone, 0.025 * 0.025 / signal, 1e-8);
  EXPECT_NEAR(result.tensors[2].added, lost, 1e-8);
  EXPECT_NEAR(result.tensors[1].alone, 0.0125 * 0.0125 / 10.09, 1e-8);
  EXPECT_NEAR(artifact::decibels(lost), 10 * std::log10(signal / 0.00140625), 1e-6);
  EXPECT_TRUE(std::isinf(artifact::decibels(0)));
}

TEST(Describe, MagnitudesByPowersOfTwo) {
  Described small;
  const artifact::Quantization result = small.of({1.75, 0.25});
  const artifact::MagnitudeHistogram& weights = result.tensors[1].values;
  EXPECT_EQ(weights.first, -2);
  EXPECT_THAT(weights.positive, ElementsAre(1, 0, 0, 1));  // 0.3, 3
  EXPECT_THAT(weights.negative, ElementsAre(0, 0, 1, 0));  // -1
  EXPECT_EQ(weights.zeros, 1);
  EXPECT_EQ(weights.count(), 4);
  EXPECT_DOUBLE_EQ(weights.share_from(0), 0.5);
  EXPECT_DOUBLE_EQ(weights.share_below(0), 0.25);
  EXPECT_EQ(result.tensors[1].top(), 2) << "4 saturates";
}

TEST(Describe, TellsHowFarItIsAndStops) {
  Described small;
  std::vector<double> told;
  ASSERT_TRUE(describe(small.network, {}, {}, small.diagnostics, {},
                       [&](double fraction, const std::string&) { told.push_back(fraction); }));
  ASSERT_GT(told.size(), 10U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LE(told.back(), 1);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(describe(small.network, {}, {}, small.diagnostics, stop.get_token()), Cancelled);
}

TEST(DescribeRefused, NetworksWithoutOperators) {
  network::Network connections;
  Diagnostics diagnostics;
  EXPECT_FALSE(describe(connections, {}, {}, diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("no operators"));
}

}  // namespace
}  // namespace convscope::quantization
