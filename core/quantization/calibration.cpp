#include "core/quantization/calibration.h"

#include <algorithm>
#include <cmath>

#include "core/quantization/sharing.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;

constexpr int farthest_point = 64;

struct Point {
  Format* format;
  bool fixed;
};

/// The formats of all tensors, and which of them stay.
struct Points {
  std::vector<std::optional<Format>>& formats;
  const std::vector<bool>& fixed;

  void find(int tensor, std::vector<Point>& found) const {
    const auto index = static_cast<std::size_t>(tensor);
    if (auto& format = formats[index]) found.push_back({&*format, !fixed.empty() && fixed[index]});
  }
};

/// Formats of the tensors that a node takes and that are computed or fed.
std::vector<Point> computed_inputs(const Graph& graph, const Node& node, const Points& points) {
  std::vector<Point> found;
  for (const int input : node.inputs)
    if (input >= 0 && !graph.tensors[static_cast<std::size_t>(input)].constant) points.find(input, found);
  return found;
}

std::vector<Point> outputs_of(const Node& node, const Points& points) {
  std::vector<Point> found;
  for (const int output : node.outputs)
    if (output >= 0) points.find(output, found);
  return found;
}

int least_of(const std::vector<Point>& points, int most) {
  for (const Point& point : points) most = std::min(most, point.format->fraction);
  return most;
}

/// True if one was above.
bool lower(const std::vector<Point>& points, int fraction) {
  bool lowered = false;
  for (const Point& point : points) {
    if (point.fixed || point.format->fraction <= fraction) continue;
    lowered = true;
    point.format->fraction = fraction;
  }
  return lowered;
}

/// Both rules at one node; true if a point moved.
bool agree_at(const Graph& graph, const Node& node, const Points& points) {
  const bool keeps = keeps_point(node), one = wants_one_point(node);
  if (!keeps && !one) return false;
  const std::vector<Point> taken = computed_inputs(graph, node, points), made = outputs_of(node, points);
  const int least = least_of(taken, 2 * farthest_point);
  bool moved = one && lower(taken, least);
  if (!keeps || taken.empty()) return moved;
  moved = lower(made, least) || moved;
  return lower(taken, least_of(made, least)) || moved;
}

/// Position of the bias among a product's inputs.
constexpr std::size_t bias_input = 2;
constexpr int bias_bits = 32;

/// Fraction bits of a node's products; nothing if it has no bias of its own, or none is known.
std::optional<int> products_at(const Graph& graph, const Node& node, const NetworkFormats& formats) {
  const bool multiplies = is_product(node) || (node.operator_name == "ConvTranspose" && node.domain.empty());
  if (!multiplies || node.inputs.size() <= bias_input) return std::nullopt;
  for (const int input : node.inputs)
    if (input < 0 || !formats.formats[index_of(input)]) return std::nullopt;
  if (!graph.tensors[index_of(node.inputs[bias_input])].constant) return std::nullopt;
  const std::size_t weights = index_of(node.inputs[1]);
  int fraction = formats.formats[weights]->fraction;
  if (!formats.filters.empty())
    for (const int of_filter : formats.filters[weights].fractions) fraction = std::min(fraction, of_filter);
  return formats.of(node.inputs[0]).fraction + fraction;
}

}  // namespace

int fraction_for(double most, int bits) {
  if (!(most > 0) || !std::isfinite(most)) return bits - 1;
  int exponent = 0;
  const double mantissa = std::frexp(most, &exponent);  // most = mantissa * 2^exponent, 0.5 <= mantissa < 1
  const int ceiling = mantissa == 0.5 ? exponent - 1 : exponent;
  return std::clamp(bits - 1 - ceiling, -farthest_point, farthest_point);
}

NetworkFormats place_points(const Graph& graph, const Observations& seen, const std::vector<int>& bits) {
  NetworkFormats result{std::vector<std::optional<Format>>(bits.size()), seen.ranges, seen.filters};
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (seen.held[i]) result.formats[i] = Format{bits[i], fraction_for(seen.most[i], bits[i])};
  for (std::size_t i = 0; i < result.filters.size(); ++i)
    for (std::size_t f = 0; f < result.filters[i].fractions.size(); ++f)
      result.filters[i].fractions[f] = fraction_for(seen.filter_most[i][f], bits[i]);
  agree(graph, result.formats);
  place_biases(graph, result);
  return result;
}

std::optional<NetworkFormats> calibrate(const Graph& graph, const std::vector<reference::FloatTensors>& inputs,
                                        const CalibrationOptions& options, Diagnostics& diagnostics,
                                        const std::stop_token& stop) {
  const auto seen = observe(graph, inputs, {options.percentile, options.per_filter}, diagnostics, stop);
  if (!seen) return std::nullopt;
  return place_points(graph, *seen, std::vector<int>(graph.tensors.size(), options.bits));
}

void agree(const Graph& graph, std::vector<std::optional<Format>>& formats, const std::vector<bool>& fixed) {
  const Points points{formats, fixed};
  bool moved = true;
  while (moved) {  // each round lowers a point by one bit at least, and points are bounded
    moved = false;
    for (const Node& node : graph.nodes) moved = agree_at(graph, node, points) || moved;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node)
      moved = agree_at(graph, *node, points) || moved;
  }
}

void place_biases(const Graph& graph, NetworkFormats& formats, const std::vector<bool>& fixed) {
  std::vector<bool> placed(graph.tensors.size(), false);
  for (const Node& node : graph.nodes) {
    const auto products = products_at(graph, node, formats);
    const std::size_t bias = products ? index_of(node.inputs[bias_input]) : 0;
    if (!products || (!fixed.empty() && fixed[bias])) continue;
    const Range& range = formats.ranges[bias];
    Format format{bias_bits, std::min(*products, fraction_for(std::max(-range.least, range.most), bias_bits))};
    if (placed[bias]) format.fraction = std::min(format.fraction, formats.formats[bias]->fraction);
    formats.formats[bias] = format;
    placed[bias] = true;
  }
}

}  // namespace convscope::quantization
