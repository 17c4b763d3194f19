#include "core/quantization/describe.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/quantization/fold_normalizations.h"
#include "core/quantization/own_points.h"

namespace convscope::quantization {
namespace {

using artifact::MagnitudeHistogram;
using artifact::QuantizedTensor;
using network::Graph;
using network::Network;
using network::Node;
using reference::FloatTensor;
using reference::FloatTensors;

/// Magnitudes outside of 2^-64 to 2^64 count as these.
constexpr int histogram_end = 64;

/// What one tensor showed in floating point.
struct Seen {
  std::vector<std::int64_t> positive = std::vector<std::int64_t>(2 * histogram_end),
                            negative = std::vector<std::int64_t>(2 * histogram_end);
  std::int64_t zeros = 0;
  Range range;
  Error alone;
};

void count(Seen& seen, double value) {
  if (!std::isfinite(value)) return;
  seen.range.add(value);
  if (value == 0) return void(++seen.zeros);
  const int bin = std::clamp(std::ilogb(value), -histogram_end, histogram_end - 1) + histogram_end;
  ++(value > 0 ? seen.positive : seen.negative)[static_cast<std::size_t>(bin)];
}

/// Without the empty bins at both ends.
MagnitudeHistogram histogram_of(const Seen& seen) {
  std::size_t from = 0, to = seen.positive.size();
  const auto empty = [&](std::size_t bin) { return seen.positive[bin] == 0 && seen.negative[bin] == 0; };
  while (from < to && empty(from)) ++from;
  while (to > from && empty(to - 1)) --to;
  const auto part = [&](const std::vector<std::int64_t>& bins) {
    return std::vector<std::int64_t>(bins.begin() + static_cast<std::ptrdiff_t>(from),
                                     bins.begin() + static_cast<std::ptrdiff_t>(to));
  };
  return {static_cast<int>(from) - histogram_end, part(seen.positive), part(seen.negative), seen.zeros};
}

double ratio(const Error& error) {
  return error.noise == 0 ? 0 : error.noise / error.signal;
}

/// Executes and looks; then describes tensor by tensor.
class Description {
 public:
  Description(const Network& network, const ScaledGraph& scaled, const NetworkFormats& formats)
      : scaled_(scaled), formats_(formats), seen_(scaled.graph.tensors.size()), place_(seen_.size(), -1) {
    for (std::size_t i = 0; i < network.layers.size(); ++i)
      if (network.layers[i].node >= 0)
        layers_[network.graph->nodes[static_cast<std::size_t>(network.layers[i].node)].name] = static_cast<int>(i);
  }

  void look(int tensor, const FloatTensor& value) {
    Seen& seen = seen_[index_of(tensor)];
    const bool again = scaled_.graph.tensors[index_of(tensor)].constant && seen.alone.count > 0;
    if (again || !formats_.formats[index_of(tensor)] || !is_real(value.type)) return;
    for (const double each : value.values) count(seen, each);
    FloatTensor rounded = value;
    round_tensor(formats_, tensor, rounded);
    seen.alone.add(value.values, rounded.values);
  }

  void describe(artifact::Quantization& result, const NetworkError& error) {
    const Graph& graph = scaled_.graph;
    for (const int input : graph.inputs)
      if (!graph.tensors[index_of(input)].constant) add(result, error, input, -1, 0);
    for (const Node& node : graph.nodes) {
      const auto layer = layers_.find(node.name);
      if (layer != layers_.end()) layer_ = layer->second;
      double before = 0;
      for (const int input : node.inputs) {
        if (input < 0) continue;
        if (graph.tensors[index_of(input)].constant) add(result, error, input, layer_, 0);
        before = std::max(before, through_[input]);
      }
      for (const int output : node.outputs) {
        if (output < 0) continue;
        through_[output] = before;  // what isn't held hands on what it takes
        add(result, error, output, layer_, before);
      }
    }
    for (const int output : graph.outputs)
      if (place_[index_of(output)] >= 0) result.outputs.push_back(place_[index_of(output)]);
  }

 private:
  void add(artifact::Quantization& result, const NetworkError& error, int index, int layer, double before) {
    const auto at = index_of(index);
    const auto& format = formats_.formats[at];
    if (!format || place_[at] >= 0 || seen_[at].alone.count == 0) return;
    const network::Tensor& tensor = scaled_.graph.tensors[at];
    QuantizedTensor made{
        tensor.name,  layer,           tensor.constant != nullptr, scaled_.scales[at].has_value(), format->name(),
        format->bits, format->fraction};
    if (!formats_.filters.empty() && !formats_.filters[at].fractions.empty())
      made.points = static_cast<int>(formats_.filters[at].fractions.size());
    made.least = seen_[at].range.least;
    made.most = seen_[at].range.most;
    made.values = histogram_of(seen_[at]);
    made.alone = ratio(seen_[at].alone);
    if (!made.constant) {
      made.noise = ratio(error.tensors[at]);
      made.added = *made.noise - before;
      through_[index] = *made.noise;
    }
    place_[at] = static_cast<int>(result.tensors.size());
    result.tensors.push_back(std::move(made));
  }

