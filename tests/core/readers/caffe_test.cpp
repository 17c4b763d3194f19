// Caffe definitions that must be read: all real ones, and small ones whose every number is known.

#include "core/readers/caffe/caffe.h"

#include "core/readers/common/protobuf_text.h"
#include "core/readers/common/protobuf_wire.h"
#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using testing::HasSubstr;
using Integers = std::vector<std::int64_t>;

network::Network read_caffe_checked(const std::string& path, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  EXPECT_TRUE(file && is_caffe(file->bytes())) << path;
  auto network = file ? read_caffe(*file, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  if (!network) network.emplace().graph = std::make_shared<network::Graph>();
  return *network;
}

network::Network read_caffe_from(const std::string& text, Diagnostics& diagnostics, const std::string& model = {}) {
  auto owner = std::make_shared<const std::string>(model);
  auto network = read_caffe_text(text, "text.prototxt", *owner, owner, diagnostics);
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  if (!network) network.emplace().graph = std::make_shared<network::Graph>();
  return *network;
}

TEST(Caffe, ReadsEveryRealDefinition) {
  CONVSCOPE_NEEDS_MODELS("caffe")
  const std::map<std::string, int> convolutions{{"bvlc_alexnet", 5},          {"lenet", 2},
                                                {"mobilenet_v1", 28},         {"resnet-50", 53},
                                                {"squeezenet_v1.1", 26},      {"ultraface-rfb-320", 52},
                                                {"deploy_vgg16-pytorch", 13}, {"deploy_resnet18-priv", 20},
                                                {"deploy_inception-v3", 94}};
  const auto files = files_below(model_path("caffe"), ".prototxt");
  EXPECT_EQ(files.size(), convolutions.size());
  for (const std::string& path : files) {
    Diagnostics diagnostics;
    const network::Network network = read_caffe_checked(path, diagnostics);
    expect_sound(*network.graph);
    const std::filesystem::path parts(path);
    const std::string folder = parts.parent_path().filename();
    EXPECT_EQ(count_nodes(*network.graph, "Conv"),
              convolutions.at(folder == "soeaver" ? parts.stem().string() : folder))
        << path;
    for (const network::Node& node : network.graph->nodes) EXPECT_EQ(node.domain, "") << path << ": " << node.name;
    for (const network::Node& node : network.graph->nodes) {
      if (node.operator_name != "Conv" && node.operator_name != "Gemm") continue;
      EXPECT_TRUE(input_of(*network.graph, node, 1).constant) << path << ": " << node.name;
    }
  }
}

TEST(Caffe, TakesTheWeightsOfAModel) {
  CONVSCOPE_NEEDS_MODELS("caffe/ultraface-rfb-320")
  Diagnostics diagnostics;
  const network::Network network =
      read_caffe_checked(model_path("caffe/ultraface-rfb-320/RFB-320.prototxt"), diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  for (const network::Tensor& tensor : network.graph->tensors) {
    EXPECT_TRUE(!tensor.constant || tensor.constant->present()) << tensor.name;
  }
}

TEST(Caffe, CountsTheWeightsOfAlexNet) {
  CONVSCOPE_NEEDS_MODELS("caffe/bvlc_alexnet")
  Diagnostics diagnostics;
  const network::Network network = read_caffe_checked(model_path("caffe/bvlc_alexnet/deploy.prototxt"), diagnostics);
  const network::Graph& graph = *network.graph;
  EXPECT_EQ(network.name, "AlexNet");
  EXPECT_EQ(input_of(graph, node_named(graph, "conv2"), 1).constant->dimensions, (Integers{256, 48, 5, 5}));
  EXPECT_EQ(input_of(graph, node_named(graph, "fc6"), 1).constant->dimensions, (Integers{4096, 9216}));
  EXPECT_THAT(diagnostics.text(), HasSubstr("no .caffemodel"));
}

TEST(Caffe, ReadsVersionOneAndPhaseTest) {
  Diagnostics diagnostics;
  const network::Network network = read_caffe_checked(own_model_path("caffe/version_one.prototxt"), diagnostics);
  const network::Graph& graph = *network.graph;
  expect_sound(graph);
  EXPECT_EQ(network.name, "version one");
  EXPECT_EQ(graph.inputs.size(), 2u);
  EXPECT_EQ(graph.tensors[static_cast<std::size_t>(graph.inputs[0])].shape.dimensions, (Integers{2, 3, 15, 13}));
  const network::Node& convolution = node_named(graph, "conv");
  EXPECT_EQ(input_of(graph, convolution, 1).constant->dimensions, (Integers{6, 1, 3, 1}));
  EXPECT_EQ(convolution.attributes.integers("pads"), (Integers{1, 0, 1, 0}));
  EXPECT_EQ(convolution.source_line, 13);
  const network::Node& relu = node_named(graph, "relu");
  EXPECT_EQ(relu.operator_name, "LeakyRelu");
  EXPECT_EQ(relu.inputs.front(), convolution.outputs.front());
  EXPECT_NE(relu.outputs.front(), convolution.outputs.front());
  EXPECT_EQ(node_named(graph, "pool").inputs.front(), relu.outputs.front());
  // 8 x 7 pixels pooled 3 x 3 with padding, rounded up: 5 x 4. Maps 4 + 2 + 4.
  EXPECT_EQ(node_named(graph, "pool").attributes.integer("ceil_mode", 0), 1);
  EXPECT_EQ(input_of(graph, node_named(graph, "score"), 1).constant->dimensions, (Integers{5, 10 * 5 * 4}));
  EXPECT_EQ(graph.outputs.size(), 1u);
}

TEST(Caffe, FoldsScalesIntoNormalizations) {
  Diagnostics diagnostics;
  const network::Network network = read_caffe_checked(own_model_path("caffe/normalized.prototxt"), diagnostics);
  const network::Graph& graph = *network.graph;
  expect_sound(graph);
  EXPECT_EQ(count_nodes(graph, "BatchNormalization"), 2);
  const network::Node& folded = node_named(graph, "bn");
  EXPECT_EQ(input_of(graph, folded, 1).name, "scale/scale");
  EXPECT_EQ(input_of(graph, folded, 2).name, "scale/bias");
  EXPECT_DOUBLE_EQ(folded.attributes.real("epsilon", 0), 0.001);
  // bn2 is read by another layer too, so its scale stays a product.
  EXPECT_EQ(*input_of(graph, node_named(graph, "bn2"), 1).constant->fill, 1);
  EXPECT_EQ(node_named(graph, "scale2").operator_name, "Mul");
  EXPECT_EQ(node_named(graph, "sum").operator_name, "Sub");
}

TEST(Caffe, CutsAndRearranges) {
  Diagnostics diagnostics;
  const network::Network network = read_caffe_checked(own_model_path("caffe/normalized.prototxt"), diagnostics);
  const network::Graph& graph = *network.graph;
  EXPECT_EQ(input_of(graph, node_named(graph, "up"), 1).constant->dimensions, (Integers{4, 1, 4, 4}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "crop"), 1).constant->integers(), (Integers{3, 3}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "crop"), 2).constant->integers(), (Integers{11, 11}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "reshape"), 1).constant->integers(), (Integers{0, -1, 2}));
  EXPECT_EQ(*input_of(graph, node_named(graph, "shuffle/part"), 1).constant->integers(), (Integers{0, 2, 2, 8, 8}));
  EXPECT_EQ(node_named(graph, "priors").domain, "caffe");
  EXPECT_EQ(node_named(graph, "priors").operator_name, "PriorBox");
}

