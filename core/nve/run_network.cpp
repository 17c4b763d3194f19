#include "core/nve/run_network.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/trained/fixed_layer.h"
#include "core/quantization/network_formats.h"
#include "core/reference/executor.h"

namespace convscope::nve {
namespace {

using network::Graph;
using quantization::Range;
using reference::FloatTensor;
using reference::FloatTensors;

using Ranges = std::map<int, Range>;         ///< by tensor
using Formats = std::map<int, PixelFormat>;  ///< by tensor

std::set<int> tensors_of(const std::vector<ChainLayer>& chain) {
  std::set<int> tensors;
  for (const ChainLayer& layer : chain) tensors.insert({layer.in, layer.sums, layer.out});
  return tensors;
}

/// Executes the graph in floating point and adds what the tensors hold to the ranges.
std::optional<FloatTensors> observe(const Graph& graph, const FloatTensors& inputs, const std::set<int>& tensors,
                                    Ranges& ranges, const std::stop_token& stop, Diagnostics& diagnostics) {
  const auto look = [&](int tensor, const FloatTensor& value) {
    throw_if_stopped(stop);
    if (tensors.contains(tensor)) ranges[tensor].add(quantization::range_of(value.values));
  };
  return reference::execute(graph, inputs, diagnostics, {}, look);
}

/// What a layer's functions make of numbers.
std::vector<double> through(const Graph& graph, const ChainLayer& layer, const std::vector<double>& values) {
  if (layer.functions.empty()) return values;
  Graph part;
  part.tensors = graph.tensors;
  part.opset = graph.opset;
  part.inputs = {layer.sums};
  part.outputs = {layer.out};
  for (const int node : layer.functions) part.nodes.push_back(graph.nodes[static_cast<std::size_t>(node)]);
  FloatTensor numbers;
  numbers.dimensions = {static_cast<std::int64_t>(values.size())};
  numbers.values = values;
  Diagnostics unused;
  const auto name = [&](int tensor) { return graph.tensors[static_cast<std::size_t>(tensor)].name; };
  const auto outputs = reference::execute(part, {{name(layer.sums), std::move(numbers)}}, unused);
  return outputs && outputs->contains(name(layer.out)) ? outputs->at(name(layer.out)).values : std::vector<double>{};
}

/// One execution of the graph with the machine in it.
class NetworkRunner {
 public:
  NetworkRunner(const network::Network& network, const std::vector<ChainLayer>& chain, const Ranges& ranges,
                int most_bias_shift, const std::stop_token& stop, Diagnostics& diagnostics)
      : network_(network),
        graph_(*network.graph),
        ranges_(ranges),
        most_bias_shift_(most_bias_shift),
        stop_(stop),
        diagnostics_(diagnostics) {
    for (const ChainLayer& layer : chain) {
      by_out_[layer.out] = &layer;
      ++readers_[layer.in];
      for (const int tensor : {layer.in, layer.out}) formats_[tensor] = pixel_format(range(tensor));
    }
  }

  std::optional<FloatTensors> run(const FloatTensors& inputs) {
    const auto step = [this](int tensor, FloatTensor& value) {
      throw_if_stopped(stop_);
      if (failed_) return;
      const auto computed = by_out_.find(tensor);
      if (computed != by_out_.end()) replace(*computed->second, value);
      if (readers_.contains(tensor)) keep(tensor, value);
    };
    auto outputs = reference::execute(graph_, inputs, diagnostics_, {}, step);
    if (failed_) return std::nullopt;
    return outputs;
  }

  /// Of a layer of the chain, whose input is what the graph makes of `inputs`.
  std::optional<LayerNumbers> numbers_of(const ChainLayer& layer, const FloatTensors& inputs) {
    const auto step = [&](int tensor, FloatTensor& value) {
      throw_if_stopped(stop_);
      if (tensor == layer.in) keep(tensor, value);
    };
    if (!reference::execute(graph_, inputs, diagnostics_, {}, step)) return std::nullopt;
    return take(layer);
  }

  const ProgramCheck& check() const { return check_; }
  /// The run ended at a layer whose programs didn't compute what they should.
  bool wrong() const { return wrong_; }

 private:
  Range range(int tensor) const {
    const auto found = ranges_.find(tensor);
    return found == ranges_.end() ? Range{} : found->second;
  }

  /// Rounds a tensor that layers read to its pixels.
  void keep(int tensor, FloatTensor& value) {
    const PixelFormat& format = formats_.at(tensor);
    std::vector<std::uint8_t>& pixels = pixels_[tensor];
    pixels.clear();
    for (double& each : value.values) {
      pixels.push_back(format.pixel(each));
      each = format.value(pixels.back());
    }
  }

  void replace(const ChainLayer& layer, FloatTensor& value) {
    const auto pixels = compute(layer);
    if (!pixels || pixels->values.size() != value.values.size()) {
      failed_ = true;
      return;
    }
    const PixelFormat& format = formats_.at(layer.out);
    std::transform(pixels->values.begin(), pixels->values.end(), value.values.begin(),
                   [&](std::uint8_t pixel) { return format.value(pixel); });
  }

  /// Below a clamp at zero all sums are alike.
  Range range_of_sums(const ChainLayer& layer) const {
    Range sums = range(layer.sums);
    const std::vector<double> ends = through(graph_, layer, {sums.least, 0});
    const bool clamps = !layer.functions.empty() &&
                        (name_of(layer.functions.front()) == "Relu" || name_of(layer.functions.front()) == "Clip");
    if (clamps && ends.size() == 2 && ends.front() == ends.back()) sums.least = 0;
    return sums;
  }

  const std::string& name_of(int node) const { return graph_.nodes[static_cast<std::size_t>(node)].operator_name; }

