// TensorFlow Lite models that must be read: all real ones, and small ones whose every number is known.

#include "core/readers/tflite/tflite.h"

#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/tflite_models.h"

namespace convscope::readers {
namespace {

using Integers = std::vector<std::int64_t>;

network::Network read_tflite_checked(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  EXPECT_TRUE(file && is_tflite(file->bytes())) << path;
  auto network = file ? read_tflite(*file, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  if (!network) network.emplace().graph = std::make_shared<network::Graph>();
  expect_sound(*network->graph);
  return *network;
}

network::Graph read_model(const SmallModel& model) {
  const auto bytes = std::make_shared<const std::string>(model.file());
  Diagnostics diagnostics;
  const auto network = read_tflite_bytes(*bytes, bytes, "small.tflite", diagnostics);
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  if (!network) return {};
  expect_sound(*network->graph);
  return *network->graph;
}

TEST(TfLite, ReadsEveryRealModel) {
  CONVSCOPE_NEEDS_MODELS("tflite")
  const std::map<std::string, int> convolutions{{"kws_ref_model", 9},
                                                {"pretrainedResnet", 9},
                                                {"pretrainedResnet_quant", 9},
                                                {"inception_v4_299_quant-003.MAX_POOL_2D", 0},
                                                {"inception_v4_299_quant-009.CONV_2D", 1},
                                                {"inception_v4_299_quant-015.CONCATENATION", 0},
                                                {"mobilenet_v1_0.25_128_quant-000.CONV_2D", 1},
                                                {"mobilenet_v1_0.25_128_quant-001.DEPTHWISE_CONV_2D", 1},
                                                {"mobilenet_v1_0.25_128_quant-002.CONV_2D", 1}};
  const auto files = files_below(model_path("tflite"), ".tflite");
  EXPECT_EQ(files.size(), convolutions.size());
  for (const std::string& path : files) {
    const network::Network network = read_tflite_checked(path);
    EXPECT_EQ(count_nodes(*network.graph, "Conv"), convolutions.at(network.name)) << path;
    for (const network::Node& node : network.graph->nodes) {
      EXPECT_EQ(node.domain, "") << path << ": " << node.name;
      if (node.operator_name != "Conv" && node.operator_name != "Gemm") continue;
      const network::Tensor& weights = input_of(*network.graph, node, 1);
      EXPECT_TRUE(weights.constant && weights.constant->present()) << path << ": " << node.name;
    }
  }
}

TEST(TfLite, KnowsTheGeometryOfKeywordSpotting) {
  CONVSCOPE_NEEDS_MODELS("tflite/mlperf-tiny")
  const network::Network network = read_tflite_checked(model_path("tflite/mlperf-tiny/kws_ref_model.tflite"));
  const network::Graph& graph = *network.graph;
  const network::Tensor& input = graph.tensors[static_cast<std::size_t>(graph.inputs.front())];
  EXPECT_EQ(input.shape.dimensions, (Integers{-1, 1, 49, 10}));  // the signature leaves the batch open
  EXPECT_EQ(input.type, network::ElementType::int8);
  std::vector<const network::Node*> convolutions;
  for (const network::Node& node : graph.nodes)
    if (node.operator_name == "Conv") convolutions.push_back(&node);
  // DS-CNN: 10 x 4 with stride 2, then pairs of 3 x 3 depthwise and 1 x 1.
  EXPECT_EQ(input_of(graph, *convolutions[0], 1).constant->dimensions, (Integers{64, 1, 10, 4}));
  EXPECT_EQ(convolutions[0]->attributes.integers("strides"), (Integers{2, 2}));
  EXPECT_EQ(convolutions[0]->attributes.text("auto_pad"), "SAME_UPPER");
  const auto& scale = input_of(graph, *convolutions[0], 1).scale;
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(scale->scales.size(), 64u);
  EXPECT_EQ(scale->zero_points, Integers(64, 0));
  EXPECT_EQ(scale->axis, 0u);
  EXPECT_EQ(input_of(graph, *convolutions[1], 1).scale->axis, 0u);  // of depthwise weights the file's last
  EXPECT_EQ(input.scale->zero_points.size(), 1u);
  EXPECT_EQ(convolutions[1]->attributes.integer("group", 1), 64);
  EXPECT_EQ(input_of(graph, *convolutions[1], 1).constant->dimensions, (Integers{64, 1, 3, 3}));
  EXPECT_EQ(input_of(graph, *convolutions[2], 1).constant->dimensions, (Integers{64, 64, 1, 1}));
  EXPECT_EQ(output_of(graph, *convolutions[0]).shape.dimensions, (Integers{-1, 64, 25, 5}));
}

TEST(TfLite, ReadsOwnModels) {
  const network::Network axes = read_tflite_checked(own_model_path("tflite/axes.tflite"));
  EXPECT_EQ(count_nodes(*axes.graph, "Transpose"), 1);
  EXPECT_EQ(axes.graph->outputs.size(), 2u);
  const network::Network whole = read_tflite_checked(own_model_path("tflite/network.tflite"));
  EXPECT_EQ(count_nodes(*whole.graph, "Conv"), 2);
  EXPECT_EQ(count_nodes(*whole.graph, "Gemm"), 1);
  EXPECT_EQ(node_named(*whole.graph, "probabilities/scaled").operator_name, "Mul");
  EXPECT_EQ(node_named(*whole.graph, "custom").domain, "tflite");
}

TEST(TfLite, ReordersWeights) {
  SmallModel model;
  const auto in = model.tensor("in", {1, 2, 2, 2});
  // (out 2, height 1, width 2, in 2), numbered in the file's order.
  const auto weights = model.tensor("weights", {2, 1, 2, 2}, 2, bytes_of({0, 1, 2, 3, 4, 5, 6, 7}));
  const auto out = model.tensor("out", {1, 2, 1, 2});
  model.inputs = {in};
  model.outputs = {out};
  // padding VALID, strides 1, activation RELU6.
  model.add(3, {in, weights}, {out},
            {{{0, std::int64_t{1}}, {1, std::int64_t{1}}, {2, std::int64_t{1}}, {3, std::int64_t{3}}}});
  const network::Graph graph = read_model(model);
  const network::Node& node = node_named(graph, "out");
  EXPECT_EQ(input_of(graph, node, 1).constant->dimensions, (Integers{2, 2, 1, 2}));
  EXPECT_EQ(*input_of(graph, node, 1).constant->integers(), (Integers{0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_EQ(node.attributes.text("auto_pad"), "VALID");
  const network::Node& activation = node_named(graph, "out/activation");
  EXPECT_EQ(activation.operator_name, "Clip");
  EXPECT_EQ(output_of(graph, activation).shape.dimensions, (Integers{1, 2, 2, 1}));
}

TEST(TfLite, MultipliesMapsDepthwise) {
  SmallModel model;
  const auto in = model.tensor("in", {1, 3, 3, 2});
  const auto weights = model.tensor("weights", {1, 1, 2, 4}, 2, bytes_of({0, 1, 2, 3, 4, 5, 6, 7}));
  const auto out = model.tensor("out", {1, 3, 3, 4});
  model.inputs = {in};
  model.outputs = {out};
  model.add(4, {in, weights}, {out},
            {{{0, std::int64_t{0}}, {1, std::int64_t{1}}, {2, std::int64_t{1}}, {3, std::int64_t{2}}}});
  const network::Graph graph = read_model(model);
  const network::Node& node = node_named(graph, "out");
  EXPECT_EQ(node.attributes.integer("group", 0), 2);
  EXPECT_EQ(input_of(graph, node, 1).constant->dimensions, (Integers{4, 1, 1, 2}));
  EXPECT_EQ(*input_of(graph, node, 1).constant->integers(), (Integers{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(TfLite, TurnsAxes) {
  SmallModel model;
  const auto in = model.tensor("in", {1, 4, 5, 3});
  const auto pads = model.tensor("pads", {4, 2}, 2, bytes_of({0, 0, 1, 2, 3, 4, 5, 6}));
  const auto padded = model.tensor("padded", {1, 7, 12, 14});
  const auto joined = model.tensor("joined", {1, 7, 12, 28});
  const auto axes = model.integers("axes", {1, 2});
  const auto mean = model.tensor("mean", {1, 28});
  const auto begins = model.integers("begins", {0, 1, 2, 3}), sizes = model.integers("sizes", {1, 2, -1, 4});
  const auto cut = model.tensor("cut", {1, 2, 10, 4});
  const auto flat = model.tensor("flat", {1, 80});
  model.inputs = {in};
  model.outputs = {mean, flat};
  model.add(34, {in, pads}, {padded});
  model.add(2, {padded, padded}, {joined}, {{{0, std::int64_t{3}}}});
  model.add(40, {joined, axes}, {mean});
  model.add(65, {joined, begins, sizes}, {cut});
  model.add(22, {cut}, {flat});
  const network::Graph graph = read_model(model);
  EXPECT_EQ(*input_of(graph, node_named(graph, "padded"), 1).constant->integers(), (Integers{0, 5, 1, 3, 0, 6, 2, 4}));
  EXPECT_EQ(node_named(graph, "joined").attributes.integer("axis", 0), 1);
  EXPECT_EQ(node_named(graph, "mean").attributes.integers("axes"), (Integers{2, 3}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "cut"), 1).constant->integers(), (Integers{0, 3, 1, 2}));
  // Values must be flattened in the file's order, so maps go last first.
  const network::Node& turned = node_named(graph, "cut/maps last");
  EXPECT_EQ(turned.attributes.integers("perm"), (Integers{0, 2, 3, 1}));
  EXPECT_EQ(node_named(graph, "flat").inputs.front(), turned.outputs.front());
}

TEST(TfLite, BroadcastsAlongMaps) {
  SmallModel model;
  const auto in = model.tensor("in", {1, 4, 5, 3});
  const auto factors = model.tensor("factors", {3}, 2, bytes_of({7, 8, 9}));
  const auto out = model.tensor("out", {1, 4, 5, 3});
  model.inputs = {in};
  model.outputs = {out};
  model.add(18, {in, factors}, {out});
  const network::Graph graph = read_model(model);
  EXPECT_EQ(input_of(graph, node_named(graph, "out"), 1).constant->dimensions, (Integers{1, 3, 1, 1}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "out"), 1).constant->integers(), (Integers{7, 8, 9}));
}

TEST(TfLite, ShowsOtherOperatorsAsWhatTheyAre) {
  SmallModel model;
  const auto in = model.tensor("in", {1, 4, 5, 3}), middle = model.tensor("middle", {1, 4, 5, 3}),
             out = model.tensor("out", {4, 7});
  model.inputs = {in};
  model.outputs = {out};
  model.add(11, {in}, {middle});
  model.add(32, {middle}, {out}, {}, "My_Detection");
  const network::Graph graph = read_model(model);
  EXPECT_EQ(node_named(graph, "middle").operator_name, "L2_NORMALIZATION");
  EXPECT_EQ(node_named(graph, "out").operator_name, "My_Detection");
  EXPECT_EQ(node_named(graph, "out").domain, "tflite");
  EXPECT_EQ(output_of(graph, node_named(graph, "middle")).shape.dimensions, (Integers{1, 3, 4, 5}));
}

}  // namespace
}  // namespace convscope::readers