/// A message field of protobuf's wire format.
std::string field(std::uint64_t number, const std::string& content) {
  std::string bytes;
  append_tag(bytes, number, WireType::bytes);
  append_varint(bytes, content.size());
  return bytes + content;
}

std::string values(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

std::string blob(const std::string& dimensions, const std::vector<float>& numbers) {
  return field(7, field(7, field(1, dimensions)) + field(5, values(numbers)));
}

constexpr const char* scaled_text =
    "input: \"x\" input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 1\n"
    "layer { name: \"bn\" type: \"BatchNorm\" bottom: \"x\" top: \"y\" }\n";

TEST(Caffe, DividesStatisticsByTheirFactor) {
  const std::string model =
      field(100, field(1, "bn") + blob("\x02", {2, 4}) + blob("\x02", {6, 8}) + blob("\x01", {2}));
  Diagnostics diagnostics;
  const network::Network network = read_caffe_from(scaled_text, diagnostics, model);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  const network::Node& node = node_named(*network.graph, "bn");
  EXPECT_EQ(*input_of(*network.graph, node, 3).constant->floats(), (std::vector<float>{1, 2}));
  EXPECT_EQ(*input_of(*network.graph, node, 4).constant->floats(), (std::vector<float>{3, 4}));
}

TEST(Caffe, LeavesOutBlobsThatDoNotFit) {
  const std::string model =
      field(100, field(1, "bn") + blob("\x03", {2, 4, 5}) + blob("\x02", {6}) + blob("\x01", {1}));
  Diagnostics diagnostics;
  const network::Network network = read_caffe_from(scaled_text, diagnostics, model);
  const network::Node& node = node_named(*network.graph, "bn");
  EXPECT_FALSE(input_of(*network.graph, node, 3).constant->present());
  EXPECT_FALSE(input_of(*network.graph, node, 4).constant->present());
  EXPECT_THAT(diagnostics.text(), HasSubstr("layer 'bn': its mean are 3 in the model, 2 in the network"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("with another number of values"));
}

TEST(Caffe, OpensWithADamagedModel) {
  const std::string whole = field(100, field(1, "bn") + blob("\x02", {2, 4}));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    Diagnostics diagnostics;
    read_caffe_from(scaled_text, diagnostics, whole.substr(0, length));
    EXPECT_THAT(diagnostics.text(), HasSubstr("damaged or cut short")) << length;
  }
}

TEST(CaffeText, KnowsProtobufsNotations) {
  Diagnostics diagnostics;
  Report report("text", diagnostics);
  const auto root = protobuf_text::parse_text(
      "a: 1 a: [2, 3]; b < c: 'x' \"y\\\"z\" > # comment {\n d { } e: [{f: -1.5f}, {}]", report);
  ASSERT_TRUE(root) << diagnostics.text();
  const protobuf_text::Fields fields(*root, "root", report);
  EXPECT_EQ(fields.integers("a", 0, 9), (Integers{1, 2, 3}));
  EXPECT_EQ(fields.sub("b").text("c"), "xy\"z");
  EXPECT_EQ(root->all("e").size(), 2u);
  EXPECT_DOUBLE_EQ(protobuf_text::Fields(*root->all("e")[0]->message, "e", report).real("f", 0), -1.5);
  EXPECT_EQ(root->find("d")->line, 2);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

}  // namespace
}  // namespace convscope::readers
