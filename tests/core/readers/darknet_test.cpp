// Darknet configurations that must be read: all real ones, and small ones whose every number is known.

#include "core/readers/darknet/darknet.h"

#include <cstring>

#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using Integers = std::vector<std::int64_t>;

network::Network read_darknet_checked(const std::string& path, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  EXPECT_TRUE(file && is_darknet(file->bytes())) << path;
  auto network = file ? read_darknet(*file, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  if (!network) network.emplace().graph = std::make_shared<network::Graph>();
  return *network;
}

network::Network read_darknet_from(const std::string& text, const MappedFile* weights = nullptr) {
  Diagnostics diagnostics;
  auto network = read_darknet_text(text, "text.cfg", weights, diagnostics);
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  if (!network) network.emplace().graph = std::make_shared<network::Graph>();
  return *network;
}

TEST(Darknet, ReadsEveryRealConfiguration) {
  CONVSCOPE_NEEDS_MODELS("darknet")
  const std::map<std::string, int> convolutions{{"darknet19", 19},       {"resnet18", 18},   {"resnet50", 50},
                                                {"vgg-16", 13},          {"yolov2-tiny", 9}, {"yolov3-tiny", 13},
                                                {"yolo-fastest-1.1", 84}};
  const auto files = files_below(model_path("darknet"), ".cfg");
  EXPECT_EQ(files.size(), convolutions.size());
  for (const std::string& path : files) {
    Diagnostics diagnostics;
    const network::Network network = read_darknet_checked(path, diagnostics);
    expect_sound(*network.graph);
    EXPECT_EQ(network.format, "darknet");
    EXPECT_EQ(count_nodes(*network.graph, "Conv"), convolutions.at(network.name)) << path;
  }
}

TEST(Darknet, KnowsTheSizesOfTinyYolo) {
  CONVSCOPE_NEEDS_MODELS("darknet")
  Diagnostics diagnostics;
  const network::Network network = read_darknet_checked(model_path("darknet/pjreddie/yolov3-tiny.cfg"), diagnostics);
  const network::Graph& graph = *network.graph;
  // As Darknet prints them when it loads yolov3-tiny.
  EXPECT_EQ(output_of(graph, node_named(graph, "11 maxpool")).shape.dimensions, (Integers{-1, 512, 13, 13}));
  EXPECT_EQ(node_named(graph, "11 maxpool").attributes.integers("pads"), (Integers{0, 0, 1, 1}));
  EXPECT_EQ(node_named(graph, "1 maxpool").attributes.integers("pads"), (Integers{0, 0, 0, 0}));
  EXPECT_EQ(output_of(graph, node_named(graph, "20 route")).shape.dimensions, (Integers{-1, 384, 26, 26}));
  EXPECT_EQ(output_of(graph, node_named(graph, "23 yolo")).shape.dimensions, (Integers{-1, 255, 26, 26}));
  EXPECT_EQ(graph.outputs.size(), 2u);
}

TEST(Darknet, TakesTheValuesOfAWeightsFile) {
  CONVSCOPE_NEEDS_MODELS("darknet/yolo-fastest-1.1")
  Diagnostics diagnostics;
  const network::Network network =
      read_darknet_checked(model_path("darknet/yolo-fastest-1.1/yolo-fastest-1.1.cfg"), diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  const network::Graph& graph = *network.graph;
  std::int64_t values = 0;
  for (const network::Tensor& tensor : graph.tensors)
    if (tensor.constant && tensor.type == network::ElementType::float32 && tensor.constant->owner)
      values += static_cast<std::int64_t>(tensor.constant->bytes.size()) / 4;
  EXPECT_GE(values, 346'062);
  for (const network::Node& node : graph.nodes) {
    if (node.operator_name != "BatchNormalization") continue;
    const auto variances = input_of(graph, node, 4).constant->floats();
    ASSERT_TRUE(variances.has_value());
    for (const float variance : *variances) EXPECT_GE(variance, 0) << node.name;
  }
}

TEST(Darknet, FitsAShortcutFromLargerMaps) {
  Diagnostics diagnostics;
  const network::Network network = read_darknet_checked(own_model_path("darknet/residual.cfg"), diagnostics);
  const network::Graph& graph = *network.graph;
  expect_sound(graph);
  const network::Node& slice = node_named(graph, "2 shortcut/subsample");
  EXPECT_EQ(*input_of(graph, slice, 2).constant->integers(), (Integers{8, 15, 15}));
  EXPECT_EQ(*input_of(graph, slice, 4).constant->integers(), (Integers{1, 2, 2}));
  EXPECT_EQ(output_of(graph, slice).shape.dimensions, (Integers{-1, 8, 8, 8}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "2 shortcut/pad"), 1).constant->integers(),
            (Integers{0, 0, 0, 0, 0, 4, 0, 0}));
  EXPECT_EQ(node_named(graph, "2 shortcut/relu").operator_name, "Relu");
  EXPECT_EQ(node_named(graph, "2 shortcut").source_line, 23);
}

TEST(Darknet, CutsAndJoinsMaps) {
  Diagnostics diagnostics;
  const network::Network network = read_darknet_checked(own_model_path("darknet/residual.cfg"), diagnostics);
  const network::Graph& graph = *network.graph;
  EXPECT_EQ(output_of(graph, node_named(graph, "3 maxpool")).shape.dimensions, (Integers{-1, 12, 8, 8}));
  const network::Node& route = node_named(graph, "4 route");
  EXPECT_EQ(route.operator_name, "Concat");
  EXPECT_EQ(output_of(graph, route).shape.dimensions, (Integers{-1, 12, 8, 8}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "4 route/group 0"), 1).constant->integers(), (Integers{6}));
}

TEST(Darknet, ShowsUnknownSectionsAsWhatTheyAre) {
  Diagnostics diagnostics;
  const network::Network network = read_darknet_checked(own_model_path("darknet/residual.cfg"), diagnostics);
  const network::Node& node = node_named(*network.graph, "5 mystery");
  EXPECT_EQ(node.operator_name, "mystery");
  EXPECT_EQ(node.domain, "darknet");
  EXPECT_FALSE(output_of(*network.graph, node).shape.known);
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("[mystery]"));
}

