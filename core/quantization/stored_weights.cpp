#include "core/quantization/stored_weights.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace convscope::quantization {
namespace {

using network::Graph;
using reference::FloatTensor;

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
                                 [&](int input) { return input < 0 || fixed[index_of(input)]; });
    if (!all || node.inputs.empty()) continue;
    for (const int output : node.outputs)
      if (output >= 0) fixed[index_of(output)] = true;
  }
  return fixed;
}

}  // namespace

std::vector<bool> coefficients(const Graph& graph) {
  const std::vector<bool> fixed = fixed_tensors(graph);
  std::vector<bool> found(graph.tensors.size(), false);
  for (const network::Node& node : graph.nodes)
    if (takes_coefficients(node) && fixed[index_of(node.inputs[1])]) found[index_of(node.inputs[1])] = true;
  return found;
}

reference::ValueHook storing(const Graph& graph, const flyte::Storage& storage) {
  return [which = coefficients(graph), storage](int tensor, FloatTensor& value) {
    if (!which[index_of(tensor)] || !is_real(value.type)) return;
    for (double& each : value.values) each = static_cast<double>(flyte::rounded(static_cast<float>(each), storage));
  };
}

std::optional<NetworkError> measure_stored_weights(const Graph& graph, const flyte::Storage& storage,
                                                   const std::vector<reference::FloatTensors>& inputs,
                                                   Diagnostics& diagnostics, const std::stop_token& stop) {
  std::vector<bool> computed = fixed_tensors(graph);
  computed.flip();
  for (const int input : graph.inputs) computed[index_of(input)] = false;
  return compare_executions(graph, computed, storing(graph, storage), inputs, diagnostics, stop);
}

}  // namespace convscope::quantization
