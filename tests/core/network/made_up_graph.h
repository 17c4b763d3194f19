#pragma once
// Graphs written by hand in tests.

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/network/graph.h"

namespace convscope::network {

class MadeUpGraph {
 public:
  using Setting = std::pair<std::string, AttributeValue>;

  int input(const std::string& name, std::vector<std::int64_t> dimensions, ElementType type = ElementType::float32) {
    graph.inputs.push_back(tensor(name, {true, std::move(dimensions), {}}, type));
    return graph.inputs.back();
  }

  int integers(std::vector<std::int64_t> dimensions, const std::vector<std::int64_t>& values) {
    return constant(ElementType::int64, std::move(dimensions), values);
  }

  int floats(std::vector<std::int64_t> dimensions, const std::vector<float>& values) {
    return constant(ElementType::float32, std::move(dimensions), values);
  }

  /// Weights whose values don't matter.
  int filled(std::vector<std::int64_t> dimensions, double value = 1, ElementType type = ElementType::float32) {
    auto made = std::make_shared<Constant>();
    made->type = type;
    made->dimensions = std::move(dimensions);
    made->fill = value;
    const int index = tensor("constant", {}, type);
    graph.tensors.back().constant = std::move(made);
    return index;
  }

  /// Index of the first output.
  int node(const std::string& operator_name, std::vector<int> inputs, const std::vector<Setting>& settings = {},
           int outputs = 1) {
    Node node;
    node.name = operator_name + "_" + std::to_string(graph.nodes.size());
    node.operator_name = operator_name;
    node.inputs = std::move(inputs);
    for (const auto& [name, value] : settings) node.attributes.set(name, value);
    for (int i = 0; i < outputs; ++i)
      node.outputs.push_back(tensor(node.name + ":" + std::to_string(i), {}, ElementType::unknown));
    graph.nodes.push_back(node);
    return node.outputs.empty() ? -1 : node.outputs.front();
  }

  const Tensor& at(int index) const { return graph.tensors[static_cast<std::size_t>(index)]; }
  std::vector<std::int64_t> dimensions(int index) const { return at(index).shape.dimensions; }

  Graph graph;

 private:
  int tensor(const std::string& name, TensorShape shape, ElementType type) {
    graph.tensors.push_back(
        {name + (name == "constant" ? std::to_string(graph.tensors.size()) : ""), type, std::move(shape), nullptr});
    return static_cast<int>(graph.tensors.size()) - 1;
  }

  template <typename T>
  int constant(ElementType type, std::vector<std::int64_t> dimensions, const std::vector<T>& values) {
    auto bytes = std::make_shared<std::vector<std::byte>>(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes->data(), values.data(), bytes->size());
    auto made = std::make_shared<Constant>();
    made->type = type;
    made->dimensions = std::move(dimensions);
    made->bytes = {bytes->data(), bytes->size()};
    made->owner = std::move(bytes);
    const int index = tensor("constant", {}, type);
    graph.tensors.back().constant = std::move(made);
    return index;
  }
};

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

}  // namespace convscope::network
