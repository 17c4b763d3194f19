#include "core/quantization/fold_operators.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quantization/own_scales.h"
#include "core/quantization/sharing.h"
#include "core/quantization/unquantizing.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using network::Node;

bool holds(const std::vector<int>& tensors, int tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

/// Which tensors hold no number below 0, as far as single operators tell.
class Signs {
 public:
  explicit Signs(std::size_t tensors) : nonnegative_(tensors) {}

  bool nonnegative(int tensor) const { return tensor >= 0 && nonnegative_[static_cast<std::size_t>(tensor)]; }

  /// Nodes in the order in which they run.
  void add(const Node& node) {
    static constexpr std::array<std::string_view, 4> makers{"Relu", "Sigmoid", "Softmax", "HardSigmoid"};
    static constexpr std::array<std::string_view, 3> joins{"Concat", "Add", "Mul"};
    const auto is_one_of = [&](const auto& names) {
      return std::find(names.begin(), names.end(), node.operator_name) != names.end();
    };
    const bool clips = node.operator_name == "Clip" && node.attributes.real("min", -1) >= 0;
    const bool joined = is_one_of(joins) && std::all_of(node.inputs.begin(), node.inputs.end(),
                                                        [&](int input) { return nonnegative(input); });
    // What else such an operator takes are sizes; what pads may be anything.
    const bool moves = keeps_point(node) && node.operator_name != "Pad" && node.operator_name != "Concat";
    const bool keeps = joined || (moves && nonnegative(node.inputs.front()));
    if (clips || is_one_of(makers) || keeps)
      for (const int output : node.outputs)
        if (output >= 0) nonnegative_[static_cast<std::size_t>(output)] = true;
  }

 private:
  std::vector<bool> nonnegative_;
};

/// What a clip to the range of integers takes, if it only saturates; -1 for all else.
int saturated_by(const ScaledGraph& scaled, const Node& node, const Signs& signs) {
  if (node.operator_name != "Clip" || node.inputs.size() != 1) return -1;
  const int from = node.inputs.front();
  if (!scaled.passed[static_cast<std::size_t>(from)]) return -1;  // the file's own
  const bool rectifies = node.attributes.real("min", 0) >= 0 && !signs.nonnegative(from);
  // An output may not be an input.
  const bool ends = holds(scaled.graph.inputs, from) && holds(scaled.graph.outputs, node.outputs.front());
  return rectifies || ends ? -1 : from;
}

/// Without clips that only saturate: whoever read their results reads what they took, by the name that the result had.
Graph without_saturation(ScaledGraph scaled) {
  std::vector<int> stands_for(scaled.graph.tensors.size());
  std::iota(stands_for.begin(), stands_for.end(), 0);
  const auto replace = [&](int& tensor) {
    if (tensor >= 0) tensor = stands_for[static_cast<std::size_t>(tensor)];
  };
  std::vector<bool> named(scaled.graph.tensors.size());
  Signs signs(scaled.graph.tensors.size());
  std::vector<Node> nodes;
  for (Node& node : scaled.graph.nodes) {
    std::for_each(node.inputs.begin(), node.inputs.end(), replace);
    if (const int from = saturated_by(scaled, node, signs); from >= 0) {
      const auto to = static_cast<std::size_t>(node.outputs.front());
      stands_for[to] = from;
      auto& tensors = scaled.graph.tensors;
      if (!named[static_cast<std::size_t>(from)] && !holds(scaled.graph.inputs, from))
        std::swap(tensors[static_cast<std::size_t>(from)].name, tensors[to].name);
      named[static_cast<std::size_t>(from)] = true;
    } else {
      signs.add(node);
      nodes.push_back(std::move(node));
    }
  }
  scaled.graph.nodes = std::move(nodes);
  std::for_each(scaled.graph.outputs.begin(), scaled.graph.outputs.end(), replace);
  return std::move(scaled.graph);
}

}  // namespace

std::optional<Graph> fold_operators(const Graph& graph, const std::string& file, Diagnostics& diagnostics) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_quantizing)) return std::nullopt;
  auto scaled = with_own_scales(graph, file, diagnostics);
  return scaled ? std::optional(without_saturation(*std::move(scaled))) : std::nullopt;
}

}  // namespace convscope::quantization
