#include "core/quantization/fold_normalizations.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/quantization/real_parameters.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;

/// A new constant of the graph, with values rounded to float32.
int add_constant(Graph& graph, std::string name, std::vector<std::int64_t> dimensions,
                 const std::vector<double>& values) {
  const auto floats = std::make_shared<std::vector<float>>(values.begin(), values.end());
  auto constant = std::make_shared<network::Constant>();
  constant->type = network::ElementType::float32;
  constant->dimensions = dimensions;
  constant->bytes = std::as_bytes(std::span(*floats));
  constant->owner = floats;
  graph.tensors.push_back({std::move(name), constant->type, {true, std::move(dimensions), {}}, std::move(constant)});
  return static_cast<int>(graph.tensors.size()) - 1;
}

/// False if the values aren't at hand. Weights that others read too stay for them.
bool fold_into(Graph& graph, std::size_t product, std::size_t normalization) {
  Node& node = graph.nodes[product];
  if (node.inputs.size() < 2 || node.inputs[1] < 0) return false;
  const std::vector<std::int64_t> shape = graph.tensors[static_cast<std::size_t>(node.inputs[1])].shape.dimensions;
  const auto elements = graph.tensors[static_cast<std::size_t>(node.inputs[1])].shape.elements();
  if (!elements || *elements < 1) return false;
  const auto folded = real_parameters(graph, {static_cast<int>(product), {static_cast<int>(normalization)}}, shape[0],
                                      *elements / shape[0]);
  if (!folded) return false;
  node.inputs.resize(3, -1);
  node.inputs[1] = add_constant(graph, node.name + ".folded.weights", shape, folded->weights);
  node.inputs[2] = add_constant(graph, node.name + ".folded.bias", {shape[0]}, folded->bias);
  node.outputs[0] = graph.nodes[normalization].outputs[0];
  return true;
}

std::vector<int> reader_counts(const Graph& graph) {
  std::vector<int> readers(graph.tensors.size(), 0);
  for (const int output : graph.outputs) ++readers[static_cast<std::size_t>(output)];
  for (const Node& node : graph.nodes)
    for (const int input : node.inputs)
      if (input >= 0) ++readers[static_cast<std::size_t>(input)];
  return readers;
}

/// The convolution whose output nothing but this normalization reads; nothing if there is none.
std::optional<std::size_t> convolution_before(const Graph& graph, const Node& node, const std::vector<int>& producers,
                                              const std::vector<int>& readers) {
  const bool normalizes = node.operator_name == "BatchNormalization" && node.domain.empty() &&
                          node.outputs.size() == 1 && node.attributes.integer("training_mode", 0) == 0;
  const int data = normalizes && !node.inputs.empty() ? node.inputs[0] : -1;
  if (data < 0 || readers[static_cast<std::size_t>(data)] != 1) return std::nullopt;
  const int producer = producers[static_cast<std::size_t>(data)];
  if (producer < 0) return std::nullopt;
  const Node& product = graph.nodes[static_cast<std::size_t>(producer)];
  const bool convolves = product.operator_name == "Conv" && product.domain.empty() && product.outputs.size() == 1;
  return convolves ? std::optional(static_cast<std::size_t>(producer)) : std::nullopt;
}

}  // namespace

int fold_normalizations(Graph& graph) {
  std::vector<int> producers = graph.producers();
  const std::vector<int> readers = reader_counts(graph);
  std::vector<std::size_t> gone;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto product = convolution_before(graph, graph.nodes[i], producers, readers);
    if (!product || !fold_into(graph, *product, i)) continue;
    producers[static_cast<std::size_t>(graph.nodes[i].outputs[0])] = static_cast<int>(*product);
    gone.push_back(i);
  }
  for (auto node = gone.rbegin(); node != gone.rend(); ++node)
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(*node));
  return static_cast<int>(gone.size());
}

}  // namespace convscope::quantization
