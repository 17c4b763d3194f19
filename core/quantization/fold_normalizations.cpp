#include "core/quantization/fold_normalizations.h"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/reference/executor.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;
using reference::FloatTensor;

constexpr std::size_t bias_input = 2;

int input_of(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? node.inputs[index] : -1;
}

std::optional<FloatTensor> constant_of(const Graph& graph, int tensor) {
  if (tensor < 0) return std::nullopt;
  const auto& constant = graph.tensors[static_cast<std::size_t>(tensor)].constant;
  return constant && constant->present() ? reference::tensor_of(*constant) : std::nullopt;
}

/// What multiplies and shifts each filter.
struct Normalization {
  std::vector<double> factors, shifts;
};

std::optional<Normalization> normalization_of(const Graph& graph, const Node& node, std::size_t filters) {
  if (node.attributes.integer("training_mode", 0) != 0) return std::nullopt;
  const auto scale = constant_of(graph, input_of(node, 1)), shift = constant_of(graph, input_of(node, 2)),
             mean = constant_of(graph, input_of(node, 3)), variance = constant_of(graph, input_of(node, 4));
  for (const auto* each : {&scale, &shift, &mean, &variance})
    if (!*each || (*each)->values.size() != filters) return std::nullopt;
  Normalization result;
  const double epsilon = node.attributes.real("epsilon", 1e-5);
  for (std::size_t i = 0; i < filters; ++i) {
    result.factors.push_back(scale->values[i] / std::sqrt(variance->values[i] + epsilon));
    result.shifts.push_back(shift->values[i] - mean->values[i] * result.factors[i]);
  }
  return result;
}

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
bool fold_into(Graph& graph, std::size_t product, const Node& normalization) {
  Node& node = graph.nodes[product];
  auto weights = constant_of(graph, input_of(node, 1));
  if (!weights || weights->dimensions.empty() || weights->dimensions[0] < 1) return false;
  const auto filters = static_cast<std::size_t>(weights->dimensions[0]);
  const bool biased = input_of(node, bias_input) >= 0;
  auto bias = biased ? constant_of(graph, node.inputs[bias_input]) : FloatTensor{{}, {}, std::vector<double>(filters)};
  const auto values = normalization_of(graph, normalization, filters);
  if (!values || !bias || bias->values.size() != filters || weights->values.empty()) return false;
  const std::size_t taps = weights->values.size() / filters;
  for (std::size_t i = 0; i < weights->values.size(); ++i) weights->values[i] *= values->factors[i / taps];
  for (std::size_t i = 0; i < filters; ++i) bias->values[i] = bias->values[i] * values->factors[i] + values->shifts[i];
  const int new_weights = add_constant(graph, node.name + ".folded.weights", weights->dimensions, weights->values),
            new_bias = add_constant(graph, node.name + ".folded.bias", {weights->dimensions[0]}, bias->values);
  node.inputs.resize(bias_input + 1, -1);
  node.inputs[1] = new_weights;
  node.inputs[bias_input] = new_bias;
  node.outputs[0] = normalization.outputs[0];
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
  const bool normalizes = node.operator_name == "BatchNormalization" && node.domain.empty() && node.outputs.size() == 1;
  const int data = normalizes ? input_of(node, 0) : -1;
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
    const Node normalization = graph.nodes[i];
    const auto product = convolution_before(graph, normalization, producers, readers);
    if (!product || !fold_into(graph, *product, normalization)) continue;
    producers[static_cast<std::size_t>(normalization.outputs[0])] = static_cast<int>(*product);
    gone.push_back(i);
  }
  for (auto node = gone.rbegin(); node != gone.rend(); ++node)
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(*node));
  return static_cast<int>(gone.size());
}

}  // namespace convscope::quantization
