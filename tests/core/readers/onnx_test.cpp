// ONNX files that must open: our own small ones, in detail, and all of the models folder.
#include "core/readers/onnx/onnx.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/readers/onnx_files.h"

namespace convscope::readers::onnx_test {
namespace {

using network::ElementType;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const network::Graph& graph, const std::vector<int>& tensors) {
  std::vector<std::string> result;
  for (const int tensor : tensors)
    result.push_back(tensor < 0 ? "" : graph.tensors[static_cast<std::size_t>(tensor)].name);
  return result;
}

std::vector<std::string> node_names(const network::Graph& graph) {
  std::vector<std::string> result;
  for (const network::Node& node : graph.nodes) result.push_back(node.name);
  return result;
}

TEST(Onnx, ReadsASmallNetwork) {
  const Result result = read_file(own_model("small_network.onnx"));
  ASSERT_TRUE(result.network) << result.diagnostics.text();
  EXPECT_TRUE(result.diagnostics.empty()) << result.diagnostics.text();
  EXPECT_EQ(result.network->name, "small_network");
  EXPECT_EQ(result.network->format, "onnx");
  EXPECT_TRUE(result.network->layers.empty());
  const network::Graph& graph = result.graph();
  EXPECT_EQ(graph.opset, 13);
  EXPECT_THAT(node_names(graph), ElementsAre("first", "Relu_1", "MaxPool_1", "Flatten_1", "Gemm_1"));
  EXPECT_THAT(names(graph, graph.inputs), ElementsAre("image"));
  EXPECT_THAT(names(graph, graph.outputs), ElementsAre("scores"));
  EXPECT_THAT(names(graph, graph.nodes[0].inputs), ElementsAre("image", "weight", "bias"));
}

TEST(Onnx, KeepsAttributesAsTheyAre) {
  const Result result = read_file(own_model("small_network.onnx"));
  ASSERT_TRUE(result.network);
  const network::Attributes& convolution = node_named(result.graph(), "first")->attributes;
  EXPECT_THAT(convolution.integers("pads"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(convolution.integers("strides"), ElementsAre(2, 2));
  EXPECT_EQ(convolution.text("auto_pad"), "NOTSET");
  EXPECT_EQ(node_named(result.graph(), "Flatten_1")->attributes.integer("axis", -7), 1);
  EXPECT_EQ(node_named(result.graph(), "Gemm_1")->attributes.real("alpha", 0), 0.5);
}

TEST(Onnx, KeepsShapesAndValues) {
  const Result result = read_file(own_model("small_network.onnx"));
  ASSERT_TRUE(result.network);
  const network::Tensor& image = *tensor_named(result.graph(), "image");
  EXPECT_THAT(image.shape.dimensions, ElementsAre(network::unknown_dimension, 1, 8, 8));
  EXPECT_EQ(image.shape.symbols.at(0), "batch");
  EXPECT_EQ(image.type, ElementType::float32);
  EXPECT_THAT(tensor_named(result.graph(), "maps")->shape.dimensions, ElementsAre(-1, 2, 4, 4));
  const network::Tensor& weight = *tensor_named(result.graph(), "weight");
  EXPECT_THAT(weight.shape.dimensions, ElementsAre(2, 1, 3, 3));
  EXPECT_THAT(weight.constant->floats().value(),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2, -3, -4, -5, -6, -7, -8, -9));
  EXPECT_THAT(tensor_named(result.graph(), "bias")->constant->floats().value(), ElementsAre(1, -2));
}

TEST(Onnx, ReadsTextAsItReadsBinaryWithLines) {
  for (const std::string name : {"small_network", "constants", "external", "control_flow"}) {
    const Result text = read_file(own_model(name + ".onnxtxt"));
    const Result binary_form = read_file(own_model(name + ".onnx"));
    ASSERT_TRUE(text.network && binary_form.network) << name << text.diagnostics.text();
    EXPECT_EQ(description(text.graph()), description(binary_form.graph()));
    EXPECT_EQ(text.texts(Severity::note), binary_form.texts(Severity::note));
    EXPECT_EQ(binary(file_text(own_model(name + ".onnxtxt"))), file_text(own_model(name + ".onnx")));
  }
  const Result text = read_file(own_model("small_network.onnxtxt"));
  EXPECT_EQ(node_named(text.graph(), "first")->source_line, 6);
  EXPECT_EQ(node_named(text.graph(), "Gemm_1")->source_line, 26);
}

TEST(Onnx, OrdersAndNamesNodes) {
  const Result result = read_file(own_model("constants.onnx"));
  ASSERT_TRUE(result.network) << result.diagnostics.text();
  const network::Graph& graph = result.graph();
  EXPECT_THAT(node_names(graph), ElementsAre("same_2", "same", "Clip_1", "Clip_2", "Table_1"));
  EXPECT_EQ(graph.nodes[0].operator_name, "Mul");
  EXPECT_EQ(graph.opset, 11);
  EXPECT_THAT(names(graph, graph.inputs), ElementsAre("image"));
  EXPECT_THAT(names(graph, node_named(graph, "Clip_1")->inputs), ElementsAre("sum", "", "limit"));
  EXPECT_THAT(names(graph, node_named(graph, "Table_1")->outputs), ElementsAre("Table_1:1", "looked_up"));
  EXPECT_EQ(node_named(graph, "Table_1")->domain, "example");
}

TEST(Onnx, ReadsConstantsInEveryForm) {
  const Result result = read_file(own_model("constants.onnx"));
  ASSERT_TRUE(result.network) << result.diagnostics.text();
  const network::Graph& graph = result.graph();
  const auto constant = [&](const char* name) { return *tensor_named(graph, name)->constant; };
  EXPECT_EQ(constant("half").type, ElementType::float16);
  EXPECT_THAT(constant("half").floats().value(), ElementsAre(0.5F));
  EXPECT_EQ(constant("nibbles").type, ElementType::int4);
  EXPECT_THAT(constant("nibbles").integers().value(), ElementsAre(1, 2, -1));
  EXPECT_THAT(constant("bytes").integers().value(), ElementsAre(-1, 127));
  EXPECT_THAT(constant("shape").integers().value(), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(constant("limit").floats().value(), ElementsAre(2.5F));
  EXPECT_THAT(tensor_named(graph, "limit")->shape.dimensions, IsEmpty());
  EXPECT_EQ(constant("ones").fill, 1.0);
  EXPECT_THAT(constant("ones").dimensions, ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(node_named(graph, "Table_1")->attributes.integers("entries"), ElementsAre(3, 1, 2));
}

TEST(Onnx, ShapesStandWithoutValues) {
  const Result result = read_file(own_model("constants.onnx"));
  ASSERT_TRUE(result.network);
  EXPECT_FALSE(tensor_named(result.graph(), "stripped")->constant->present());
  EXPECT_THAT(tensor_named(result.graph(), "stripped")->shape.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(tensor_named(result.graph(), "sparse")->shape.dimensions, ElementsAre(10, 10));
  EXPECT_THAT(tensor_named(result.graph(), "none")->shape.dimensions, ElementsAre(0));
  EXPECT_THAT(result.texts(Severity::note), ElementsAre("note: initializers: 2 of 9 have a shape but no values"));
}

TEST(Onnx, FindsExternalDataBesideTheModel) {
  const Folder folder;
  const std::string model = folder.write("m.onnx", file_text(own_model("external.onnx")));
  const Result without = read_file(model);
  ASSERT_TRUE(without.network);
  EXPECT_FALSE(tensor_named(without.graph(), "weight")->constant->present());
  EXPECT_THAT(without.texts(Severity::note),
              ElementsAre("note: external data 'external.weights': there is no such file: 1 tensor has a shape but no "
                          "values"));
  std::string weights(432, '\0');
  weights.replace(0, 4, std::string("\0\0\x40\x40", 4));
  folder.write("external.weights", weights);
  const Result with = read_file(model);
  ASSERT_TRUE(with.network) << with.diagnostics.text();
  EXPECT_TRUE(with.diagnostics.empty());
  const auto values = tensor_named(with.graph(), "weight")->constant->floats();
  ASSERT_TRUE(values);
  EXPECT_EQ(values->size(), 108U);
  EXPECT_EQ(values->front(), 3.0F);
}

TEST(Onnx, KeepsControlFlowAndFunctionsWhole) {
  const Result result = read_file(own_model("control_flow.onnx"));
  ASSERT_TRUE(result.network) << result.diagnostics.text();
  EXPECT_THAT(node_names(result.graph()), ElementsAre("Twice_1", "If_1", "SequenceConstruct_1"));
  EXPECT_EQ(node_named(result.graph(), "If_1")->attributes.text("else_branch"), "graph 'else', 2 nodes");
  EXPECT_EQ(tensor_named(result.graph(), "list")->type, ElementType::other);
  EXPECT_THAT(result.texts(Severity::note),
              ElementsAre("note: functions: 1 nodes call functions of the file; they stay whole"));
}

// A file with weights costs no memory for them: its constants are its own bytes.
TEST(Onnx, LeavesWeightsInTheFile) {
  const std::string path = own_model("small_network.onnx");
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  const auto network = read_onnx(*file, path, diagnostics);
  ASSERT_TRUE(network);
  const std::string_view all = file->bytes();
  for (const char* name : {"weight", "bias", "matrix"}) {
    const auto bytes = tensor_named(*network->graph, name)->constant->bytes;
    const auto* start = reinterpret_cast<const char*>(bytes.data());
    EXPECT_TRUE(start >= all.data() && start + bytes.size() <= all.data() + all.size()) << name;
  }
}

TEST(Onnx, RecognizesContent) {
  const std::string whole = file_text(own_model("small_network.onnx"));
  EXPECT_TRUE(is_onnx(whole));
  EXPECT_TRUE(is_onnx(whole.substr(0, whole.size() / 2)));
  EXPECT_TRUE(is_onnx(file_text(own_model("small_network.onnxtxt"))));
  EXPECT_TRUE(is_onnx("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"));
}

TEST(Onnx, LeavesOtherFormatsToOtherReaders) {
  using std::string;
  EXPECT_FALSE(is_onnx(""));
  EXPECT_FALSE(is_onnx("<?xml version='1.0'?><convNetDescriptor/>"));
  EXPECT_FALSE(is_onnx("name: \"LeNet\"\nlayer { name: \"data\" }\n"));
  EXPECT_FALSE(is_onnx("# graph\n[net]\nwidth=4\n"));
  EXPECT_FALSE(is_onnx("graph of a function"));
  EXPECT_FALSE(is_onnx(string("\x1c\0\0\0TFL3", 8)));
  EXPECT_FALSE(is_onnx(string("\x0a\x05LeNet\xa2\x06\x02\x0a\x00", 12)));  // caffe.NetParameter: name, layer
  EXPECT_FALSE(is_onnx(string("\x08\x01\x12\x02\x0a\x00", 6)));            // tensorflow.SavedModel
  EXPECT_FALSE(is_onnx(string("\x08\x01\x08\x04\x10\x01\x4a\x00", 8)));    // onnx.TensorProto
}

TEST(Onnx, ReadsTensorFiles) {
  // dims: 3, data_type: INT8, name: "n", raw_data: 1, 255, 3
  const Folder folder;
  const std::string path = folder.write("t.pb", std::string("\x08\x03\x10\x03\x42\x01n\x4a\x03\x01\xff\x03", 12));
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  std::string name;
  const auto tensor = read_onnx_tensor(*file, path, diagnostics, &name);
  ASSERT_TRUE(tensor) << diagnostics.text();
  EXPECT_EQ(name, "n");
  EXPECT_THAT(tensor->integers().value(), ElementsAre(1, -1, 3));
}

std::vector<std::string> files_of_models(const std::vector<std::string>& extensions) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CONVSCOPE_MODELS)) {
    const std::string path = entry.path().string();
    const bool wanted = std::count(extensions.begin(), extensions.end(), entry.path().extension()) > 0;
    if (wanted && path.find("/onnx-") != std::string::npos) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The list of refusals is part of what this project promises about real networks.
TEST(OnnxModels, OpenButForThePointer) {
  if (!std::filesystem::is_directory(CONVSCOPE_MODELS)) GTEST_SKIP() << "no models folder at " CONVSCOPE_MODELS;
  std::vector<std::string> refused;
  const auto files = files_of_models({".onnx", ".onnxtxt"});
  for (const std::string& path : files) {
    EXPECT_TRUE(is_onnx(file_text(path))) << path;
    const Result result = read_file(path);
    EXPECT_TRUE(!result.network || !result.graph().nodes.empty()) << path;
    for (const std::string& text : result.texts(Severity::error))
      refused.push_back(std::filesystem::path(path).filename().string() + ": " + text);
  }
  EXPECT_EQ(files.size(), 112U);
  EXPECT_THAT(refused,
              ElementsAre("lfs-pointer-resnet18.onnx: error: this is a Git LFS pointer, not the model; expected "
                          "an ONNX model; hint: fetch the model with: git lfs pull"));
}

TEST(OnnxModels, TensorsOfTestDataHaveValues) {
  if (!std::filesystem::is_directory(CONVSCOPE_MODELS)) GTEST_SKIP() << "no models folder at " CONVSCOPE_MODELS;
  const auto files = files_of_models({".pb"});
  for (const std::string& path : files) {
    Diagnostics diagnostics;
    const auto file = MappedFile::open(path, diagnostics);
    const auto tensor = read_onnx_tensor(*file, path, diagnostics);
    ASSERT_TRUE(tensor) << diagnostics.text();
    EXPECT_TRUE(tensor->present()) << path;
    EXPECT_FALSE(is_onnx(file->bytes())) << path;
  }
  EXPECT_EQ(files.size(), 211U);
}

}  // namespace
}  // namespace convscope::readers::onnx_test
