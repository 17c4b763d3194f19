#include "core/quantization/own_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/cancellation.h"

namespace convscope::quantization {
namespace {

using reference::FloatTensor;

/// Points that are tried: the next finer one, the next coarser one, and one more.
constexpr int candidates = 3;

/// What was seen of a tensor under one of its scales.
struct Trial {
  int finest = 0;  ///< fraction bits of the first candidate
  Error by_scale;
  std::array<Error, candidates> by_point;

  /// The one with the least noise, the finest of equals.
  std::size_t best() const {
    const auto less = [](const Error& one, const Error& other) { return one.noise < other.noise; };
    return static_cast<std::size_t>(std::min_element(by_point.begin(), by_point.end(), less) - by_point.begin());
  }
};

int bits_of(const OwnScale& own) {
  return network::element_bits(own.type);
}

void look_at(Trial& trial, const OwnScale& own, std::size_t index, double value) {
  const auto count = [&](Error& error, double approximate) {
    error.add(std::span(&value, 1), std::span(&approximate, 1));
  };
  count(trial.by_scale, own.rounded(value, index));
  for (int i = 0; i < candidates; ++i)
    count(trial.by_point[static_cast<std::size_t>(i)], rounded(value, Format{bits_of(own), trial.finest - i}));
}

std::size_t scale_of(const OwnScale& own, std::size_t element, const std::vector<std::int64_t>& dimensions) {
  return own.scales.size() == 1 ? 0 : FilterPoints{own.axis, {}}.filter_of(element, dimensions);
}

using Trials = std::vector<std::vector<Trial>>;  ///< by tensor and scale

Trials trials_of(const ScaledGraph& scaled) {
  Trials trials(scaled.scales.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!scaled.scales[i]) continue;
    for (const double scale : scaled.scales[i]->scales)
      trials[i].push_back({std::clamp(static_cast<int>(-std::floor(std::log2(scale))), -64, 64), {}, {}});
  }
  return trials;
}

OwnPoint chosen(const OwnScale& own, const std::vector<Trial>& trials) {
  OwnPoint point;
  std::vector<int> fractions;
  const auto join = [](Error& sum, const Error& part) {
    sum.count += part.count;
    sum.signal += part.signal;
    sum.noise += part.noise;
    sum.largest = std::max(sum.largest, part.largest);
  };
  for (const Trial& trial : trials) {
    fractions.push_back(trial.finest - static_cast<int>(trial.best()));
    join(point.by_scale, trial.by_scale);
    join(point.by_point, trial.by_point[trial.best()]);
  }
  point.format = {bits_of(own), *std::min_element(fractions.begin(), fractions.end())};
  if (fractions.size() > 1) point.filters = {own.axis, std::move(fractions)};
  return point;
}

/// Puts the points in the place of calibrated ones; the others follow.
void place(const ScaledGraph& scaled, OwnPoints& result) {
  const std::size_t count = scaled.graph.tensors.size();
  NetworkFormats& formats = result.formats;
  std::vector<bool> fixed(count, false);
  formats.filters.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (scaled.passed[i]) formats.formats[i].reset();
    if (!result.points[i]) continue;
    fixed[i] = true;
    formats.formats[i] = result.points[i]->format;
    formats.filters[i] = result.points[i]->filters;
  }
  agree(scaled.graph, formats.formats, fixed);
  place_biases(scaled.graph, formats, fixed);
}

void round_to_scale(const OwnScale& own, FloatTensor& value) {
  for (std::size_t i = 0; i < value.values.size(); ++i)
    value.values[i] = own.rounded(value.values[i], scale_of(own, i, value.dimensions));
}

}  // namespace

std::optional<OwnPoints> own_points(const ScaledGraph& scaled, const std::vector<reference::FloatTensors>& inputs,
                                    const CalibrationOptions& options, Diagnostics& diagnostics,
                                    const std::stop_token& stop) {
  const network::Graph& graph = scaled.graph;
  Trials trials = trials_of(scaled);
  const auto look = [&](int tensor, FloatTensor& value) {
    throw_if_stopped(stop);
    const auto& own = scaled.scales[index_of(tensor)];
    for (std::size_t i = 0; own && i < value.values.size(); ++i) {
      const std::size_t scale = scale_of(*own, i, value.dimensions);
      look_at(trials[index_of(tensor)][scale], *own, scale, value.values[i]);
    }
  };
  for (const reference::FloatTensors& input : inputs)
    if (!reference::execute(graph, input, diagnostics, {}, look)) return std::nullopt;
  auto formats = calibrate(graph, inputs, options, diagnostics, stop);
  if (!formats) return std::nullopt;
  OwnPoints result{std::vector<std::optional<OwnPoint>>(trials.size()), *std::move(formats), {}};
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (!trials[i].empty()) result.points[i] = chosen(*scaled.scales[i], trials[i]);
  place(scaled, result);
  std::vector<bool> compared(graph.tensors.size(), false);
  for (const int output : graph.outputs) compared[index_of(output)] = true;
  const auto error = compare_executions(
      graph, compared,
      [&](int tensor, FloatTensor& value) {
        if (const auto& own = scaled.scales[index_of(tensor)]) return round_to_scale(*own, value);
        round_tensor(result.formats, tensor, value);
      },
      inputs, diagnostics, stop);
  if (!error) return std::nullopt;
  for (const int output : graph.outputs) result.outputs.push_back(error->tensors[index_of(output)]);
  return result;
}

}  // namespace convscope::quantization
