#pragma once
// Builds a graph node by node, in the order of a file: unique names, checked sizes of constants, outputs found.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/common/report.h"

namespace convscope::readers {

/// A node without its outputs.
struct NodeParts {
  std::string operator_name;
  std::string name;
  std::vector<int> inputs;
  network::Attributes attributes = {};
  std::string domain = {};
  int line = 0;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(Report& report) : report_(report) {}

  /// A tensor; its name gets a number if it is taken.
  int tensor(const std::string& name, network::TensorShape shape = {},
             network::ElementType type = network::ElementType::float32);
  /// A tensor that is fed from outside.
  int input(const std::string& name, network::TensorShape shape,
            network::ElementType type = network::ElementType::float32);
  /// A constant. More elements than network::element_cap are an error that names tensor and size; an unknown dimension
  /// makes it a tensor without a constant, since the file doesn't say how large it is.
  int constant(const std::string& name, std::vector<std::int64_t> dimensions, int line,
               network::ElementType type = network::ElementType::float32);
  /// A constant whose values are held by the graph.
  int integers(const std::string& name, const std::vector<std::int64_t>& values);
  int floats(const std::string& name, std::vector<std::int64_t> dimensions, const std::vector<float>& values);
  int filled(const std::string& name, std::vector<std::int64_t> dimensions, double value);
  /// The constant of a tensor, to give it values; null if it has none.
  network::Constant* constant_of(int tensor);

  /// A node with one output, named after the node unless `output` says otherwise; the output's index.
  int node(NodeParts parts, network::TensorShape shape = {}, const std::string& output = {});
  /// A node with the given outputs.
  void node_to(NodeParts parts, std::vector<int> outputs);

  network::Graph& graph() { return graph_; }
  /// Makes what nothing consumes the graph's outputs, where none are declared yet.
  std::shared_ptr<const network::Graph> finish();

 private:
  Report& report_;
  network::Graph graph_;
  std::map<int, std::shared_ptr<network::Constant>> constants_;  ///< by tensor, still changeable
  std::map<std::string, int> tensor_names_, node_names_;         ///< with how often each was asked for
};

/// Values in the machine's byte order as bytes that a constant can own.
template <typename Value>
void give_values(network::Constant& constant, std::vector<Value> values) {
  auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
  constant.bytes = std::as_bytes(std::span<const Value>(*owner));
  constant.owner = std::move(owner);
}

}  // namespace convscope::readers
