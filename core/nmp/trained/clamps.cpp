#include "core/nmp/trained/clamps.h"

#include <algorithm>
#include <limits>

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Node;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Attributes before opset 11, inputs from it on.
double limit_of(const Graph& graph, const Node& node, std::size_t input, const char* attribute, double none) {
  const int tensor = input < node.inputs.size() ? node.inputs[input] : -1;
  if (tensor < 0) return node.attributes.real(attribute, none);
  const auto& constant = graph.tensors[static_cast<std::size_t>(tensor)].constant;
  const auto values = constant ? constant->floats(1) : std::nullopt;
  return values && !values->empty() ? static_cast<double>(values->front()) : none;
}

std::optional<Clamp> clamp_at(const Graph& graph, const Node& node) {
  if (node.operator_name == "HardSigmoid") return Clamp{0, 1};
  if (node.operator_name == "Relu") return Clamp{0, infinity};
  if (node.operator_name != "Clip") return std::nullopt;
  return Clamp{limit_of(graph, node, 1, "min", -infinity), limit_of(graph, node, 2, "max", infinity)};
}

}  // namespace

std::optional<Clamp> clamp_of(const Graph& graph, int node, const std::vector<int>& folded) {
  Clamp clamp{-infinity, infinity};
  bool found = false;
  std::vector<int> nodes{node};
  nodes.insert(nodes.end(), folded.begin(), folded.end());
  for (const int each : nodes) {
    const auto at = clamp_at(graph, graph.nodes[static_cast<std::size_t>(each)]);
    if (!at) continue;
    found = true;
    const auto [least, most] = *at;
    // One after the other: what is below the second's range lands on its end.
    clamp = {std::clamp(clamp.least, least, std::max(least, most)),
             std::clamp(clamp.most, least, std::max(least, most))};
  }
  return found ? std::optional(clamp) : std::nullopt;
}

}  // namespace convscope::nmp
