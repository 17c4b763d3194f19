// TensorFlow graphs that must be read: our own ones, whose values tests/models/graphdef/make_models.py computed by
// plain loops in TensorFlow's layout, and small ones whose every number is known.

#include "core/readers/graphdef/graphdef.h"

#include <numeric>
#include <sstream>

#include "core/network/shape_inference.h"
#include "core/readers/common/protobuf_wire.h"
#include "core/reference/executor.h"
#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/graphdef_text.h"

namespace convscope::readers {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

network::Graph read_graph(const std::string& content, const std::string& path = "small.pbtxt") {
  const auto bytes = std::make_shared<const std::string>(content);
  EXPECT_TRUE(is_graphdef(*bytes)) << path;
  Diagnostics diagnostics;
  const auto network = read_graphdef_bytes(*bytes, bytes, path, diagnostics);
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  if (!network) return {};
  expect_sound(*network->graph);
  return *network->graph;
}

network::Graph read_graph(const GraphText& graph) {
  return read_graph(graph.text());
}

/// The first output for values of the first input, 1, 2, 3 … unless they are given.
reference::FloatTensor run(const network::Graph& graph, Integers dimensions, Reals values = {}) {
  Diagnostics diagnostics;
  if (values.empty()) {
    values.resize(static_cast<std::size_t>(
        std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies<>())));
    std::iota(values.begin(), values.end(), 1.0);
  }
  if (graph.inputs.empty() || graph.outputs.empty()) return {};
  const std::string name = graph.tensors[static_cast<std::size_t>(graph.inputs.front())].name;
  const auto outputs =
      reference::execute(graph, {{name, {network::ElementType::float32, dimensions, values}}}, diagnostics);
  EXPECT_TRUE(outputs.has_value()) << diagnostics.text();
  if (!outputs) return {};
  return outputs->at(graph.tensors[static_cast<std::size_t>(graph.outputs.front())].name);
}

Reals outputs_of(const GraphText& graph, Integers dimensions) {
  return run(read_graph(graph), std::move(dimensions)).values;
}

/// What the script computed, and the input that it took, permuted to maps first.
Reals values_in(const std::string& path) {
  std::istringstream lines(content_of(path));
  return {std::istream_iterator<double>(lines), {}};
}

Reals image_of(std::int64_t height, std::int64_t width, std::int64_t maps) {
  Reals values(static_cast<std::size_t>(height * width * maps));
  std::uint32_t state = 1;
  for (std::int64_t pixel = 0; pixel < height * width; ++pixel) {
    for (std::int64_t map = 0; map < maps; ++map) {
      state = (state * 1103515245U + 12345U) % (1U << 31U);
      values[static_cast<std::size_t>(map * height * width + pixel)] =
          (static_cast<double>(state / 65536 % 256) - 128) / 128;
    }
  }
  return values;
}

TEST(GraphDef, ComputesWhatTheScriptComputed) {
  struct Model {
    const char* name;
    std::int64_t height, width, maps;
    int convolutions;
  };
  for (const Model& model : {Model{"digits", 14, 14, 1, 2}, Model{"block", 9, 7, 6, 4}}) {
    const std::string path = own_model_path(std::string("graphdef/") + model.name);
    const network::Graph binary = read_graph(content_of(path + ".pb"), path + ".pb");
    const network::Graph text = read_graph(content_of(path + ".pbtxt"), path + ".pbtxt");
    EXPECT_EQ(count_nodes(binary, "Conv"), model.convolutions);
    EXPECT_EQ(count_nodes(binary, "Transpose"), model.name == std::string("digits") ? 1 : 0);
    ASSERT_EQ(binary.nodes.size(), text.nodes.size());
    for (std::size_t i = 0; i < binary.nodes.size(); ++i) {
      EXPECT_EQ(binary.nodes[i].name, text.nodes[i].name);
      EXPECT_EQ(binary.nodes[i].operator_name, text.nodes[i].operator_name);
      EXPECT_EQ(binary.nodes[i].inputs, text.nodes[i].inputs);
      EXPECT_EQ(binary.nodes[i].attributes, text.nodes[i].attributes);
      EXPECT_EQ(binary.nodes[i].domain, "");
    }
    const Reals image = image_of(model.height, model.width, model.maps);
    const auto result = run(binary, {1, model.maps, model.height, model.width}, image);
    EXPECT_THAT(result.values, Pointwise(DoubleNear(2e-6), values_in(path + ".values")));
    EXPECT_EQ(run(text, {1, model.maps, model.height, model.width}, image).values, result.values);
  }
}

