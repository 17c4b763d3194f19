#include "core/nmp/operators/operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/network/graph.h"
#include "core/nmp/operators/functions.h"
#include "core/nmp/operators/movers.h"
#include "core/nmp/operators/operands.h"
#include "core/nmp/operators/pools.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Layer;
using network::Node;
using Kind = OperatorUse::Kind;

template <std::size_t count>
bool is_one_of(std::string_view name, const std::array<std::string_view, count>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The last step of a convolution clamps (its configuration has both limits).
constexpr std::array<std::string_view, 2> clamps{"Relu", "Clip"};
constexpr std::array<std::string_view, 8> arithmetic{"Add", "Sub", "Mul", "Div", "Max", "Min", "Sum", "PRelu"};
constexpr std::array<std::string_view, 7> views{"Identity", "Dropout",   "Flatten", "Reshape",
                                                "Squeeze",  "Unsqueeze", "Split"};
// A fixed-point machine stores in the format that is asked for.
constexpr std::array<std::string_view, 3> formats{"QuantizeLinear", "DequantizeLinear", "Cast"};

OperatorUse takes_no_time(std::string text) {
  return {Kind::free, std::move(text), {}, 0, 1, {}};
}

Computing not_programmed(std::string_view name) {
  return {.missing = fmt::format("programs have no {}", name)};
}

Computing computing_of_one(const Node& node, int element_bytes) {
  constexpr double one = 1 << 15, usual_alpha = 0.01;
  if (is_one_of(node.operator_name, clamps)) return {.computation = Computation::copy, .rectifies = true};
  if (node.operator_name != "LeakyRelu")
    return computing_of_function(node, element_bytes).value_or(not_programmed(node.operator_name));
  const double slope = std::round(node.attributes.real("alpha", usual_alpha) * one);
  if (!(slope >= -one && slope < one)) return not_programmed("LeakyRelu whose slope is 1 or more");
  return {.computation = Computation::slope, .slope = static_cast<int>(slope)};
}

constexpr const char* reductions = "NMP reduces rows, columns or both, of each map";

/// Walks over the operators in their order.
class Planner {
 public:
  Planner(const network::Network& network, const SumChoice& fuses, int element_bytes)
      : network_(network),
        graph_(*network.graph),
        fuses_(fuses),
        element_bytes_(element_bytes),
        producers_(graph_.producers()) {
    count_readers();
    into_.resize(graph_.nodes.size());
    sources_.assign(graph_.nodes.size(), -1);
    lacks_.resize(graph_.nodes.size());
    placed_.resize(graph_.tensors.size());
  }

  OperatorPlan run() {
    for (const Layer& layer : network_.layers) {
      plan_.uses.push_back(has_node(layer) ? use_of(layer) : unmapped({}));
      if (!has_node(layer)) continue;
      const OperatorUse& use = plan_.uses.back();
      if (clamps_results(layer, use)) into_[node_index(layer)] = {&layer, false};
      lacks_[node_index(layer)] = lacks_program(layer, use);
    }
    return std::move(plan_);
  }

 private:
  /// The layer whose tiles an operator's outputs are, so that what follows may be done with them.
  struct Into {
    const Layer* layer = nullptr;
    bool linear = false;  ///< weights and biases can still take up a factor and a constant
  };

  /// Parts of a concatenation are several layers' results; sums of more than two operands, results of several steps.
  static bool clamps_results(const Layer& layer, const OperatorUse& use) {
    return (use.kind == Kind::pool && layer.operator_name != "Concat") ||
           (use.kind == Kind::elements && use.operands <= 2);
  }

  bool has_node(const Layer& layer) const {
    return layer.node >= 0 && static_cast<std::size_t>(layer.node) < graph_.nodes.size();
  }

  void count_readers() {
    readers_.assign(graph_.tensors.size(), 0);
    for (const Node& node : graph_.nodes)
      for (const int tensor : node.inputs)
        if (tensor >= 0) ++readers_[static_cast<std::size_t>(tensor)];
    for (const int tensor : graph_.outputs)
      if (tensor >= 0) ++readers_[static_cast<std::size_t>(tensor)];
  }

  static std::size_t node_index(const Layer& layer) { return static_cast<std::size_t>(layer.node); }
  const Node& node_of(const Layer& layer) const { return graph_.nodes[static_cast<std::size_t>(layer.node)]; }

  static int at(const std::vector<int>& list, std::size_t i) { return i < list.size() ? list[i] : -1; }

  bool constant(int tensor) const {
    return tensor >= 0 && graph_.tensors[static_cast<std::size_t>(tensor)].constant != nullptr;
  }

  std::optional<std::int64_t> elements(int tensor) const {
    return tensor < 0 ? std::nullopt : graph_.tensors[static_cast<std::size_t>(tensor)].shape.elements();
  }

  OperatorUse use_of(const Layer& layer) {
    const Node& node = node_of(layer);
    const std::string_view name = layer.operator_name;
    if (layer.multiplies()) {
      std::string reason;
      if (convolution_of(layer, reason)) into_[static_cast<std::size_t>(layer.node)] = {&layer, true};
      return unmapped({});
    }
    if (std::all_of(node.inputs.begin(), node.inputs.end(), [&](int tensor) { return tensor < 0 || constant(tensor); }))
      return takes_no_time("constant");
    if (name == "MaxPool" || name == "AveragePool") return pool_of_window(layer, node);
    if (name == "GlobalMaxPool" || name == "GlobalAveragePool") return pool_over(layer, layer.in.size);
    if (name == "ReduceMean" || name == "ReduceMax") return reduction(layer, node);
    if (is_one_of(name, clamps)) return with_tiles_before(layer, node, false);
    if (name == "BatchNormalization") return with_tiles_before(layer, node, true);
    if (name == "LeakyRelu" || computing_of_function(node, element_bytes_)) return element_by_element(layer, node);
    if (is_one_of(name, arithmetic)) return combine(layer, node);
    if (name == "Concat") return concatenation(node);
    if (name == "Floor") return rounded_down(layer, node);
    if (is_one_of(name, views)) return view(layer, node);
    if (is_one_of(name, formats)) return view(layer, node, "in the format of the layer before");
    if (auto use = use_of_mover(graph_, layer, node))
      return use->kind == Kind::free ? view_of_part(layer, node, *use) : *use;
    return unmapped(fmt::format("NMP has no instruction for {}: what it takes is in no total", layer.operator_name));
  }

  // Folded into the layer before if nothing else reads what that computes; else on its own.
  OperatorUse with_tiles_before(const Layer& layer, const Node& node, bool changes_weights) {
    const int tensor = at(node.inputs, 0);
    const int producer = tensor < 0 ? -1 : producers_[static_cast<std::size_t>(tensor)];
    if (producer >= 0 && readers_[static_cast<std::size_t>(tensor)] == 1) {
      const Into& into = into_[static_cast<std::size_t>(producer)];
      if (into.layer && (into.linear || !changes_weights)) {
        into_[static_cast<std::size_t>(layer.node)] = {into.layer, into.linear && changes_weights};
        sources_[node_index(layer)] = tensor;
        OperatorUse use = takes_no_time("folded into " + into.layer->name);
        use.folded = true;
        return use;
      }
    }
    return element_by_element(layer, node);
  }

  OperatorUse element_by_element(const Layer& layer, const Node& node) const {
    const auto count = elements(at(node.outputs, 0));
    if (!count) return unmapped(unknown_shape);
    if (*count == 0) return takes_no_time("nothing to compute");
    return {Kind::elements,
            fmt::format("{}, element by element", layer.operator_name),
            {},
            *count,
            1,
            computing_of_one(node, element_bytes_)};
  }

  // An operand that is spread over the other's elements stays in the TLTs.
  OperatorUse combine(const Layer& layer, const Node& node) {
    OperatorUse alone = combine_alone(layer, node);
    return alone.kind == Kind::elements && (layer.operator_name == "Add" || layer.operator_name == "Sum")
               ? with_layer_before(layer, node, std::move(alone))
               : alone;
  }

  // Of two layers that could take the other's results the later one can: the other's are there by then.
  OperatorUse with_layer_before(const Layer& layer, const Node& node, OperatorUse alone) {
    if (!fuses_ || alone.operands != 2 || node.inputs.size() != 2) return alone;
    int fused = -1, residual = -1;
    for (const std::size_t i : {0U, 1U}) {
      const int tensor = node.inputs[i], other = node.inputs[1 - i];
      const Into* const into = constant(other) ? nullptr : sums_of(tensor);
      if (!into || written_at(other) >= into->layer->node) continue;
      // The layer would else become the host's as well.
      if (lacks(other) && !lacks_[node_index(*into->layer)]) continue;
      fused = tensor;
      residual = other;
    }
    if (fused < 0) return alone;
    const Into& into = *sums_of(fused);
    if (!fuses_(*into.layer, alone)) return alone;
    OperatorUse& before = plan_.uses[static_cast<std::size_t>(into.layer - network_.layers.data())];
    before.residual = residual;
    before.text = "with " + layer.name;
    into_[node_index(layer)] = {into.layer, false};
    sources_[node_index(layer)] = fused;
    OperatorUse use = takes_no_time("computed with " + into.layer->name);
    use.fused = fused;
    return use;
  }

  /// The layer that multiplies whose sums a tensor has, if nobody else reads it and nothing has clamped it.
  const Into* sums_of(int tensor) const {
    const int producer = producers_[static_cast<std::size_t>(tensor)];
    if (producer < 0 || readers_[static_cast<std::size_t>(tensor)] != 1) return nullptr;
    const Into& into = into_[static_cast<std::size_t>(producer)];
    return into.layer && into.linear && into.layer->node >= 0 ? &into : nullptr;
  }

  /// The node after which a tensor is there; -1: it is the network's input.
  int written_at(int tensor) const {
    int node = producers_[static_cast<std::size_t>(tensor)];
    while (node >= 0 && sources_[static_cast<std::size_t>(node)] >= 0)
      node = producers_[static_cast<std::size_t>(sources_[static_cast<std::size_t>(node)])];
    return node;
  }

  /// Whether a tensor comes from what NMP has no program for.
  bool lacks(int tensor) const {
    const int producer = tensor < 0 ? -1 : producers_[static_cast<std::size_t>(tensor)];
    return producer >= 0 && lacks_[static_cast<std::size_t>(producer)];
  }

  bool lacks_program(const Layer& layer, const OperatorUse& use) const {
    const std::vector<int>& inputs = node_of(layer).inputs;
    return (use.kind == Kind::unmapped && !layer.multiplies()) || !use.computing.missing.empty() ||
           std::any_of(inputs.begin(), inputs.end(), [&](int tensor) { return lacks(tensor); });
  }

  OperatorUse combine_alone(const Layer& layer, const Node& node) {
    const bool data_first = !constant(at(node.inputs, 0)), is_function = layer.operator_name == "PRelu";
    const auto computed = std::count_if(node.inputs.begin(), node.inputs.end(), [&](int t) { return !constant(t); });
    if (!is_function && computed == 1 && data_first && first_is_whole(node) && per_map(node, layer))
      if (OperatorUse use = with_tiles_before(layer, node, true); use.kind == Kind::free) return use;
    return use_of_operands(graph_, layer, node, element_bytes_);
  }

  bool first_is_whole(const Node& node) const {
    const auto count = elements(at(node.outputs, 0));
    return count && elements(at(node.inputs, 0)) == count;
  }

  // A layer's results are rounded to the nearest: less half of the last bit, which its biases take, that is down.
  OperatorUse rounded_down(const Layer& layer, const Node& node) {
    OperatorUse use = with_tiles_before(layer, node, true);
    return use.kind == Kind::free ? use : unmapped("NMP rounds down where a layer before it can, which is none here");
  }

  /// Whether the constants have one value, or one for each map.
  bool per_map(const Node& node, const Layer& layer) const {
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](int tensor) {
      if (!constant(tensor)) return true;
      const auto size = elements(tensor);
      return size && (*size == 1 || *size == layer.out.maps);
    });
  }

  OperatorUse reduction(const Layer& layer, const Node& node) const {
    const int data = at(node.inputs, 0), axes_input = at(node.inputs, 1);
    const std::size_t rank = data < 0 ? 0 : graph_.tensors[static_cast<std::size_t>(data)].shape.dimensions.size();
    std::vector<std::int64_t> axes = node.attributes.integers("axes");
    if (axes.empty() && constant(axes_input))
      axes = graph_.tensors[static_cast<std::size_t>(axes_input)].constant->integers(8).value_or(axes);
    if (rank != 3 && rank != 4) return unmapped(reductions);
    network::Size window{1, 1};
    for (std::int64_t axis : axes) {
      axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
      if (axis < 2 || axis >= static_cast<std::int64_t>(rank)) return unmapped(reductions);
      const bool columns = axis + 1 == static_cast<std::int64_t>(rank);
      (columns ? window.width : window.height) = columns ? layer.in.size.width : layer.in.size.height;
    }
    return axes.empty() ? unmapped(reductions) : pool_over(layer, window);
  }

  // Whoever computes a part of a concatenation stores it in its place: if it has one alone, and is no part itself. What
  // no layer computed is copied.
  OperatorUse concatenation(const Node& node) {
    std::vector<bool> placed(node.inputs.size());
    for (std::size_t i = 0; i < placed.size() && joins_runs(graph_, node); ++i) {
      const int source = source_of(node.inputs[i]);
      if (source < 0 || placed_[static_cast<std::size_t>(source)]) continue;
      placed[i] = placed_[static_cast<std::size_t>(source)] = true;
    }
    return use_of_concatenation(graph_, node, std::move(placed));
  }

  /// The tensor that a layer computes of which this one has all values; -1: none.
  int source_of(int tensor) const {
    const auto count = elements(tensor);
    for (int source = tensor; source >= 0 && elements(source) == count;) {
      const int producer = producers_[static_cast<std::size_t>(source)];
      if (producer < 0) return -1;
      const int before = sources_[static_cast<std::size_t>(producer)];
      if (before < 0) return source;
      source = before;
    }
    return -1;
  }

  /// Of one tensor, all or a part of it.
  OperatorUse view_of_part(const Layer& layer, const Node& node, const OperatorUse& use) {
    if (elements(at(node.inputs, 0)) == elements(at(node.outputs, 0))) return view(layer, node);
    sources_[node_index(layer)] = at(node.inputs, 0);
    return use;
  }

  // The tiles are those of the layer before; what folds into them folds through a view.
  OperatorUse view(const Layer& layer, const Node& node, std::string text = "the same values, where they are") {
    const int tensor = at(node.inputs, 0);
    const int producer = tensor < 0 ? -1 : producers_[static_cast<std::size_t>(tensor)];
    if (layer.operator_name == "Split" && node.attributes.integer("axis", 0) != 1)
      return unmapped("NMP splits maps: along another axis the parts would lie in pieces");
    if (producer >= 0 && readers_[static_cast<std::size_t>(tensor)] == 1 && layer.operator_name != "Split")
      into_[static_cast<std::size_t>(layer.node)] = into_[static_cast<std::size_t>(producer)];
    sources_[node_index(layer)] = tensor;
    OperatorUse use = takes_no_time(std::move(text));
    std::int64_t first = 0;
    for (std::size_t i = 0; i < node.outputs.size() && layer.operator_name == "Split"; ++i) {
      use.offsets.push_back(first);
      first += elements(node.outputs[i]).value_or(0);
    }
    return use;
  }

  const network::Network& network_;
  const Graph& graph_;
  const SumChoice& fuses_;
  int element_bytes_;
  OperatorPlan plan_;
  std::vector<int> producers_, readers_;
  std::vector<Into> into_;    // by node
  std::vector<int> sources_;  // by node that takes no time: tensor that its output is in; else -1
  std::vector<bool> lacks_;   // by node: the host computes it, or something before it
  std::vector<bool> placed_;  // by tensor: it is stored as a part of a concatenation
};

}  // namespace

OperatorPlan plan_operators(const network::Network& network, const SumChoice& fuses, int element_bytes) {
  if (network.graph) return Planner(network, fuses, element_bytes).run();
  OperatorPlan plan;
  plan.uses.resize(network.layers.size());
  return plan;
}

}  // namespace convscope::nmp
