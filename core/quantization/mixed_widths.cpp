#include "core/quantization/mixed_widths.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "core/quantization/sharing.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;
using reference::FloatTensor;
using reference::FloatTensors;

/// Sets of tensors that share a width.
class Sets {
 public:
  explicit Sets(std::size_t count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), std::size_t{0}); }
  std::size_t of(std::size_t tensor) {
    while (leader_[tensor] != tensor) tensor = leader_[tensor] = leader_[leader_[tensor]];
    return tensor;
  }
  void join(std::size_t one, std::size_t other) {
    const auto [least, most] = std::minmax({of(one), of(other)});
    leader_[most] = least;
  }

 private:
  std::vector<std::size_t> leader_;
};

/// What the node's operator ties together: its data, and what it makes if that keeps the point.
void join_at(const Graph& graph, const Node& node, const Observations& seen, Sets& sets) {
  std::vector<std::size_t> tied;
  const auto take = [&](int tensor) {
    if (tensor >= 0 && seen.held[static_cast<std::size_t>(tensor)]) tied.push_back(static_cast<std::size_t>(tensor));
  };
  const bool keeps = keeps_point(node);
  if (keeps || wants_one_point(node))
    for (const int input : node.inputs)
      if (input >= 0 && !graph.tensors[static_cast<std::size_t>(input)].constant) take(input);
  if (keeps) std::for_each(node.outputs.begin(), node.outputs.end(), take);
  if (is_product(node) && node.inputs.size() > 1) {
    take(node.inputs[0]);
    take(node.inputs[1]);
  }
  for (const std::size_t tensor : tied) sets.join(tied.front(), tensor);
}

/// Words of a width that is none of a product's, such as biases and factors, stay wide.
std::vector<bool> can_be_narrow(const Graph& graph, const Observations& seen) {
  std::vector<bool> result = seen.held;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] && !graph.tensors[i].constant;
  for (const Node& node : graph.nodes) {
    if (!is_product(node) || node.inputs.size() < 2 || node.inputs[1] < 0) continue;
    const auto weights = static_cast<std::size_t>(node.inputs[1]);
    result[weights] = seen.held[weights];
  }
  return result;
}

/// The network's outputs in floating point, and how far fixed-point ones are from them.
class Meter {
 public:
  Meter(const Graph& graph, const std::vector<FloatTensors>& inputs, Diagnostics& diagnostics,
        const std::stop_token& stop)
      : graph_(graph), inputs_(inputs), diagnostics_(diagnostics), stop_(stop) {}

  /// False if an execution failed.
  bool prepare() {
    for (const FloatTensors& input : inputs_) {
      auto outputs =
          reference::execute(graph_, input, diagnostics_, {}, [this](int, FloatTensor&) { throw_if_stopped(stop_); });
      if (!outputs) return false;
      exact_.push_back(*std::move(outputs));
    }
    return true;
  }

  /// Least over the outputs, over the first inputs; nothing if an execution failed.
  std::optional<double> sqnr(const NetworkFormats& formats, std::size_t inputs) const {
    std::map<std::string, Error> errors;
    for (std::size_t i = 0; i < inputs; ++i) {
      const auto outputs =
          reference::execute(graph_, inputs_[i], diagnostics_, {}, [&](int tensor, FloatTensor& value) {
            throw_if_stopped(stop_);
            round_tensor(formats, tensor, value);
          });
      if (!outputs) return std::nullopt;
      for (const auto& [name, value] : *outputs) errors[name].add(exact_[i].at(name).values, value.values);
    }
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [name, error] : errors) least = std::min(least, error.sqnr());
    return least;
  }

 private:
  const Graph& graph_;
  const std::vector<FloatTensors>& inputs_;
  Diagnostics& diagnostics_;
  const std::stop_token& stop_;
  std::vector<FloatTensors> exact_;
};

/// Widths by tensor if the units marked narrow are.
std::vector<int> widths_of(std::size_t tensors, const std::vector<WidthUnit>& units, int wide, int narrow) {
  std::vector<int> bits(tensors, wide);
  for (const WidthUnit& unit : units)
    if (unit.narrow)
      for (const int tensor : unit.tensors) bits[static_cast<std::size_t>(tensor)] = narrow;
  return bits;
}

