// Formats of a network's tensors and the error they make.

#include "core/quantization/network_formats.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/network/shape_inference.h"
#include "core/readers/common/graph_builder.h"
#include "core/readers/layer_list/layer_list.h"

namespace convscope::quantization {
namespace {

using reference::FloatTensor;
using reference::FloatTensors;
using testing::HasSubstr;

/// in -> Gemm (weights 2 x 3, bias) -> Add with itself doubled by a constant.
struct Small {
  Diagnostics diagnostics;
  readers::Report report{"small", diagnostics};
  int in = -1, weights = -1, bias = -1, product = -1, factor = -1, scaled = -1, sum = -1;
  network::Graph graph;

  Small() {
    readers::GraphBuilder builder(report);
    in = builder.input("in", {true, {1, 3}, {}});
    weights = builder.floats("weights", {2, 3}, {0.5f, -0.25f, 0.125f, 1, 2, -3});
    bias = builder.floats("bias", {2}, {10, -20});
    network::Attributes transposed;
    transposed.set("transB", std::int64_t{1});
    product = builder.node({"Gemm", "product", {in, weights, bias}, transposed});
    factor = builder.floats("factor", {1}, {4});
    scaled = builder.node({"Mul", "scaled", {product, factor}});
    sum = builder.node({"Add", "sum", {product, scaled}});
    graph = *builder.finish();
    network::infer_shapes(graph, {}, "small", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
};

FloatTensors input(std::vector<double> values) {
  return {{"in", {network::ElementType::float32, {1, 3}, std::move(values)}}};
}

std::optional<NetworkFormats> chosen(Small& small, const std::vector<FloatTensors>& inputs,
                                     const FormatOptions& options = {}) {
  auto formats = choose_formats(small.graph, inputs, options, small.diagnostics);
  EXPECT_TRUE(formats.has_value()) << small.diagnostics.text();
  return formats;
}

TEST(ChooseFormats, FixedNeedNoValues) {
  Small small;
  FormatOptions options;
  options.fraction = 11;
  const auto formats = chosen(small, {}, options);
  ASSERT_TRUE(formats);
  for (const int tensor : {small.in, small.weights, small.bias, small.product, small.sum})
    EXPECT_EQ(formats->of(tensor), (Format{16, 11}));
}

TEST(ChooseFormats, ByRangeOverAllInputs) {
  Small small;
  // Products: 10 + 0.5 + 1 - 0.25 = 11.25 and -20 + 1 - 8 + 6 = -21; then 10 and -20.
  const auto formats = chosen(small, {input({1, -4, -2}), input({0, 0, 0})});
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->of(small.in), (Format{16, 13}));       // -4 fits Q3.13
  EXPECT_EQ(formats->of(small.weights), (Format{16, 13}));  // -3
  EXPECT_EQ(formats->of(small.bias), (Format{16, 10}));     // -20
  EXPECT_EQ(formats->ranges[static_cast<std::size_t>(small.product)], (Range{-21, 11.25}));
  EXPECT_EQ(formats->of(small.product), (Format{16, 10}));
  EXPECT_EQ(formats->of(small.scaled), (Format{16, 8}));  // -84
  EXPECT_EQ(formats->of(small.sum), (Format{16, 8}));     // -105
}

TEST(ChooseFormats, TiedTensorsShareOne) {
  Small small;
  FormatOptions options;
  options.tied = {{small.product, small.scaled}, {small.bias, small.product}};
  const auto formats = chosen(small, {input({1, -4, -2})}, options);
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->of(small.bias), formats->of(small.scaled));
  EXPECT_EQ(formats->of(small.product), (Format{16, 8}));
  EXPECT_EQ(formats->of(small.weights), (Format{16, 13}));
}

TEST(ChooseFormats, OtherWidths) {
  Small small;
  FormatOptions options;
  options.bits = 8;
  const auto formats = chosen(small, {input({1, -4, -2})}, options);
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->of(small.weights), (Format{8, 5}));
  EXPECT_EQ(formats->of(small.sum), (Format{8, 0}));
}

TEST(SeededInputs, AreTheSameForASeed) {
  Small small;
  const auto one = seeded_inputs(small.graph, 7, small.diagnostics),
             again = seeded_inputs(small.graph, 7, small.diagnostics),
             other = seeded_inputs(small.graph, 8, small.diagnostics);
  ASSERT_TRUE(one && again && other);
  EXPECT_EQ(*one, *again);
  EXPECT_NE(*one, *other);
  for (const double value : one->at("in").values) {
    EXPECT_TRUE(value >= -1 && value < 1) << value;
    EXPECT_EQ(value * 65536, std::round(value * 65536));
  }
  FormatOptions options;
  options.seeded_inputs = 3;
  const auto first = chosen(small, {}, options), second = chosen(small, {}, options);
  EXPECT_EQ(first->ranges, second->ranges);
}

TEST(MeasureError, OfKnownValues) {
  Small small;
  FormatOptions options;
  options.fraction = 1;  // halves
  const auto formats = chosen(small, {}, options);
  // Weights become 0.5, -0 (ties go up), 0 and 1, 2, -3. Of (1, 1, 1): 10.375 becomes 10.5, -20 stays.
  const auto error = measure_error(small.graph, *formats, {input({1, 1, 1})}, options, small.diagnostics);
  ASSERT_TRUE(error) << small.diagnostics.text();
  const Error& product = error->tensors[static_cast<std::size_t>(small.product)];
  EXPECT_EQ(product.count, 2);
  EXPECT_DOUBLE_EQ(product.largest, 0.125);
  EXPECT_DOUBLE_EQ(product.sqnr(), 10 * std::log10((10.375 * 10.375 + 400) / (0.125 * 0.125)));
  EXPECT_TRUE(std::isinf(error->tensors[static_cast<std::size_t>(small.in)].sqnr()));
  EXPECT_EQ(error->tensors[static_cast<std::size_t>(small.weights)].count, 0);
  EXPECT_EQ(error->inputs, 1);
  EXPECT_EQ(error->same_answer, 1);
}

TEST(MeasureError, MoreBitsMakeLess) {
  Small small;
  double last = -1;
  for (const int bits : {6, 8, 12, 16}) {
    FormatOptions options;
    options.bits = bits;
    options.seeded_inputs = 4;
    const auto formats = chosen(small, {}, options);
    const auto error = measure_error(small.graph, *formats, {}, options, small.diagnostics);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->inputs, 4);
    const double sqnr = error->tensors[static_cast<std::size_t>(small.sum)].sqnr();
    EXPECT_GT(sqnr, last);
    last = sqnr;
  }
  EXPECT_GT(last, 60);
}

