#pragma once
// Networks made node by node, for what no format of layers says.

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/network/graph.h"
#include "core/network/network.h"
#include "core/network/shape_inference.h"

namespace convscope::nmp {

class MadeGraph {
 public:
  using Dimensions = std::vector<std::int64_t>;

  int input(const Dimensions& dimensions) {
    const int tensor = add("image");
    graph_.tensors[static_cast<std::size_t>(tensor)].shape = {true, dimensions, {}};
    graph_.tensors[static_cast<std::size_t>(tensor)].type = network::ElementType::float32;
    graph_.inputs.push_back(tensor);
    return tensor;
  }
  /// All elements the same.
  int constant(const Dimensions& dimensions, double value = 0.5) {
    network::Constant constant;
    constant.type = network::ElementType::float32;
    constant.dimensions = dimensions;
    constant.fill = value;
    return add_constant(std::move(constant));
  }
  int floats(const Dimensions& dimensions, const std::vector<float>& values) {
    network::Constant constant;
    constant.type = network::ElementType::float32;
    constant.dimensions = dimensions;
    const auto kept = std::make_shared<const std::vector<float>>(values);
    constant.owner = kept;
    constant.bytes = std::as_bytes(std::span(*kept));
    return add_constant(std::move(constant));
  }
  int integers(const std::vector<std::int64_t>& values) {
    network::Constant constant;
    constant.type = network::ElementType::int64;
    constant.dimensions = {static_cast<std::int64_t>(values.size())};
    const auto kept = std::make_shared<const std::vector<std::int64_t>>(values);
    constant.owner = kept;
    constant.bytes = std::as_bytes(std::span(*kept));
    return add_constant(std::move(constant));
  }
  int node(const std::string& name, std::vector<int> inputs, const network::Attributes& attributes = {}) {
    return nodes(name, std::move(inputs), 1, attributes).front();
  }
  std::vector<int> nodes(const std::string& name, std::vector<int> inputs, int outputs,
                         const network::Attributes& attributes = {}) {
    network::Node node;
    node.operator_name = name;
    node.name = name + std::to_string(graph_.nodes.size());
    node.inputs = std::move(inputs);
    node.attributes = attributes;
    for (int i = 0; i < outputs; ++i) node.outputs.push_back(add(node.name + "_" + std::to_string(i)));
    graph_.nodes.push_back(node);
    return node.outputs;
  }
  /// To `maps`, with a kernel that keeps the size.
  int convolution(int tensor, std::int64_t from, std::int64_t maps, std::int64_t kernel = 1) {
    return convolution_by(tensor, constant({maps, from, kernel, kernel}), kernel);
  }
  /// Of these weights.
  int convolution_by(int tensor, int weights, std::int64_t kernel = 1) {
    network::Attributes attributes;
    attributes.set("pads", Dimensions(4, kernel / 2));
    return node("Conv", {tensor, weights}, attributes);
  }

  network::Network network(const std::vector<int>& outputs) {
    graph_.outputs = outputs;
    graph_.opset = 17;
    network::Network network;
    network.name = "made";
    network.graph = std::make_shared<const network::Graph>(graph_);
    Diagnostics diagnostics;
    network::set_shapes(network, {}, diagnostics);
    return network;
  }

 private:
  int add(const std::string& name) {
    graph_.tensors.emplace_back();
    graph_.tensors.back().name = name;
    return static_cast<int>(graph_.tensors.size()) - 1;
  }
  int add_constant(network::Constant constant) {
    const int tensor = add("constant" + std::to_string(graph_.tensors.size()));
    network::Tensor& made = graph_.tensors[static_cast<std::size_t>(tensor)];
    made.type = constant.type;
    made.shape = {true, constant.dimensions, {}};
    made.constant = std::make_shared<const network::Constant>(std::move(constant));
    return tensor;
  }
  network::Graph graph_;
};

inline network::Attributes attributes(const std::vector<std::pair<std::string, network::AttributeValue>>& values) {
  network::Attributes made;
  for (const auto& [name, value] : values) made.set(name, value);
  return made;
}

}  // namespace convscope::nmp
