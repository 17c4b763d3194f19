#include "core/quantization/real_parameters.h"

#include <algorithm>
#include <cmath>

#include "core/reference/executor.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;
using Numbers = std::vector<double>;

int input_of(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? node.inputs[index] : -1;
}

const Node& node_at(const Graph& graph, int node) {
  return graph.nodes[static_cast<std::size_t>(node)];
}

const network::Tensor& tensor_at(const Graph& graph, int tensor) {
  return graph.tensors[static_cast<std::size_t>(tensor)];
}

/// The operators before a tensor as a graph of their own, if no input of the network has a part in it.
std::optional<Graph> graph_before(const Graph& graph, int tensor) {
  const std::vector<int> producers = graph.producers();
  std::vector<bool> needed(graph.nodes.size(), false);
  std::vector<int> open{tensor};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (next < 0 || tensor_at(graph, next).constant) continue;
    const int producer = producers[static_cast<std::size_t>(next)];
    if (producer < 0) return std::nullopt;
    if (needed[static_cast<std::size_t>(producer)]) continue;
    needed[static_cast<std::size_t>(producer)] = true;
    const Node& node = node_at(graph, producer);
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
  }
  Graph before;
  before.tensors = graph.tensors;
  before.opset = graph.opset;
  before.outputs = {tensor};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (needed[i]) before.nodes.push_back(graph.nodes[i]);
  return before;
}

std::optional<reference::FloatTensor> constant_of(const Graph& graph, int tensor) {
  if (tensor < 0) return std::nullopt;
  if (const auto& constant = tensor_at(graph, tensor).constant) return reference::tensor_of(*constant);
  const auto before = graph_before(graph, tensor);
  if (!before) return std::nullopt;
  Diagnostics unused;
  auto outputs = reference::execute(*before, {}, unused);
  if (!outputs || outputs->empty()) return std::nullopt;
  return std::move(outputs->begin()->second);
}

/// `count` values of a constant that has as many, or one for all.
std::optional<Numbers> values_of(const Graph& graph, int tensor, std::size_t count) {
  auto constant = constant_of(graph, tensor);
  if (!constant) return std::nullopt;
  if (constant->values.size() == 1) return Numbers(count, constant->values.front());
  if (constant->values.size() != count) return std::nullopt;
  return std::move(constant->values);
}

Numbers transposed(const Numbers& values, std::size_t rows, std::size_t columns) {
  Numbers result(values.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      result[column * rows + row] = values[row * columns + column];
  return result;
}

/// Position of the bias among the operator's inputs.
constexpr std::size_t bias_input = 2;

std::optional<RealParameters> weighted(const Graph& graph, const Node& node, std::size_t outputs, std::size_t taps) {
  auto weights = constant_of(graph, input_of(node, 1));
  if (!weights || weights->values.size() != outputs * taps) return std::nullopt;
  RealParameters parameters{std::move(weights->values), Numbers(outputs, 0.0)};
  const bool gemm = node.operator_name == "Gemm", product = gemm || node.operator_name == "MatMul";
  if (product && node.attributes.integer("transB", 0) == 0)
    parameters.weights = transposed(parameters.weights, taps, outputs);
  const double alpha = gemm ? node.attributes.real("alpha", 1) : 1, beta = gemm ? node.attributes.real("beta", 1) : 1;
  for (double& weight : parameters.weights) weight *= alpha;
  if (input_of(node, bias_input) < 0) return parameters;
  const auto bias = values_of(graph, input_of(node, bias_input), outputs);
  if (!bias) return std::nullopt;
  for (std::size_t i = 0; i < outputs; ++i) parameters.bias[i] = beta * (*bias)[i];
  return parameters;
}

bool fold_normalization(const Graph& graph, const Node& node, RealParameters& parameters) {
  const std::size_t outputs = parameters.bias.size(),
                    taps = parameters.weights.size() / std::max<std::size_t>(1, outputs);
  const auto scale = values_of(graph, input_of(node, 1), outputs), shift = values_of(graph, input_of(node, 2), outputs);
  const auto mean = values_of(graph, input_of(node, 3), outputs),
             variance = values_of(graph, input_of(node, 4), outputs);
  if (!scale || !shift || !mean || !variance) return false;
  const double epsilon = node.attributes.real("epsilon", 1e-5);
  for (std::size_t i = 0; i < outputs; ++i) {
    const double factor = (*scale)[i] / std::sqrt((*variance)[i] + epsilon);
    for (std::size_t tap = 0; tap < taps; ++tap) parameters.weights[i * taps + tap] *= factor;
    parameters.bias[i] = (parameters.bias[i] - (*mean)[i]) * factor + (*shift)[i];
  }
  return true;
}

/// What the data are multiplied with, or divided by.
bool fold_scale(const Graph& graph, const Node& node, RealParameters& parameters) {
  const std::size_t outputs = parameters.bias.size(),
                    taps = parameters.weights.size() / std::max<std::size_t>(1, outputs);
  for (std::size_t input = 0; input < node.inputs.size(); ++input) {
    const int tensor = node.inputs[input];
    if (tensor < 0 || !tensor_at(graph, tensor).constant) continue;
    const auto scale = values_of(graph, tensor, outputs);
    const bool divides = node.operator_name == "Div";
    if (!scale || (divides && input == 0)) return false;
    for (std::size_t i = 0; i < outputs; ++i) {
      const double factor = divides ? 1 / (*scale)[i] : (*scale)[i];
      for (std::size_t tap = 0; tap < taps; ++tap) parameters.weights[i * taps + tap] *= factor;
      parameters.bias[i] *= factor;
    }
  }
  return true;
}

/// Additions of what isn't constant are bypasses, which need no parameters.
bool fold_addition(const Graph& graph, const Node& node, RealParameters& parameters) {
  for (const int tensor : node.inputs) {
    if (tensor < 0 || !tensor_at(graph, tensor).constant) continue;
    const auto added = values_of(graph, tensor, parameters.bias.size());
    const bool subtracts = node.operator_name == "Sub";
    if (!added || (subtracts && tensor == node.inputs.front())) return false;
    for (std::size_t i = 0; i < added->size(); ++i) parameters.bias[i] += subtracts ? -(*added)[i] : (*added)[i];
  }
  return true;
}

}  // namespace

bool has_weights(const Graph& graph, const LayerNodes& nodes) {
  if (nodes.node < 0) return false;
  const int weights = input_of(node_at(graph, nodes.node), 1);
  if (weights < 0) return false;
  const auto& constant = tensor_at(graph, weights).constant;
  return constant ? constant->present() : graph_before(graph, weights).has_value();
}

std::optional<RealParameters> real_parameters(const Graph& graph, const LayerNodes& nodes, std::int64_t outputs,
                                              std::int64_t taps) {
  if (nodes.node < 0) return std::nullopt;
  auto parameters =
      weighted(graph, node_at(graph, nodes.node), static_cast<std::size_t>(outputs), static_cast<std::size_t>(taps));
  if (!parameters) return std::nullopt;
  for (const int folded : nodes.folded) {
    const Node& node = node_at(graph, folded);
    const bool addition = node.operator_name == "Add" || node.operator_name == "Sum" || node.operator_name == "Sub";
    const bool scale = node.operator_name == "Mul" || node.operator_name == "Div";
    if (node.operator_name == "BatchNormalization" && !fold_normalization(graph, node, *parameters))
      return std::nullopt;
    if (addition && !fold_addition(graph, node, *parameters)) return std::nullopt;
    if (scale && !fold_scale(graph, node, *parameters)) return std::nullopt;
  }
  return parameters;
}

}  // namespace convscope::quantization