  std::optional<FixedLayer> numbers(const ChainLayer& layer, const network::Layer& geometry) {
    const std::int64_t taps =
        std::int64_t{geometry.in.maps} / geometry.groups * geometry.kernel.height * geometry.kernel.width;
    auto parameters = quantization::real_parameters(graph_, layer.nodes, geometry.out.maps, taps);
    if (!parameters) return std::nullopt;
    const RealLayer real{*std::move(parameters), formats_.at(layer.in), formats_.at(layer.out), range_of_sums(layer),
                         [&](const std::vector<double>& sums) { return through(graph_, layer, sums); }};
    std::string refusal;
    auto fixed = fixed_layer(real, most_bias_shift_, refusal);
    if (!fixed) diagnostics_.error({{}, 0, fmt::format("layer '{}'", geometry.name)}, std::move(refusal));
    return fixed;
  }

  /// Its pixels, which nobody needs any more if it is their last reader, and its numbers.
  std::optional<LayerNumbers> take(const ChainLayer& layer) {
    const network::Layer& geometry = network_.layers[static_cast<std::size_t>(layer.layer)];
    auto fixed = numbers(layer, geometry);
    const auto in = pixels_.find(layer.in);
    if (!fixed) return std::nullopt;
    LayerData data{reference::Tensor<std::uint8_t>(geometry.in), std::move(fixed->coefficients), fixed->activation,
                   formats_.at(layer.in).zero};
    if (in == pixels_.end() || in->second.size() != data.image.values.size()) {
      diagnostics_.error({{}, 0, fmt::format("layer '{}'", geometry.name)}, "the network gives no values of its size");
      return std::nullopt;
    }
    data.image.values = in->second;
    if (--readers_.at(layer.in) == 0) pixels_.erase(in);
    return LayerNumbers{std::move(data), fixed->bias_shift};
  }

  std::optional<reference::Tensor<std::uint8_t>> compute(const ChainLayer& layer) {
    const auto numbers = take(layer);
    if (!numbers) return std::nullopt;
    const LayerData& data = numbers->data;
    std::vector<Program> programs = layer.programs->programs();
    for (Program& program : programs) {
      program.activation_shift = data.activation.shift;
      program.bias_shift = numbers->bias_shift;
    }
    reference::Tensor<std::uint8_t> outputs;
    const ProgramCheck check = run_programs(programs, layer.programs->layout(), data, 0, stop_, diagnostics_, &outputs);
    add(check);
    wrong_ = !check.ran || !check.matches;
    if (wrong_) return std::nullopt;
    return outputs;
  }

  void add(const ProgramCheck& check) {
    check_.ran = check.ran;
    check_.matches = check.matches;
    check_.cycles += check.cycles;
    check_.macs += check.macs;
    check_.strips += check.strips;
    check_.outputs += check.outputs;
  }

  const network::Network& network_;
  const Graph& graph_;
  const Ranges& ranges_;
  int most_bias_shift_;
  const std::stop_token& stop_;
  Diagnostics& diagnostics_;
  std::map<int, const ChainLayer*> by_out_;
  std::map<int, int> readers_;  ///< layers still to come that read a tensor
  Formats formats_;
  std::map<int, std::vector<std::uint8_t>> pixels_;
  ProgramCheck check_;
  bool failed_ = false, wrong_ = false;
};

void compare(const FloatTensors& exact, const FloatTensors& found, NetworkRun& run) {
  run.same_answer = true;
  for (const auto& [name, tensor] : exact) {
    const auto other = found.find(name);
    if (other == found.end() || other->second.values.size() != tensor.values.size()) continue;
    run.error.add(tensor.values, other->second.values);
    run.same_answer = run.same_answer && quantization::same_largest(tensor.values, other->second.values);
  }
}

}  // namespace

std::optional<LayerNumbers> layer_numbers(const network::Network& network, const ChainLayer& layer, int most_bias_shift,
                                          const std::vector<FloatTensors>& inputs, const std::stop_token& stop,
                                          Diagnostics& diagnostics) {
  Ranges ranges;
  for (const FloatTensors& each : inputs)
    if (!observe(*network.graph, each, tensors_of({layer}), ranges, stop, diagnostics)) return std::nullopt;
  NetworkRunner runner(network, {layer}, ranges, most_bias_shift, stop, diagnostics);
  return runner.numbers_of(layer, inputs.front());
}

std::optional<NetworkRun> run_network(const network::Network& network, const std::vector<ChainLayer>& chain,
                                      int most_bias_shift, const std::vector<FloatTensors>& inputs,
                                      const std::stop_token& stop, Diagnostics& diagnostics) {
  if (!network.graph || chain.empty() || inputs.empty()) return std::nullopt;
  const Graph& graph = *network.graph;
  Ranges ranges;
  const auto tensors = tensors_of(chain);
  for (std::size_t i = 1; i < inputs.size(); ++i)
    if (!observe(graph, inputs[i], tensors, ranges, stop, diagnostics)) return std::nullopt;
  const auto exact = observe(graph, inputs.front(), tensors, ranges, stop, diagnostics);
  if (!exact) return std::nullopt;
  NetworkRunner runner(network, chain, ranges, most_bias_shift, stop, diagnostics);
  const auto found = runner.run(inputs.front());
  if (!found && !runner.wrong()) return std::nullopt;
  NetworkRun run;
  run.check = runner.check();
  run.on_host = static_cast<int>(graph.nodes.size());
  for (const ChainLayer& layer : chain)
    run.on_host -= static_cast<int>(1 + layer.nodes.folded.size() + layer.functions.size());
  if (found) compare(*exact, *found, run);
  return run;
}

}  // namespace convscope::nve
