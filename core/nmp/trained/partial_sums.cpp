#include "core/nmp/trained/partial_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/base/cancellation.h"
#include "core/nmp/trained/clamps.h"
#include "core/quantization/calibration.h"

namespace convscope::nmp {
namespace {

using reference::FloatTensor;
using Numbers = std::vector<double>;
using network::ElementType;

constexpr int candidates = 12;  ///< points of results that are tried: with a bit less each

/// What a step shows over all inputs.
struct Observed {
  std::vector<int> channel_parts;  ///< one alone: nothing is stored on the way
  double most = 0;                 ///< of partial sums
  std::vector<double> errors = std::vector<double>(candidates);
};

/// Channels [first, first + count) of each group.
Numbers channels_of(const Numbers& maps, const Convolution& c, int first, int count) {
  const std::size_t pixels = static_cast<std::size_t>(c.rows.in) * static_cast<std::size_t>(c.columns.in);
  Numbers part;
  for (int group = 0; group < c.repeats; ++group) {
    const auto begin = maps.begin() + (std::int64_t{group} * c.channels + first) * static_cast<std::int64_t>(pixels);
    part.insert(part.end(), begin, begin + count * static_cast<std::int64_t>(pixels));
  }
  return part;
}

/// The same of each filter.
Numbers weights_of(const Numbers& weights, const Convolution& c, int first, int count) {
  Numbers part;
  for (std::int64_t filter = 0; filter < static_cast<std::int64_t>(weights.size()); filter += c.channels * c.taps()) {
    const auto begin = weights.begin() + filter + std::int64_t{first} * c.taps();
    part.insert(part.end(), begin, begin + std::int64_t{count} * c.taps());
  }
  return part;
}

std::int64_t padding_behind(const Axis& axis) {
  return std::max(0, (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1 - axis.in - axis.padding);
}

/// A convolution alone, as the reference of graphs executes it.
network::Graph graph_of(const Convolution& c) {
  network::Graph graph;
  graph.opset = 11;
  for (const char* name : {"in", "weights", "out"}) {
    graph.tensors.emplace_back();
    graph.tensors.back().name = name;
    graph.tensors.back().type = ElementType::float64;
  }
  network::Node node;
  node.operator_name = node.name = "Conv";
  node.inputs = {0, 1};
  node.outputs = {2};
  node.attributes.set("group", std::int64_t{c.repeats});
  node.attributes.set("strides", std::vector<std::int64_t>{c.rows.stride, c.columns.stride});
  node.attributes.set("dilations", std::vector<std::int64_t>{c.rows.dilation, c.columns.dilation});
  node.attributes.set("pads", std::vector<std::int64_t>{c.rows.padding, c.columns.padding, padding_behind(c.rows),
                                                        padding_behind(c.columns)});
  graph.nodes = {node};
  graph.inputs = {0, 1};
  graph.outputs = {2};
  return graph;
}

/// Products of the channels [first, first + count), summed up.
std::optional<Numbers> part_of(const Convolution& c, const Numbers& maps, const Numbers& weights, int first, int count,
                               Diagnostics& diagnostics) {
  const std::int64_t filters = std::int64_t{c.units} * c.maps_per_unit * c.repeats;
  const FloatTensor in{ElementType::float64,
                       {1, std::int64_t{c.repeats} * count, c.rows.in, c.columns.in},
                       channels_of(maps, c, first, count)};
  const FloatTensor w{
      ElementType::float64, {filters, count, c.rows.kernel, c.columns.kernel}, weights_of(weights, c, first, count)};
  auto out = reference::execute(graph_of(c), {{"in", in}, {"weights", w}}, diagnostics);
  if (!out) return std::nullopt;
  return std::move(out->begin()->second.values);
}

class SumObserver {
 public:
  SumObserver(const network::Network& network, const LinkedProgram& linked,
              const std::vector<const SolvedLayer*>& solved, const std::vector<StepValues>& values,
              const std::vector<double>& most, Diagnostics& diagnostics)
      : network_(network),
        flow_(linked.flow),
        solved_(solved),
        values_(values),
        most_(most),
        diagnostics_(diagnostics),
        observed_(flow_.steps.size()) {
    for (std::size_t i = 0; i < linked.computed.size(); ++i)
      observed_[linked.computed[i].step].channel_parts = linked.program->layers[i].channel_parts;
    for (std::size_t i = 0; i < flow_.steps.size(); ++i) {
      if (!is_in_parts(i)) continue;
      const LinkedStep& step = flow_.steps[i];
      kept_[step.in.tensor] = {};
      if (step.residual.tensor >= 0) kept_[step.residual.tensor] = {};
      steps_[step.out.tensor] = i;
    }
  }

  bool run(const reference::FloatTensors& input, const std::stop_token& stop) {
    bool fine = true;
    const auto see = [&](int tensor, FloatTensor& value) {
      throw_if_stopped(stop);
      if (const auto kept = kept_.find(tensor); kept != kept_.end()) kept->second = value.values;
      if (const auto step = steps_.find(tensor); step != steps_.end()) fine = observe(step->second) && fine;
    };
    return steps_.empty() || (reference::execute(*network_.graph, input, diagnostics_, {}, see) && fine);
  }

  std::vector<std::optional<SumPoints>> points() const {
    std::vector<std::optional<SumPoints>> points(observed_.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      if (is_in_parts(i)) points[i] = points_of(i);
    return points;
  }

 private:
  bool is_in_parts(std::size_t step) const {
    return observed_[step].channel_parts.size() > 1 && work_of(step).convolution.multiplies();
  }
  const LayerWork& work_of(std::size_t step) const {
    return solved_[static_cast<std::size_t>(flow_.steps[step].layer)]->work();
  }
  int fraction_of_result(std::size_t step) const {
    return quantization::fraction_for(most_[static_cast<std::size_t>(flow_.steps[step].out.tensor)],
                                      8 * work_of(step).machine.element_bytes);
  }
  /// Else partial sums have bits to spare.
  bool is_narrow(std::size_t step) const {
    return work_of(step).machine.partial_sum_bytes == work_of(step).machine.element_bytes;
  }

  SumPoints points_of(std::size_t step) const {
    const Observed& seen = observed_[step];
    SumPoints points{fraction_of_result(step),
                     quantization::fraction_for(seen.most, 8 * work_of(step).machine.partial_sum_bytes)};
    if (is_narrow(step))
      points.result -= static_cast<int>(std::min_element(seen.errors.begin(), seen.errors.end()) - seen.errors.begin());
    return points;
  }

  bool observe(std::size_t index) {
    auto parts = parts_of(index);
    if (!parts) return false;
    Observed& seen = observed_[index];
    Numbers sums(parts->front().size());
    for (std::size_t part = 0; part + 1 < parts->size(); ++part)
      for (std::size_t i = 0; i < sums.size(); ++i)
        seen.most = std::max(seen.most, std::fabs(sums[i] += (*parts)[part][i]));
    if (!is_narrow(index)) return true;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const LinkedStep& step = flow_.steps[index];
    const Clamp clamp =
        clamp_of(*network_.graph, network_.layers[static_cast<std::size_t>(step.layer)].node, step.folded)
            .value_or(Clamp{-infinity, infinity});
    const int bits = 8 * work_of(index).machine.element_bytes, fraction = fraction_of_result(index);
    for (int i = 0; i < candidates; ++i)
      seen.errors[static_cast<std::size_t>(i)] += error_of_sums(*parts, {bits, fraction - i}, clamp.least, clamp.most);
    return true;
  }

  /// Biases, and what the sums begin from, are in the first.
  std::optional<std::vector<Numbers>> parts_of(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const Convolution& c = work_of(index).convolution;
    const quantization::RealParameters& real = values_[index].parameters;
    std::vector<Numbers> parts;
    int first = 0;
    for (const int count : observed_[index].channel_parts) {
      auto part = part_of(c, kept_.at(step.in.tensor), real.weights, first, count, diagnostics_);
      if (!part) return std::nullopt;
      parts.push_back(*std::move(part));
      first += count;
    }
    Numbers& begun = parts.front();
    const std::size_t pixels = begun.size() / std::max<std::size_t>(1, real.bias.size());
    for (std::size_t i = 0; i < begun.size(); ++i) begun[i] += real.bias[i / pixels];
    if (step.residual.tensor >= 0)
      for (std::size_t i = 0; i < begun.size(); ++i) begun[i] += kept_.at(step.residual.tensor)[i];
    return parts;
  }

  const network::Network& network_;
  const Dataflow& flow_;
  const std::vector<const SolvedLayer*>& solved_;
  const std::vector<StepValues>& values_;
  const std::vector<double>& most_;
  Diagnostics& diagnostics_;
  std::vector<Observed> observed_;    // by step
  std::map<int, Numbers> kept_;       // by tensor: what such steps read
  std::map<int, std::size_t> steps_;  // by tensor: the step that computes it in parts
};

}  // namespace

// In last bits of the format: millions of sums are looked at.
double error_of_sums(const std::vector<Numbers>& parts, const quantization::Format& format, double clamp_low,
                     double clamp_high) {
  const double bits = std::ldexp(1.0, format.fraction), low = clamp_low * bits, high = clamp_high * bits;
  const auto least = static_cast<double>(format.least()), most = static_cast<double>(format.most());
  const auto stored = [&](double value) { return std::min(std::max(std::floor(value + 0.5), least), most); };
  const auto clamped = [&](double value) { return std::min(std::max(value, low), high); };
  double error = 0;
  for (std::size_t i = 0; i < parts.front().size(); ++i) {
    double sum = parts.front()[i] * bits, exact = sum;
    for (std::size_t part = 1; part < parts.size(); ++part) {
      const double next = parts[part][i] * bits;
      exact += next;
      sum = stored(sum) + next;  // the accumulator is exact
    }
    const double apart = stored(clamped(sum)) - clamped(exact);
    error += apart * apart;
  }
  return error / (bits * bits);
}

std::optional<std::vector<std::optional<SumPoints>>> observe_partial_sums(
    const network::Network& network, const LinkedProgram& linked, const std::vector<const SolvedLayer*>& solved,
    const std::vector<StepValues>& values, const std::vector<double>& most,
    const std::vector<reference::FloatTensors>& inputs, Diagnostics& diagnostics, const std::stop_token& stop) {
  SumObserver observer(network, linked, solved, values, most, diagnostics);
  for (const reference::FloatTensors& input : inputs)
    if (!observer.run(input, stop)) return std::nullopt;
  return observer.points();
}

}  // namespace convscope::nmp
