#pragma once
// The tensors of a graph while it is read: each name stands for one tensor, which is defined at most once.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/common/report.h"
#include "core/readers/onnx/unique_names.h"

namespace onnx {
class ValueInfoProto;
}

namespace convscope::readers::onnx_format {

class TensorTable {
 public:
  explicit TensorTable(Report& report) : report_(report) {}

  /// A tensor's first definition; an error that names both definitions if there was one before, then nothing.
  /// `definition` tells what it is: "an initializer", "an output of node 'Conv_1'".
  std::optional<int> define(std::string_view name, std::string definition, int line = 0);
  /// Nothing if the name is not defined.
  std::optional<int> find(std::string_view name) const;
  /// A defined tensor that no name in the file stands for.
  int unnamed(const std::string& name);

  void set_constant(int tensor, network::Constant constant);
  /// Type and shape as declared. Dimensions of -1 are taken as unknown; others below zero, and shapes of more than
  /// network::element_cap elements, are errors.
  void declare(int tensor, const onnx::ValueInfoProto& info);

  network::Tensor& operator[](int tensor) { return tensors_[static_cast<std::size_t>(tensor)]; }
  int size() const { return static_cast<int>(tensors_.size()); }
  std::vector<network::Tensor> release() { return std::move(tensors_); }

 private:
  Report& report_;
  std::vector<network::Tensor> tensors_;
  std::vector<std::string> definitions_;
  std::unordered_map<std::string, int> by_name_;
  UniqueNames names_;
};

}  // namespace convscope::readers::onnx_format
