#pragma once
// ONNX files for tests: from bytes, or from protobuf text in both of ONNX's forms.

#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/readers/onnx/onnx.h"

namespace convscope::readers::onnx_test {

/// A folder of its own below the tests' temporary folder, removed with its contents.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& bytes) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Where a model of our own lies.
std::string own_model(const std::string& name);

/// What a reader made of a file.
struct Result {
  std::optional<network::Network> network;
  Diagnostics diagnostics;

  const network::Graph& graph() const { return *network->graph; }
  /// Diagnostics of one severity as text, without file and line.
  std::vector<std::string> texts(Severity severity) const;
};

Result read_file(const std::string& path);
Result read_bytes(const std::string& bytes);
std::string file_text(const std::string& path);

/// Protobuf text of a ModelProto in binary form; asserts that it is one.
std::string binary(const std::string& model_text);
/// A graph of these lines as text of a whole model, with input "x" of shape [1, 1, 4, 4] and output "y".
std::string model_text(const std::string& graph_lines);
/// Errors of a model in text form, after checking that its binary form has the same.
std::vector<std::string> errors_of(const std::string& model_text);

/// Null if there is none.
const network::Tensor* tensor_named(const network::Graph& graph, const std::string& name);
const network::Node* node_named(const network::Graph& graph, const std::string& name);
/// Everything that a graph holds, in lines; without lines of the source.
std::string description(const network::Graph& graph);

}  // namespace convscope::readers::onnx_test
