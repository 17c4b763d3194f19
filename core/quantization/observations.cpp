#include "core/quantization/observations.h"

#include <algorithm>
#include <cmath>
#include <span>

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

/// How many finite magnitudes there are up to each power of two; zeros apart.
class MagnitudeCounts {
 public:
  void add(std::span<const double> values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      ++all_;
      if (value != 0) ++counts_[place_of(power_above(value))];
    }
  }

  /// The least power of two that `percentile` percent don't pass, 0 if they are zeros.
  double power_holding(double percentile) const {
    const double share = std::clamp(percentile, 0.0, 100.0) / 100;
    auto beyond = all_ - static_cast<std::int64_t>(std::ceil(share * static_cast<double>(all_)));
    for (int power = most_power; power >= -least_power; --power) {
      const std::int64_t here = counts_[place_of(power)];
      if (here > beyond) return std::ldexp(1.0, power);
      beyond -= here;
    }
    return 0;
  }

 private:
  static int power_above(double value) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    return fraction == .5 ? exponent - 1 : exponent;
  }
  static std::size_t place_of(int power) {
    const int place = power + least_power;
    return static_cast<std::size_t>(place);
  }

  static constexpr int least_power = 1074, most_power = 1024;  // of double
  std::int64_t all_ = 0;
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(least_power + most_power + 1);
};

double greatest_magnitude(const std::vector<double>& values) {
  const Range range = range_of(values);
  return std::max(-range.least, range.most);
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
        constant_seen_(graph.tensors.size(), false),
        counts_(options.percentile < 100 ? graph.tensors.size() : 0) {
    if (options.per_filter) seen_.filters = filters_of(graph);
    seen_.filter_most.resize(seen_.filters.size());
  }

  bool wants(int tensor) const { return seen_.held[index_of(tensor)] && !constant_seen_[index_of(tensor)]; }

  void look(int tensor, const reference::FloatTensor& value) {
    if (!wants(tensor)) return;
    const std::size_t index = index_of(tensor);
    constant_seen_[index] = graph_.tensors[index].constant != nullptr;
    seen_.ranges[index].add(range_of(value.values));
    if (!counts_.empty() && !graph_.tensors[index].constant) counts_[index].add(value.values);
    if (seen_.filters.empty() || seen_.filters[index].fractions.empty()) return;
    for (std::vector<double>& filter : by_filter(value, seen_.filters[index]))
      seen_.filter_most[index].push_back(greatest_magnitude(filter));
  }

  Observations result() && {
    for (std::size_t i = 0; i < seen_.most.size(); ++i) {
      seen_.most[i] = std::max(-seen_.ranges[i].least, seen_.ranges[i].most);
      if (!counts_.empty() && !graph_.tensors[i].constant)
        seen_.most[i] = std::min(seen_.most[i], counts_[i].power_holding(options_.percentile));
    }
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
  std::vector<MagnitudeCounts> counts_;  // none if all magnitudes must be held
};

}  // namespace

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

Observations observe_constants(const Graph& graph, bool per_filter) {
  Observing observing(graph, {.per_filter = per_filter});
  for (int i = 0; i < static_cast<int>(graph.tensors.size()); ++i) {
    if (!observing.wants(i) || !graph.tensors[index_of(i)].constant) continue;
    const network::Constant& constant = *graph.tensors[index_of(i)].constant;
    const auto values = constant.floats();
    if (values) observing.look(i, {constant.type, constant.dimensions, {values->begin(), values->end()}});
  }
  return std::move(observing).result();
}

}  // namespace convscope::quantization
