#include "core/quantization/compared_executions.h"

#include "core/base/cancellation.h"

namespace convscope::quantization {
namespace {

/// By tensor; empty for those that aren't compared.
using TensorValues = std::vector<std::vector<double>>;

std::optional<TensorValues> executed_values(const network::Graph& graph, const std::vector<bool>& compared,
                                            const reference::ValueHook& change, const reference::FloatTensors& inputs,
                                            Diagnostics& diagnostics, const std::stop_token& stop) {
  TensorValues values(graph.tensors.size());
  const auto look = [&](int tensor, reference::FloatTensor& value) {
    throw_if_stopped(stop);
    if (change) change(tensor, value);
    if (compared[index_of(tensor)] && is_real(value.type)) values[index_of(tensor)] = value.values;
  };
  if (!reference::execute(graph, inputs, diagnostics, {}, look)) return std::nullopt;
  return values;
}

}  // namespace

bool is_real(network::ElementType type) {
  using enum network::ElementType;
  return type == float32 || type == float16 || type == bfloat16 || type == float64;
}

std::optional<NetworkError> compare_executions(const network::Graph& graph, const std::vector<bool>& compared,
                                               const reference::ValueHook& change,
                                               const std::vector<reference::FloatTensors>& inputs,
                                               Diagnostics& diagnostics, const std::stop_token& stop,
                                               const Look& look) {
  const auto unchanged = [&](int tensor, reference::FloatTensor& value) {
    if (look) look(tensor, value);
  };
  NetworkError result{std::vector<Error>(graph.tensors.size()), 0, 0};
  for (const reference::FloatTensors& input : inputs) {
    const auto exact = executed_values(graph, compared, unchanged, input, diagnostics, stop);
    const auto changed = exact ? executed_values(graph, compared, change, input, diagnostics, stop) : std::nullopt;
    if (!changed) return std::nullopt;
    for (std::size_t i = 0; i < result.tensors.size(); ++i) result.tensors[i].add((*exact)[i], (*changed)[i]);
    ++result.inputs;
    if (graph.outputs.empty()) continue;
    const std::size_t answer = index_of(graph.outputs.front());
    if (same_largest((*exact)[answer], (*changed)[answer])) ++result.same_answer;
  }
  return result;
}

}  // namespace convscope::quantization