/// Noise at the outputs, relative to their signal, for each bit saved.
double cost_of(const WidthUnit& unit) {
  return std::pow(10, -unit.sqnr / 10) / static_cast<double>(std::max<std::int64_t>(1, unit.bits_saved));
}

/// One choice of widths after the other, all measured by the same meter.
struct Choice {
  const Graph& graph;
  const Observations& seen;
  int wide, narrow;
  std::vector<WidthUnit> units;

  NetworkFormats formats() const {
    return place_points(graph, seen, widths_of(graph.tensors.size(), units, wide, narrow));
  }
  void narrow_first(std::size_t count) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i].narrow = i < count;
  }
};

/// False if an execution failed.
bool order_units(Choice& choice, const Meter& meter, const ProgressCallback& progress) {
  for (std::size_t i = 0; i < choice.units.size(); ++i) {
    if (progress)
      progress(static_cast<double>(i) / static_cast<double>(choice.units.size()),
               fmt::format("noise of unit {} of {}", i + 1, choice.units.size()));
    choice.narrow_first(0);
    choice.units[i].narrow = true;
    const auto sqnr = meter.sqnr(choice.formats(), 1);
    if (!sqnr) return false;
    choice.units[i].sqnr = *sqnr;
  }
  std::stable_sort(choice.units.begin(), choice.units.end(),
                   [](const WidthUnit& a, const WidthUnit& b) { return cost_of(a) < cost_of(b); });
  return true;
}

/// The most first units that meet the bound, as far as bisection sees; nothing if an execution failed, -1 if none may
/// be narrow and even then the bound isn't met.
std::optional<int> most_narrow(Choice& choice, const Meter& meter, double least_sqnr, std::size_t inputs) {
  const auto meets = [&](int count) -> std::optional<bool> {
    choice.narrow_first(static_cast<std::size_t>(std::max(0, count)));
    const auto sqnr = meter.sqnr(choice.formats(), inputs);
    return sqnr ? std::optional(*sqnr >= least_sqnr) : std::nullopt;
  };
  int met = -1, missed = static_cast<int>(choice.units.size()) + 1;
  for (int count = missed - 1; missed - met > 1; count = met + (missed - met) / 2) {
    const auto good = meets(count);
    if (!good) return std::nullopt;
    (*good ? met : missed) = count;
  }
  return met;
}

}  // namespace

std::vector<WidthUnit> width_units(const Graph& graph, const Observations& seen, int bits_less) {
  Sets sets(graph.tensors.size());
  for (const Node& node : graph.nodes) join_at(graph, node, seen, sets);
  const std::vector<bool> possible = can_be_narrow(graph, seen);
  std::map<std::size_t, WidthUnit> units;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!possible[i]) continue;
    WidthUnit& unit = units[sets.of(i)];
    unit.tensors.push_back(static_cast<int>(i));
    unit.bits_saved += graph.tensors[i].shape.elements().value_or(0) * bits_less;
  }
  std::vector<WidthUnit> result;
  result.reserve(units.size());
  for (auto& [first, unit] : units) result.push_back(std::move(unit));
  return result;
}

std::optional<MixedWidths> choose_widths(const Graph& graph, const std::vector<FloatTensors>& inputs,
                                         const CalibrationOptions& wide, const MixedOptions& options,
                                         Diagnostics& diagnostics, const std::stop_token& stop,
                                         const ProgressCallback& progress) {
  const auto seen = observe(graph, inputs, {wide.percentile, wide.per_filter}, diagnostics, stop);
  Meter meter(graph, inputs, diagnostics, stop);
  if (!seen || !meter.prepare()) return std::nullopt;
  Choice choice{graph, *seen, wide.bits, options.narrow_bits,
                width_units(graph, *seen, wide.bits - options.narrow_bits)};
  if (!order_units(choice, meter, progress)) return std::nullopt;
  if (progress) progress(1, "how many may be narrow");
  const auto count = most_narrow(choice, meter, options.least_sqnr, inputs.size());
  if (!count) return std::nullopt;
  choice.narrow_first(static_cast<std::size_t>(std::max(0, *count)));
  return MixedWidths{choice.formats(), choice.units, *count >= 0};
}

}  // namespace convscope::quantization
