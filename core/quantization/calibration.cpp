#include "core/quantization/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/cancellation.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;

constexpr int farthest_point = 64;

template <std::size_t count>
bool is_one_of(const Node& node, const std::array<std::string_view, count>& names) {
  return node.domain.empty() && std::find(names.begin(), names.end(), node.operator_name) != names.end();
}

bool keeps_point(const Node& node) {
  constexpr std::array<std::string_view, 17> names{
      "MaxPool",   "AveragePool",  "GlobalAveragePool", "GlobalMaxPool", "Reshape", "Flatten", "Squeeze",
      "Unsqueeze", "Transpose",    "Identity",          "Dropout",       "Pad",     "Slice",   "Split",
      "Concat",    "DepthToSpace", "SpaceToDepth"};
  return is_one_of(node, names);
}

bool wants_one_point(const Node& node) {
  return is_one_of(node, std::array<std::string_view, 4>{"Add", "Sum", "Sub", "Concat"});
}

bool is_clamp(const Node& node) {
  return is_one_of(node, std::array<std::string_view, 2>{"Relu", "Clip"});
}

bool is_product(const Node& node) {
  return is_one_of(node, std::array<std::string_view, 3>{"Conv", "Gemm", "MatMul"});
}

/// Formats of the tensors that a node takes and that are computed or fed.
std::vector<Format*> computed_inputs(const Graph& graph, const Node& node,
                                     std::vector<std::optional<Format>>& formats) {
  std::vector<Format*> found;
  for (const int input : node.inputs) {
    if (input < 0 || graph.tensors[static_cast<std::size_t>(input)].constant) continue;
    if (auto& format = formats[static_cast<std::size_t>(input)]) found.push_back(&*format);
  }
  return found;
}

std::vector<Format*> outputs_of(const Node& node, std::vector<std::optional<Format>>& formats) {
  std::vector<Format*> found;
  for (const int output : node.outputs)
    if (auto& format = formats[static_cast<std::size_t>(output)]) found.push_back(&*format);
  return found;
}

int least_of(const std::vector<Format*>& formats, int most) {
  for (const Format* format : formats) most = std::min(most, format->fraction);
  return most;
}

/// True if one was above.
bool lower(const std::vector<Format*>& formats, int fraction) {
  bool lowered = false;
  for (Format* format : formats) {
    lowered = lowered || format->fraction > fraction;
    format->fraction = std::min(format->fraction, fraction);
  }
  return lowered;
}

/// Both rules at one node; true if a point moved.
bool agree_at(const Graph& graph, const Node& node, std::vector<std::optional<Format>>& formats) {
  const bool keeps = keeps_point(node), one = wants_one_point(node);
  if (!keeps && !one) return false;
  const std::vector<Format*> taken = computed_inputs(graph, node, formats), made = outputs_of(node, formats);
  const int least = least_of(taken, 2 * farthest_point);
  bool moved = one && lower(taken, least);
  if (!keeps || taken.empty()) return moved;
  moved = lower(made, least) || moved;
  return lower(taken, least_of(made, least)) || moved;
}

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

}  // namespace

int fraction_for(double most, int bits) {
  if (!(most > 0) || !std::isfinite(most)) return bits - 1;
  int exponent = 0;
  const double mantissa = std::frexp(most, &exponent);  // most = mantissa * 2^exponent, 0.5 <= mantissa < 1
  const int ceiling = mantissa == 0.5 ? exponent - 1 : exponent;
  return std::clamp(bits - 1 - ceiling, -farthest_point, farthest_point);
}

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

std::optional<NetworkFormats> calibrate(const Graph& graph, const std::vector<reference::FloatTensors>& inputs,
                                        const CalibrationOptions& options, Diagnostics& diagnostics,
                                        const std::stop_token& stop) {
  FormatOptions fixed;
  fixed.bits = options.bits;
  fixed.fraction = 0;
  auto result = choose_formats(graph, {}, fixed, diagnostics, stop);
  if (!result) return std::nullopt;
  std::vector<double> most(graph.tensors.size(), 0);
  std::vector<bool> constant_seen(graph.tensors.size(), false);
  const auto look = [&](int tensor, const reference::FloatTensor& value) {
    throw_if_stopped(stop);
    const auto index = static_cast<std::size_t>(tensor);
    if (!result->formats[index] || constant_seen[index]) return;
    constant_seen[index] = graph.tensors[index].constant != nullptr;
    result->ranges[index].add(range_of(value.values));
    most[index] = std::max(most[index], magnitude_at(value.values, options.percentile));
  };
  for (const reference::FloatTensors& input : inputs)
    if (!reference::execute(graph, input, diagnostics, {}, look)) return std::nullopt;
  const std::vector<bool> clamped = clamped_products(graph);
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (!result->formats[i]) continue;
    if (clamped[i])
      result->formats[i].reset();
    else
      result->formats[i]->fraction = fraction_for(most[i], options.bits);
  }
  agree(graph, result->formats);
  return result;
}

void agree(const Graph& graph, std::vector<std::optional<Format>>& formats) {
  bool moved = true;
  while (moved) {  // each round lowers a point by one bit at least, and points are bounded
    moved = false;
    for (const Node& node : graph.nodes) moved = agree_at(graph, node, formats) || moved;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node)
      moved = agree_at(graph, *node, formats) || moved;
  }
}

}  // namespace convscope::quantization
