#include "core/quantization/observations.h"

#include <algorithm>
#include <cmath>

#include "core/base/cancellation.h"
#include "core/quantization/sharing.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;

/// More than any layer has; a file that claims more takes no memory for them.
constexpr std::int64_t most_filters = 1 << 20;

/// By tensor: whether a product makes it and nothing but a clamp reads it.
std::vector<bool> clamped_products(const Graph& graph) {
  std::vector<int> readers(graph.tensors.size(), 0);
  std::vector<bool> clamped(graph.tensors.size(), false);
  for (const int output : graph.outputs) ++readers[static_cast<std::size_t>(output)];
  for (const Node& node : graph.nodes)
    for (const int input : node.inputs)
      if (input >= 0) ++readers[static_cast<std::size_t>(input)];
  const std::vector<int> producers = graph.producers();
  for (const Node& node : graph.nodes) {
    if (!is_clamp(node) || node.inputs.empty() || node.inputs[0] < 0) continue;
    const auto input = static_cast<std::size_t>(node.inputs[0]);
    const int producer = producers[input];
    clamped[input] =
        producer >= 0 && readers[input] == 1 && is_product(graph.nodes[static_cast<std::size_t>(producer)]);
  }
  return clamped;
}

/// The dimension of a product's constant weights that counts filters; nothing for other inputs.
std::optional<std::size_t> filter_axis(const Graph& graph, const Node& node) {
  if (!is_product(node) || node.inputs.size() < 2 || node.inputs[1] < 0) return std::nullopt;
  const auto& constant = graph.tensors[static_cast<std::size_t>(node.inputs[1])].constant;
  if (!constant || constant->dimensions.size() < 2) return std::nullopt;
  const bool rows =
      node.operator_name == "Conv" || (node.operator_name == "Gemm" && node.attributes.integer("transB", 0) != 0);
  return rows ? 0 : constant->dimensions.size() - 1;
}

/// Weights that several products take with different filters keep one point.
std::vector<FilterPoints> filters_of(const Graph& graph) {
  std::vector<FilterPoints> filters(graph.tensors.size());
  std::vector<bool> contested(graph.tensors.size(), false);
  for (const Node& node : graph.nodes) {
    const auto axis = filter_axis(graph, node);
    if (!axis) continue;
    const auto weights = static_cast<std::size_t>(node.inputs[1]);
    const std::int64_t count = graph.tensors[weights].constant->dimensions[*axis];
    if (count < 1 || count > most_filters) continue;
    FilterPoints& found = filters[weights];
    contested[weights] = contested[weights] || (!found.fractions.empty() && found.axis != *axis);
    found = {*axis, std::vector<int>(static_cast<std::size_t>(count), 0)};
  }
  for (std::size_t i = 0; i < filters.size(); ++i)
    if (contested[i]) filters[i] = {};
  return filters;
}

/// The values of each filter.
std::vector<std::vector<double>> by_filter(const reference::FloatTensor& value, const FilterPoints& filters) {
  std::vector<std::vector<double>> result(filters.fractions.size());
  for (std::size_t i = 0; i < value.values.size(); ++i)
    result[filters.filter_of(i, value.dimensions)].push_back(value.values[i]);
  return result;
}

/// What was seen so far.
class Observing {
 public:
  Observing(const Graph& graph, const ObservationOptions& options)
      : graph_(graph),
        options_(options),
        seen_{tensors_with_format(graph),
              std::vector<Range>(graph.tensors.size()),
              std::vector<double>(graph.tensors.size(), 0),
              {},
              {}},
        constant_seen_(graph.tensors.size(), false) {
    if (options.per_filter) seen_.filters = filters_of(graph);
    seen_.filter_most.resize(seen_.filters.size());
  }

  bool wants(int tensor) const { return seen_.held[index_of(tensor)] && !constant_seen_[index_of(tensor)]; }

  void look(int tensor, const reference::FloatTensor& value) {
    if (!wants(tensor)) return;
    const std::size_t index = index_of(tensor);
    constant_seen_[index] = graph_.tensors[index].constant != nullptr;
    seen_.ranges[index].add(range_of(value.values));
    seen_.most[index] = std::max(seen_.most[index], magnitude_at(value.values, options_.percentile));
    if (seen_.filters.empty() || seen_.filters[index].fractions.empty()) return;
    for (std::vector<double>& filter : by_filter(value, seen_.filters[index]))
      seen_.filter_most[index].push_back(magnitude_at(std::move(filter), options_.percentile));
  }

  Observations result() && {
    const std::vector<bool> clamped = clamped_products(graph_);
    for (std::size_t i = 0; i < clamped.size(); ++i) seen_.held[i] = seen_.held[i] && !clamped[i];
    for (std::size_t i = 0; i < seen_.filters.size(); ++i)  // those that nothing executed took
      if (seen_.filter_most[i].size() != seen_.filters[i].fractions.size()) seen_.filters[i] = {};
    return std::move(seen_);
  }

 private:
  const Graph& graph_;
  ObservationOptions options_;
  Observations seen_;
  std::vector<bool> constant_seen_;
};

}  // namespace

double magnitude_at(std::vector<double> values, double percentile) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return 0;
  for (double& value : values) value = std::fabs(value);
  const double share = std::clamp(percentile, 0.0, 100.0) / 100;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::optional<Observations> observe(const Graph& graph, const std::vector<reference::FloatTensors>& inputs,
                                    const ObservationOptions& options, Diagnostics& diagnostics,
                                    const std::stop_token& stop) {
  Observing observing(graph, options);
  const auto look = [&](int tensor, const reference::FloatTensor& value) {
    throw_if_stopped(stop);
    observing.look(tensor, value);
  };
  for (const reference::FloatTensors& input : inputs)
    if (!reference::execute(graph, input, diagnostics, {}, look)) return std::nullopt;
  return std::move(observing).result();
}

Observations observe_constants(const Graph& graph, const ObservationOptions& options) {
  Observing observing(graph, options);
  for (int i = 0; i < static_cast<int>(graph.tensors.size()); ++i) {
    if (!observing.wants(i) || !graph.tensors[index_of(i)].constant) continue;
    const network::Constant& constant = *graph.tensors[index_of(i)].constant;
    const auto values = constant.floats();
    if (values) observing.look(i, {constant.type, constant.dimensions, {values->begin(), values->end()}});
  }
  return std::move(observing).result();
}

}  // namespace convscope::quantization
