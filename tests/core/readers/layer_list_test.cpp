// Layer lists that must be read: the samples, and one with every element.

#include "core/readers/layer_list/layer_list.h"

#include "core/readers/convnet_xml/convnet_xml.h"
#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using Integers = std::vector<std::int64_t>;

network::Network read_layer_list_checked(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  EXPECT_TRUE(file && is_layer_list(file->bytes())) << path;
  EXPECT_FALSE(file && is_convnet_xml(file->bytes())) << path;
  auto network = file ? read_layer_list(*file, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  if (!network) network.emplace().graph = std::make_shared<network::Graph>();
  expect_sound(*network->graph);
  return *network;
}

std::string sample(const std::string& name) {
  return std::string(CONVSCOPE_SOURCE_DIR) + "/samples/networks/" + name;
}

std::int64_t weights_of(const network::Graph& graph) {
  std::int64_t count = 0;
  for (const network::Tensor& tensor : graph.tensors) {
    if (!tensor.constant || tensor.type != network::ElementType::float32 || tensor.constant->dimensions.size() < 2)
      continue;
    std::int64_t elements = 1;
    for (const std::int64_t dimension : tensor.constant->dimensions) elements *= dimension;
    count += elements;
  }
  return count;
}

TEST(LayerList, ReadsLeNet) {
  const network::Network network = read_layer_list_checked(sample("lenet.xml"));
  EXPECT_EQ(network.name, "LeNet");
  EXPECT_EQ(network.format, "layer_list");
  EXPECT_EQ(count_nodes(*network.graph, "Conv"), 2);
  EXPECT_EQ(weights_of(*network.graph), 32 * 25 + 64 * 32 * 25 + 1024 * 64 * 49 + 10 * 1024);
}

// Parameters without biases as the papers' releases have them, batch normalization left out.
TEST(LayerList, ReadsTheLargerSamples) {
  const auto check = [](const char* file, int convolutions, std::int64_t weights) {
    const network::Network network = read_layer_list_checked(sample(file));
    EXPECT_EQ(count_nodes(*network.graph, "Conv"), convolutions) << file;
    EXPECT_EQ(weights_of(*network.graph), weights) << file;
  };
  check("inception_v3.xml", 94, 23'799'136);
  check("resnet50.xml", 53, 25'502'912);
  check("mobilenet_v2.xml", 52, 3'469'760);
  check("snowflake_alexnet_owt.xml", 5, 61'090'496);
  check("snowflake_resnet18.xml", 20, 11'678'912);
  check("vgg16.xml", 13, 138'344'128);
  check("snowflake_resnet50.xml", 53, 25'502'912);
  check("yolov2_tiny.xml", 9, 11'226'544);
}

TEST(LayerList, ReadsSqueezeNet) {
  const network::Network network = read_layer_list_checked(sample("squeezenet_1_0.xml"));
  const network::Graph& graph = *network.graph;
  EXPECT_EQ(count_nodes(graph, "Conv"), 26);
  // Table 1 of the paper: sizes of conv1, pool1, fire4, fire8 and conv10.
  EXPECT_EQ(output_of(graph, node_named(graph, "conv1")).shape.dimensions, (Integers{-1, 96, 111, 111}));
  EXPECT_EQ(output_of(graph, node_named(graph, "pool1")).shape.dimensions, (Integers{-1, 96, 55, 55}));
  EXPECT_EQ(output_of(graph, node_named(graph, "fire4/concat")).shape.dimensions, (Integers{-1, 256, 55, 55}));
  EXPECT_EQ(output_of(graph, node_named(graph, "fire8/concat")).shape.dimensions, (Integers{-1, 512, 27, 27}));
  EXPECT_EQ(output_of(graph, node_named(graph, "conv10")).shape.dimensions, (Integers{-1, 1000, 13, 13}));
  // 1,248,424 parameters, 3,976 of them biases.
  EXPECT_EQ(weights_of(graph), 1'248'424 - 3'976);
}

TEST(LayerList, KnowsEveryElement) {
  const network::Network network = read_layer_list_checked(own_model_path("layer_list/everything.xml"));
  const network::Graph& graph = *network.graph;
  const auto shape = [&](const std::string& name) {
    return output_of(graph, node_named(graph, name)).shape.dimensions;
  };
  EXPECT_EQ(shape("conv"), (Integers{-1, 8, 16, 20}));
  EXPECT_EQ(node_named(graph, "conv").attributes.integers("pads"), (Integers{1, 2, 1, 2}));
  EXPECT_EQ(node_named(graph, "conv").inputs.size(), 2u);
  EXPECT_EQ(node_named(graph, "conv/relu6").operator_name, "Clip");
  EXPECT_EQ(shape("dw"), (Integers{-1, 16, 16, 20}));
  EXPECT_EQ(input_of(graph, node_named(graph, "dw"), 1).constant->dimensions, (Integers{16, 1, 3, 3}));
  EXPECT_EQ(input_of(graph, node_named(graph, "grouped"), 1).constant->dimensions, (Integers{16, 4, 1, 1}));
  EXPECT_EQ(shape("pool"), (Integers{-1, 16, 8, 10}));
  EXPECT_EQ(shape("average"), (Integers{-1, 16, 7, 9}));
  EXPECT_EQ(shape("up"), (Integers{-1, 4, 16, 20}));
  EXPECT_EQ(shape("joined"), (Integers{-1, 20, 16, 20}));
  EXPECT_EQ(shape("part"), (Integers{-1, 2, 16, 20}));
  EXPECT_EQ(shape("score"), (Integers{-1, 7}));
  EXPECT_EQ(node_named(graph, "score").source_line, 21);
  EXPECT_DOUBLE_EQ(node_named(graph, "leaky_relu1").attributes.real("alpha", 0), 0.1);
  EXPECT_EQ(graph.outputs.size(), 3u);  // average and lrn1, which nothing reads, and the softmax
}

}  // namespace
}  // namespace convscope::readers