TEST(GraphDef, FoldsWhatHangsOnConstantsAndShapes) {
  const network::Graph digits = read_graph(content_of(own_model_path("graphdef/digits.pb")));
  for (const char* gone : {"Shape", "Slice", "Concat", "Add", "Identity"}) EXPECT_EQ(count_nodes(digits, gone), 0);
  EXPECT_EQ(node_named(digits, "conv1/Conv2D").inputs.size(), 3u);
  EXPECT_EQ(node_named(digits, "fc/MatMul").inputs.size(), 3u);
  EXPECT_EQ(input_of(digits, node_named(digits, "conv2/Conv2D"), 1).shape.dimensions, (Integers{6, 4, 3, 3}));
  const network::Graph block = read_graph(content_of(own_model_path("graphdef/block.pb")));
  for (const char* gone : {"Sqrt", "Reciprocal", "Sub"}) EXPECT_EQ(count_nodes(block, gone), 0);
  EXPECT_EQ(count_nodes(block, "BatchNormalization"), 1);
}

TEST(GraphDef, KnowsEverySizeForAnyBatch) {
  for (const int batch : {1, 3}) {
    network::Graph graph = read_graph(content_of(own_model_path("graphdef/digits.pb")));
    Diagnostics diagnostics;
    network::infer_shapes(graph, {batch, {}, {}}, "digits.pb", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
    const auto& out = graph.tensors[static_cast<std::size_t>(graph.outputs.front())].shape;
    EXPECT_EQ(out.dimensions, (Integers{batch, 10}));
  }
}

TEST(GraphDef, ReadsARealGraph) {
  CONVSCOPE_NEEDS_MODELS("tf-pb")
  const network::Graph graph = read_graph(content_of(model_path("tf-pb/conv2d-large.pb")));
  EXPECT_EQ(count_nodes(graph, "Conv"), 1);
  const network::Node& convolution = node_named(graph, "Conv2D");
  const network::Tensor& weights = input_of(graph, convolution, 1);
  ASSERT_TRUE(weights.constant && weights.constant->present());
  EXPECT_EQ(convolution.attributes.text("auto_pad"), "VALID");
}

/// The same convolution, pool and bias of a 2-map input, in a layout.
GraphText in_layout(const std::string& format) {
  const bool first = format == "NCHW";
  GraphText graph;
  graph.placeholder("x", first ? Integers{1, 2, 4, 5} : Integers{1, 4, 5, 2})
      .floats("w", {2, 3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2, -3, -4, -5, -6})
      .floats("b", {2}, {0.5, -0.5})
      .node("c", "Conv2D", {"x", "w"},
            GraphText::window(first ? Integers{1, 1, 2, 1} : Integers{1, 2, 1, 1}, "SAME", format))
      .node("d", "BiasAdd", {"c", "b"}, GraphText::attribute("data_format", "s: \"" + format + "\""))
      .node("p", "AvgPool", {"d"},
            GraphText::window({1, 1, 1, 1}, "SAME", format) +
                GraphText::list("ksize", first ? Integers{1, 1, 2, 2} : Integers{1, 2, 2, 1}));
  return graph;
}

TEST(GraphDef, ReadsBothLayoutsAlike) {
  const network::Graph first = read_graph(in_layout("NCHW")), last = read_graph(in_layout("NHWC"));
  EXPECT_EQ(count_nodes(first, "Transpose") + count_nodes(last, "Transpose"), 0);
  EXPECT_EQ(first.tensors[static_cast<std::size_t>(first.inputs[0])].shape.dimensions, (Integers{1, 2, 4, 5}));
  EXPECT_EQ(last.tensors[static_cast<std::size_t>(last.inputs[0])].shape.dimensions, (Integers{1, 2, 4, 5}));
  const auto result = run(first, {1, 2, 4, 5});
  EXPECT_EQ(result.dimensions, (Integers{1, 2, 2, 5}));
  EXPECT_EQ(result.values, run(last, {1, 2, 4, 5}).values);
  EXPECT_EQ(node_named(first, "c").attributes.integers("strides"), (Integers{2, 1}));
}

TEST(GraphDef, MovesNothingBetweenLayouts) {
  GraphText graph;
  graph.placeholder("x", {1, 4, 5, 2})
      .integers("to first", {4}, {0, 3, 1, 2})
      .integers("to last", {4}, {0, 2, 3, 1})
      .floats("w", {1, 1, 2, 3}, {1, 2, 3, 4, 5, 6})
      .node("a", "Relu", {"x"})
      .node("first", "Transpose", {"a", "to first"})
      .node("c", "Conv2D", {"first", "w"}, GraphText::window({1, 1, 1, 1}, "VALID", "NCHW"))
      .node("last", "Transpose", {"c", "to last"})
      .node("p", "MaxPool", {"last"},
            GraphText::window({1, 1, 1, 1}, "VALID") + GraphText::list("ksize", {1, 2, 2, 1}));
  const network::Graph read = read_graph(graph);
  EXPECT_EQ(count_nodes(read, "Transpose"), 0);
  EXPECT_EQ(run(read, {1, 2, 4, 5}).dimensions, (Integers{1, 3, 3, 4}));
}

TEST(GraphDef, ReshapesInTheOrderOfTheFile) {
  // Two maps of 2 x 2 pixels: 1 2 3 4 and 5 6 7 8; in TensorFlow's order 1 5 2 6 3 7 4 8.
  GraphText graph;
  graph.placeholder("x", {-1, 2, 2, 2}).integers("shape", {2}, {-1, 8}).node("r", "Reshape", {"x", "shape"});
  const Reals in_order{1, 5, 2, 6, 3, 7, 4, 8};
  EXPECT_EQ(outputs_of(graph, {1, 2, 2, 2}), in_order);
  GraphText back = graph;
  back.integers("four", {4}, {-1, 2, 2, 2})
      .node("b", "Reshape", {"r", "four"})
      .node("p", "MaxPool", {"b"}, GraphText::window({1, 1, 1, 1}, "VALID") + GraphText::list("ksize", {1, 1, 1, 1}));
  EXPECT_EQ(outputs_of(back, {1, 2, 2, 2}), (Reals{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(GraphDef, ComputesShapesOfTheOldFlatten) {
  // shape[1:] multiplied, behind the batch, as tf.contrib.layers.flatten has it.
  GraphText graph;
  graph.placeholder("x", {-1, 2, 3, 2})
      .node("s", "Shape", {"x"})
      .integers("0", {1}, {0})
      .integers("1", {1}, {1})
      .integers("3", {1}, {3})
      .integers("axis", {}, {0})
      .node("batch", "Slice", {"s", "0", "1"})
      .node("rest", "Slice", {"s", "1", "3"})
      .node("count", "Prod", {"rest", "0"})
      .node("row", "ExpandDims", {"count", "axis"})
      .node("shape", "ConcatV2", {"batch", "row", "axis"})
      .node("r", "Reshape", {"x", "shape"});
  const network::Graph read = read_graph(graph);
  EXPECT_EQ(read.nodes.size(), 2u);
  EXPECT_EQ(run(read, {3, 2, 2, 3}).dimensions, (Integers{3, 12}));
}

TEST(GraphDef, PadsDilatesAndGroups) {
  GraphText graph;
  graph.placeholder("x", {1, 5, 5, 2})
      .floats("w", {2, 2, 1, 2}, {1})  // the last value is repeated
      .node("c", "Conv2D", {"x", "w"},
            GraphText::window({1, 1, 2, 1}, "EXPLICIT") + GraphText::list("dilations", {1, 2, 1, 1}) +
                GraphText::list("explicit_paddings", {0, 0, 1, 2, 3, 4, 0, 0}));
  const network::Graph read = read_graph(graph);
  const network::Attributes& attributes = node_named(read, "c").attributes;
  EXPECT_EQ(attributes.integers("pads"), (Integers{1, 3, 2, 4}));
  EXPECT_EQ(attributes.integers("dilations"), (Integers{2, 1}));
  EXPECT_EQ(attributes.integers("strides"), (Integers{1, 2}));
  EXPECT_EQ(attributes.integer("group", 0), 2);
  const auto result = run(read, {1, 2, 5, 5});
  EXPECT_EQ(result.dimensions, (Integers{1, 2, 6, 6}));
  EXPECT_EQ(result.values[0 * 6 + 1], 0 + 6);  // row 0 lies above, row 2 is the input's second; columns 2 - 3 and 0
}

TEST(GraphDef, TakesValuesAsFilesHoldThem) {
  GraphText graph;
  graph.placeholder("x", {1, 3})
      .constant("half", "DT_HALF", {3}, "half_val: 15360 half_val: 16384")  // 1, 2, 2
      .node("wide", "Cast", {"half"}, GraphText::type("DstT"))
      .constant("bytes", "DT_FLOAT", {3}, R"(tensor_content: "\000\000\200?\000\000\000@\x00\x00@@")")  // 1, 2, 3
      .constant("none", "DT_FLOAT", {3}, "")
      .constant("odd", "DT_FLOAT", {1}, "float_val: -inf")
      .node("a", "Mul", {"x", "wide"})
      .node("b", "Sub", {"a", "bytes"})
      .node("c", "Sub", {"b", "none"})
      .node("d", "Maximum", {"c", "odd"});
  EXPECT_THAT(outputs_of(graph, {1, 3}), ElementsAre(0, 2, 3));
}

TEST(GraphDef, TakesUnpackedListsInBinaryForm) {
  const auto message = [](std::uint64_t number, const std::string& content) {
    std::string out;
    append_tag(out, number, WireType::bytes);
    append_varint(out, content.size());
    return out + content;
  };
  const auto varint = [](std::uint64_t number, std::uint64_t value) {
    std::string out;
    append_tag(out, number, WireType::varint);
    append_varint(out, value);
    return out;
  };
  const auto attribute = [&](const std::string& key, const std::string& value) {
    return message(5, message(1, key) + message(2, value));
  };
  const std::string two = message(2, message(2, varint(1, 1)) + message(2, varint(1, 2)));
  const std::string values = std::string("\x2d\x00\x00\x40\x40", 5) + std::string("\x2d\x00\x00\x80\x40", 5);  // 3, 4
  const std::string graph =
      message(1, message(1, "x") + message(2, "Placeholder") + attribute("dtype", varint(6, 1)) +
                     attribute("shape", message(7, two.substr(2)))) +
      message(1, message(1, "k") + message(2, "Const") + attribute("value", message(8, varint(1, 1) + two + values))) +
      message(1, message(1, "m") + message(2, "Mul") + message(3, "x") + message(3, "k:0") + message(3, "^x"));
  const auto result = run(read_graph(graph, "binary.pb"), {1, 2}, {10, 100});
  EXPECT_THAT(result.values, ElementsAre(30, 400));
}

TEST(GraphDef, ComputesOperatorsAsTensorFlowDoes) {
  const auto over = [](const std::string& name, const Integers& shape, const std::string& attributes = {},
                       const std::vector<std::string>& more = {}, const GraphText& constants = {}) {
    GraphText graph = constants;
    std::vector<std::string> inputs{"x"};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return graph.placeholder("x", shape).node("y", name, inputs, attributes);
  };
  GraphText four, axes, pads, cut;
  four.integers("size", {2}, {2, 4});
  EXPECT_EQ(outputs_of(over("ResizeBilinear", {1, 1, 2, 1}, {}, {"size"}, four), {1, 1, 1, 2}),
            (Reals{1, 1.5, 2, 2, 1, 1.5, 2, 2}));
  EXPECT_EQ(outputs_of(over("ResizeNearestNeighbor", {1, 1, 2, 1}, {}, {"size"}, four), {1, 1, 1, 2}),
            (Reals{1, 1, 2, 2, 1, 1, 2, 2}));
  axes.integers("axes", {2}, {1, -2});
  EXPECT_EQ(outputs_of(over("Mean", {1, 2, 2, 2}, {}, {"axes"}, axes), {1, 2, 2, 2}), (Reals{2.5, 6.5}));
  EXPECT_EQ(outputs_of(over("Squeeze", {1, 2, 1, 2}, GraphText::list("squeeze_dims", {0, 2})), {1, 2, 2, 1}),
            (Reals{1, 3, 2, 4}));
  pads.integers("pads", {4, 2}, {0, 0, 1, 0, 0, 1, 0, 0});
  EXPECT_EQ(outputs_of(over("Pad", {1, 1, 2, 1}, {}, {"pads"}, pads), {1, 1, 1, 2}), (Reals{0, 0, 0, 1, 2, 0}));
  cut.integers("b", {4}, {0, 0, 0, 1}).integers("e", {4}, {0, 1, 2, 2}).integers("s", {4}, {1, 1, 1, 1});
  EXPECT_EQ(outputs_of(over("StridedSlice", {1, 2, 2, 2},
                            GraphText::attribute("begin_mask", "i: 1") + GraphText::attribute("end_mask", "i: 1"),
                            {"b", "e", "s"}, cut),
                       {1, 2, 2, 2}),
            (Reals{5, 6}));
  EXPECT_EQ(outputs_of(over("Rsqrt", {1, 2}), {1, 2}), (Reals{1, static_cast<double>(1 / std::sqrt(2.F))}));
  EXPECT_EQ(outputs_of(over("Square", {1, 3}), {1, 3}), (Reals{1, 4, 9}));
  EXPECT_EQ(outputs_of(over("Relu6", {1, 8}), {1, 8}), (Reals{1, 2, 3, 4, 5, 6, 6, 6}));
  // x / (1 + 0.5 * sum of squares of maps at most one away)
  const Reals normalized =
      outputs_of(over("LRN", {1, 1, 1, 3},
                      GraphText::attribute("depth_radius", "i: 1") + GraphText::attribute("alpha", "f: 0.5") +
                          GraphText::attribute("beta", "f: 1")),
                 {1, 3, 1, 1});
  EXPECT_THAT(normalized, Pointwise(DoubleNear(1e-6), Reals{1 / 3.5, 2 / 8.0, 3 / 7.5}));
}

TEST(GraphDef, JoinsAndSplitsMaps) {
  GraphText graph;
  graph.placeholder("x", {1, 1, 2, 4})
      .integers("axis", {}, {3})
      .node("s", "Split", {"axis", "x"}, GraphText::attribute("num_split", "i: 2"))
      .node("sum", "AddN", {"s", "s:1"})
      .node("most", "Maximum", {"s:0", "s:1"})
      .node("j", "ConcatV2", {"most", "sum", "axis"});
  EXPECT_EQ(outputs_of(graph, {1, 4, 1, 2}), (Reals{5, 6, 7, 8, 6, 8, 10, 12}));
}

TEST(GraphDef, KeepsOperatorsThatItDoesNotKnow) {
  GraphText graph;
  graph.placeholder("x", {1, 4, 4, 2})
      .node("r", "Relu", {"x"})
      .node("u", "NonMaximalSuppressionV9", {"r", "^x"}, GraphText::attribute("most", "i: 7"))
      .floats("w", {1, 1, 2, 2}, {1})
      .node("c", "Conv2D", {"u:1", "w"}, GraphText::window({1, 1, 1, 1}, "SAME"));
  const network::Graph read = read_graph(graph);
  const network::Node& unknown = node_named(read, "u");
  EXPECT_EQ(unknown.domain, "tensorflow");
  EXPECT_EQ(unknown.outputs.size(), 2u);
  EXPECT_EQ(unknown.attributes.integer("most", 0), 7);
  EXPECT_EQ(count_nodes(read, "Transpose"), 2) << "it sees maps in TensorFlow's order, the convolution behind it not";
}

}  // namespace
}  // namespace convscope::readers