  const ScaledGraph& scaled_;
  const NetworkFormats& formats_;
  std::vector<Seen> seen_;
  std::vector<int> place_;             ///< in the result, by tensor
  std::map<std::string, int> layers_;  ///< by node
  std::map<int, double> through_;      ///< noise of a tensor, or of what it is made of, by tensor
  int layer_ = -1;                     ///< of the node before, where a node is none
};

/// The file's graph of real numbers, with scales if it states some; normalizations folded.
ScaledGraph prepared(const Network& network, Diagnostics& diagnostics) {
  auto scaled = with_own_scales(*network.stated_graph(), network.source_file, diagnostics);
  ScaledGraph result = scaled ? *std::move(scaled) : ScaledGraph{*network.stated_graph(), {}, {}};
  fold_normalizations(result.graph);
  result.scales.resize(result.graph.tensors.size());
  result.passed.resize(result.graph.tensors.size());
  return result;
}

/// Images, or made-up values; empty, with errors, if one of them can't be had.
std::vector<FloatTensors> inputs_of(const Graph& graph, const std::string& network, const DescribeOptions& options,
                                    Diagnostics& diagnostics, const std::stop_token& stop) {
  if (!options.images.path.empty()) {
    auto images = reference::read_images(graph, options.images, network, "images", diagnostics, stop);
    return diagnostics.has_errors() ? std::vector<FloatTensors>() : images;
  }
  std::vector<FloatTensors> made;
  for (int i = 0; i < options.seeded_inputs; ++i) {
    auto input = seeded_inputs(graph, options.seed + static_cast<std::uint64_t>(i), diagnostics);
    if (!input) return {};
    made.push_back(*std::move(input));
  }
  return made;
}

std::optional<NetworkFormats> formats_of(const ScaledGraph& scaled, const std::vector<FloatTensors>& inputs,
                                         const CalibrationOptions& options, Diagnostics& diagnostics,
                                         const std::stop_token& stop) {
  const bool stated =
      std::any_of(scaled.scales.begin(), scaled.scales.end(), [](const auto& scale) { return scale.has_value(); });
  if (!stated) return calibrate(scaled.graph, inputs, options, diagnostics, stop);
  auto own = own_points(scaled, inputs, options, diagnostics, stop);
  return own ? std::optional(std::move(own->formats)) : std::nullopt;
}

}  // namespace

std::optional<artifact::Quantization> describe(const Network& network, const std::vector<FloatTensors>& given,
                                               const DescribeOptions& options, Diagnostics& diagnostics,
                                               const std::stop_token& stop, const ProgressCallback& progress) {
  if (!network.graph) {
    diagnostics.error({network.source_file, 0, {}}, "the file has no operators, only connections and no weights",
                      "a network in another format than a ConvNet descriptor");
    return std::nullopt;
  }
  const auto tell = [&](double fraction, const char* activity) {
    if (progress) progress(fraction, activity);
  };
  const ScaledGraph scaled = prepared(network, diagnostics);
  const Graph& graph = scaled.graph;
  const auto inputs = given.empty() ? inputs_of(graph, network.source_file, options, diagnostics, stop) : given;
  if (inputs.empty()) return std::nullopt;
  tell(0, "calibrating");
  const auto formats = formats_of(scaled, inputs, options.calibration, diagnostics, stop);
  if (!formats) return std::nullopt;
  Description description(network, scaled, *formats);
  std::vector<bool> compared(graph.tensors.size());
  for (std::size_t i = 0; i < compared.size(); ++i) compared[i] = formats->formats[i] && !graph.tensors[i].constant;
  std::size_t done = 0;
  const double all = 2.0 * static_cast<double>(inputs.size()) * static_cast<double>(graph.tensors.size());
  const auto step = [&] { tell(1.0 / 3 + 2.0 / 3 * std::min(1.0, static_cast<double>(++done) / all), "measuring"); };
  const auto change = [&](int tensor, FloatTensor& value) {
    round_tensor(*formats, tensor, value);
    step();
  };
  const auto look = [&](int tensor, const FloatTensor& value) {
    description.look(tensor, value);
    step();
  };
  const auto error = compare_executions(graph, compared, change, inputs, diagnostics, stop, look);
  if (!error) return std::nullopt;
  artifact::Quantization result{options.calibration.bits, options.calibration.percentile,
                                options.calibration.per_filter, error->inputs, error->same_answer};
  description.describe(result, *error);
  return result;
}

}  // namespace convscope::quantization