TEST(MeasureError, AnswersThatChange) {
  EXPECT_TRUE(same_largest(std::vector<double>{1, 3, 2}, std::vector<double>{0, 2, 2}));
  EXPECT_FALSE(same_largest(std::vector<double>{1, 2, 3}, std::vector<double>{1, 3, 3}));
  Error error;
  error.add(std::vector<double>{0, 0}, std::vector<double>{0, 1});
  EXPECT_EQ(error.sqnr(), -std::numeric_limits<double>::infinity());
}

TEST(FormatsRefused, NetworksWithoutWeightsOrSizes) {
  Diagnostics diagnostics;
  auto network = readers::read_layer_list_text(
      "<layer_list name='n'><input name='in' maps='1' height='4' width='4'/><conv name='c' maps='2' kernel='3'/>"
      "</layer_list>",
      "n.xml", diagnostics);
  ASSERT_TRUE(network) << diagnostics.text();
  network::Graph graph = *network->graph;
  EXPECT_FALSE(choose_formats(graph, {}, {}, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("input 'in': its size isn't known"));
  network::infer_shapes(graph, {}, "n.xml", diagnostics);
  Diagnostics again;
  EXPECT_FALSE(choose_formats(graph, {}, {}, again));
  EXPECT_THAT(again.text(), HasSubstr("has no values"));
}

TEST(FormatsRefused, WhenStopped) {
  Small small;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(choose_formats(small.graph, {}, {}, small.diagnostics, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace convscope::quantization