TEST(Darknet, CropsFlattensAndConnects) {
  Diagnostics diagnostics;
  const network::Network network = read_darknet_checked(own_model_path("darknet/classifier.cfg"), diagnostics);
  const network::Graph& graph = *network.graph;
  expect_sound(graph);
  EXPECT_EQ(*input_of(graph, node_named(graph, "0 crop"), 1).constant->integers(), (Integers{2, 2}));
  EXPECT_EQ(output_of(graph, node_named(graph, "2 reorg")).shape.dimensions, (Integers{-1, 16, 4, 4}));
  const network::Node& gemm = node_named(graph, "4 connected");
  EXPECT_EQ(input_of(graph, gemm, 1).constant->dimensions, (Integers{10, 16 * 8 * 8}));
  EXPECT_EQ(node_named(graph, "5 softmax").operator_name, "Softmax");
}

TEST(Darknet, DilatesAndGroups) {
  const network::Network network = read_darknet_from(
      "[net]\nchannels=4\nheight=9\nwidth=9\n[convolutional]\nfilters=8\nsize=3\npad=1\ndilation=2\ngroups=2\n"
      "stride_x=2\nstride_y=1\nactivation=linear\n");
  const network::Graph& graph = *network.graph;
  const network::Node& convolution = node_named(graph, "0 convolutional");
  EXPECT_EQ(convolution.attributes.integers("pads"), (Integers{2, 2, 2, 2}));
  EXPECT_EQ(convolution.attributes.integers("strides"), (Integers{1, 2}));
  EXPECT_EQ(input_of(graph, convolution, 1).constant->dimensions, (Integers{8, 2, 3, 3}));
  EXPECT_EQ(output_of(graph, convolution).shape.dimensions, (Integers{-1, 8, 9, 5}));
}

/// A weights file of version 0.2 whose values count up from 1.
std::string write_weights(const std::string& name, int values) {
  const std::string path = testing::TempDir() + name;
  std::ofstream file(path, std::ios::binary);
  const std::int32_t header[5] = {0, 2, 0, 0, 0};
  file.write(reinterpret_cast<const char*>(header), sizeof header);
  for (int i = 1; i <= values; ++i) {
    const auto value = static_cast<float>(i);
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return path;
}

constexpr const char* two_filters =
    "[net]\nchannels=1\nheight=4\nwidth=4\n[convolutional]\nbatch_normalize=1\nfilters=2\nsize=1\nactivation=linear\n";

TEST(Darknet, TakesValuesInTheOrderOfTheFile) {
  Diagnostics diagnostics;
  const auto weights = MappedFile::open(write_weights("order.weights", 10), diagnostics);
  ASSERT_TRUE(weights.has_value());
  const network::Network network = read_darknet_from(two_filters, &*weights);
  const network::Graph& graph = *network.graph;
  const network::Node& normalization = node_named(graph, "0 convolutional/batch_normalize");
  using Values = std::vector<float>;
  EXPECT_EQ(*input_of(graph, normalization, 2).constant->floats(), (Values{1, 2}));  // biases
  EXPECT_EQ(*input_of(graph, normalization, 1).constant->floats(), (Values{3, 4}));  // scales
  EXPECT_EQ(*input_of(graph, normalization, 3).constant->floats(), (Values{5, 6}));
  EXPECT_EQ(*input_of(graph, normalization, 4).constant->floats(), (Values{7, 8}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "0 convolutional"), 1).constant->floats(), (Values{9, 10}));
}

TEST(Darknet, LeavesOutWeightsOfAnotherNetwork) {
  Diagnostics diagnostics;
  const auto weights = MappedFile::open(write_weights("other.weights", 11), diagnostics);
  ASSERT_TRUE(weights.has_value());
  const auto network = read_darknet_text(two_filters, "text.cfg", &*weights, diagnostics);
  ASSERT_TRUE(network.has_value());
  EXPECT_FALSE(input_of(*network->graph, node_named(*network->graph, "0 convolutional"), 1).constant->present());
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("44 bytes of values; it is not used; expected 40 bytes"));
}

}  // namespace
}  // namespace convscope::readers
