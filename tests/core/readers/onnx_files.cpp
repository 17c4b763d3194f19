#include "tests/core/readers/onnx_files.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <onnx/onnx_pb.h>

namespace convscope::readers::onnx_test {
namespace {

std::string attribute_text(const network::AttributeValue& value) {
  std::ostringstream out;
  std::visit(
      [&out](const auto& item) {
        if constexpr (requires { out << item; })
          out << item;
        else
          for (const auto& one : item) out << one << ',';
      },
      value);
  return out.str();
}

std::string tensor_text(const network::Tensor& tensor) {
  std::string text = fmt::format("{} {}", tensor.name, static_cast<int>(tensor.type));
  for (const std::int64_t dimension : tensor.shape.dimensions) text += fmt::format(" {}", dimension);
  for (const std::string& symbol : tensor.shape.symbols) text += fmt::format(" '{}'", symbol);
  if (!tensor.constant) return text;
  text += " =";
  if (tensor.constant->fill) text += fmt::format(" all {}", *tensor.constant->fill);
  for (const std::byte byte : tensor.constant->bytes) text += fmt::format(" {:02x}", static_cast<int>(byte));
  return text;
}

std::string node_text(const network::Node& node) {
  std::string text = fmt::format("{} {}.{}", node.name, node.domain, node.operator_name);
  for (const int input : node.inputs) text += fmt::format(" {}", input);
  text += " ->";
  for (const int output : node.outputs) text += fmt::format(" {}", output);
  for (const auto& [name, value] : node.attributes.all()) text += fmt::format(" {}={}", name, attribute_text(value));
  return text;
}

}  // namespace

std::string own_model(const std::string& name) {
  return std::string(CONVSCOPE_SOURCE_DIR) + "/tests/models/onnx/" + name;
}

Folder::Folder() {
  static std::atomic<int> count = 0;
  path_ = testing::TempDir() + fmt::format("/convscope_onnx_{}_{}", ::getpid(), ++count);
  std::filesystem::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& bytes) const {
  const std::string file = path_ + "/" + name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::vector<std::string> Result::texts(Severity severity) const {
  std::vector<std::string> result;
  for (Diagnostic item : diagnostics.items()) {
    if (item.severity != severity) continue;
    item.where.file.clear();
    item.where.line = 0;
    result.push_back(item.text());
  }
  return result;
}

Result read_file(const std::string& path) {
  Result result;
  const auto file = MappedFile::open(path, result.diagnostics);
  if (file) result.network = read_onnx(*file, path, result.diagnostics);
  EXPECT_EQ(result.network.has_value(), !result.diagnostics.has_errors()) << path;
  return result;
}

Result read_bytes(const std::string& bytes) {
  const Folder folder;
  return read_file(folder.write("model.onnx", bytes));
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string binary(const std::string& model_text) {
  onnx::ModelProto model;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(model_text, &model)) << model_text;
  return model.SerializeAsString();
}

std::string model_text(const std::string& graph_lines) {
  const std::string shape =
      "shape { dim { dim_value: 1 } dim { dim_value: 1 } dim { dim_value: 4 } dim { dim_value: 4 } }";
  return "ir_version: 8\nopset_import { version: 13 }\ngraph {\nname: 'g'\n"
         "input { name: 'x' type { tensor_type { elem_type: 1 " +
         shape + " } } }\noutput { name: 'y' }\n" + graph_lines + "}\n";
}

std::vector<std::string> errors_of(const std::string& model_text) {
  const auto from_text = read_bytes(model_text).texts(Severity::error);
  const auto from_binary = read_bytes(binary(model_text)).texts(Severity::error);
  EXPECT_EQ(from_text, from_binary);
  return from_text;
}

const network::Tensor* tensor_named(const network::Graph& graph, const std::string& name) {
  for (const network::Tensor& tensor : graph.tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

const network::Node* node_named(const network::Graph& graph, const std::string& name) {
  for (const network::Node& node : graph.nodes)
    if (node.name == name) return &node;
  return nullptr;
}

std::string description(const network::Graph& graph) {
  std::string text = fmt::format("operators {}\n", graph.opset);
  for (const network::Tensor& tensor : graph.tensors) text += tensor_text(tensor) + "\n";
  for (const network::Node& node : graph.nodes) text += node_text(node) + "\n";
  for (const int input : graph.inputs) text += fmt::format("in {}\n", input);
  for (const int output : graph.outputs) text += fmt::format("out {}\n", output);
  return text;
}

}  // namespace convscope::readers::onnx_test
