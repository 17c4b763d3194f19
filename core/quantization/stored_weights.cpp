#include "core/quantization/stored_weights.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/cancellation.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using reference::FloatTensor;
using reference::FloatTensors;

std::size_t place(int tensor) {
  return static_cast<std::size_t>(tensor);
}

bool floating(network::ElementType type) {
  using enum network::ElementType;
  return type == float32 || type == float16 || type == bfloat16 || type == float64;
}

bool takes_coefficients(const network::Node& node) {
  constexpr std::array<std::string_view, 4> names{"Conv", "ConvTranspose", "Gemm", "MatMul"};
  return node.domain.empty() && node.inputs.size() > 1 && node.inputs[1] >= 0 &&
         std::find(names.begin(), names.end(), node.operator_name) != names.end();
}

/// Constants, and what is computed from nothing else.
std::vector<bool> fixed_tensors(const Graph& graph) {
  std::vector<bool> fixed(graph.tensors.size(), false);
  for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = graph.tensors[i].constant != nullptr;
  for (const network::Node& node : graph.nodes) {
    const bool all = std::all_of(node.inputs.begin(), node.inputs.end(),
                                 [&](int input) { return input < 0 || fixed[place(input)]; });
    if (!all || node.inputs.empty()) continue;
    for (const int output : node.outputs)
      if (output >= 0) fixed[place(output)] = true;
  }
  return fixed;
}

/// Values of what is computed from inputs, by tensor.
using Computed = std::vector<std::vector<double>>;

std::optional<Computed> execute(const Graph& graph, const FloatTensors& inputs, const reference::ValueHook& change,
                                Diagnostics& diagnostics, const std::stop_token& stop) {
  const std::vector<bool> fixed = fixed_tensors(graph);
  Computed values(graph.tensors.size());
  const auto look = [&](int tensor, FloatTensor& value) {
    throw_if_stopped(stop);
    if (change) change(tensor, value);
    if (!fixed[place(tensor)] && floating(value.type)) values[place(tensor)] = value.values;
  };
  if (!reference::execute(graph, inputs, diagnostics, {}, look)) return std::nullopt;
  for (const int input : graph.inputs) values[place(input)].clear();
  return values;
}

}  // namespace

std::vector<bool> coefficients(const Graph& graph) {
  const std::vector<bool> fixed = fixed_tensors(graph);
  std::vector<bool> found(graph.tensors.size(), false);
  for (const network::Node& node : graph.nodes)
    if (takes_coefficients(node) && fixed[place(node.inputs[1])]) found[place(node.inputs[1])] = true;
  return found;
}

reference::ValueHook storing(const Graph& graph, const flyte::Storage& storage) {
  return [which = coefficients(graph), storage](int tensor, FloatTensor& value) {
    if (!which[place(tensor)] || !floating(value.type)) return;
    for (double& each : value.values) each = static_cast<double>(flyte::rounded(static_cast<float>(each), storage));
  };
}

std::optional<NetworkError> measure_stored_weights(const Graph& graph, const flyte::Storage& storage,
                                                   const std::vector<FloatTensors>& inputs, Diagnostics& diagnostics,
                                                   const std::stop_token& stop) {
  NetworkError result{std::vector<Error>(graph.tensors.size()), 0, 0};
  const reference::ValueHook change = storing(graph, storage);
  for (const FloatTensors& input : inputs) {
    const auto exact = execute(graph, input, {}, diagnostics, stop);
    const auto stored = exact ? execute(graph, input, change, diagnostics, stop) : std::nullopt;
    if (!stored) return std::nullopt;
    for (std::size_t i = 0; i < result.tensors.size(); ++i) result.tensors[i].add((*exact)[i], (*stored)[i]);
    ++result.inputs;
    if (graph.outputs.empty()) continue;
    const std::size_t answer = place(graph.outputs.front());
    if (same_largest((*exact)[answer], (*stored)[answer])) ++result.same_answer;
  }
  return result;
}

}  // namespace convscope::quantization
