#include "core/nmp/operators/operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/network/graph.h"
#include "core/network/inference/window.h"

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
constexpr std::array<std::string_view, 19> activations{
    "LeakyRelu",       "PRelu", "Elu",  "Selu", "Celu", "Sigmoid",  "HardSigmoid",
    "HardSwish",       "Swish", "Mish", "Tanh", "Gelu", "Softplus", "Softsign",
    "ThresholdedRelu", "Exp",   "Abs",  "Sqrt", "Neg"};
constexpr std::array<std::string_view, 7> arithmetic{"Add", "Sub", "Mul", "Div", "Max", "Min", "Sum"};
constexpr std::array<std::string_view, 7> views{"Identity", "Dropout",   "Flatten", "Reshape",
                                                "Squeeze",  "Unsqueeze", "Split"};

OperatorUse unmapped(std::string why) {
  return {Kind::unmapped, std::move(why), {}, 0, 1, {}};
}

OperatorUse takes_no_time(std::string text) {
  return {Kind::free, std::move(text), {}, 0, 1, {}};
}

Computing not_programmed(std::string_view name) {
  return {.missing = fmt::format("programs have no {}", name)};
}

Computing computing_of_pairs(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Computation>, 6> known{{{"Add", Computation::add},
                                                                           {"Sum", Computation::add},
                                                                           {"Sub", Computation::subtract},
                                                                           {"Mul", Computation::multiply},
                                                                           {"Max", Computation::maximum},
                                                                           {"Min", Computation::minimum}}};
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& pair) { return pair.first == name; });
  return found == known.end() ? not_programmed(name) : Computing{.computation = found->second};
}

Computing computing_of_one(const Node& node) {
  constexpr double one = 1 << 15, usual_alpha = 0.01;
  if (is_one_of(node.operator_name, clamps)) return {.computation = Computation::copy, .rectifies = true};
  if (node.operator_name != "LeakyRelu") return not_programmed(node.operator_name);
  const double slope = std::round(node.attributes.real("alpha", usual_alpha) * one);
  if (!(slope >= -one && slope < one)) return not_programmed("LeakyRelu whose slope is 1 or more");
  return {.computation = Computation::slope, .slope = static_cast<int>(slope)};
}

constexpr double most_steps = 1LL << 48;  // of a pool; leaves room for rounding up
constexpr const char* unknown_shape = "its shape is not known; stating the input size may help";

/// Walks over the operators in their order.
class Planner {
 public:
  explicit Planner(const network::Network& network)
      : network_(network), graph_(*network.graph), producers_(graph_.producers()) {
    count_readers();
    into_.resize(graph_.nodes.size());
  }

  OperatorPlan run() {
    OperatorPlan plan;
    for (const Layer& layer : network_.layers) {
      plan.uses.push_back(has_node(layer) ? use_of(layer) : unmapped({}));
      const Kind kind = plan.uses.back().kind;
      if (has_node(layer) && (kind == Kind::pool || kind == Kind::elements))
        into_[static_cast<std::size_t>(layer.node)] = {&layer, false};
    }
    return plan;
  }

 private:
  /// The layer whose tiles an operator's outputs are, so that what follows may be done with them.
  struct Into {
    const Layer* layer = nullptr;
    bool linear = false;  ///< weights and biases can still take up a factor and a constant
  };

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
    if (name == "MaxPool" || name == "AveragePool") return pool(layer, node);
    if (name == "GlobalMaxPool" || name == "GlobalAveragePool") return pool_over(layer, layer.in.size);
    if (name == "ReduceMean" || name == "ReduceMax") return reduction(layer, node);
    if (is_one_of(name, clamps)) return with_tiles_before(layer, node, false);
    if (name == "BatchNormalization") return with_tiles_before(layer, node, true);
    if (is_one_of(name, activations)) return element_by_element(layer, node);
    if (is_one_of(name, arithmetic)) return combine(layer, node);
    if (name == "Concat") return concatenation(node);
    if (is_one_of(name, views)) return view(layer, node);
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
        return takes_no_time("folded into " + into.layer->name);
      }
    }
    return element_by_element(layer, node);
  }

  OperatorUse element_by_element(const Layer& layer, const Node& node, int operands = 1) const {
    const auto count = elements(at(node.outputs, 0));
    if (!count) return unmapped(unknown_shape);
    if (*count == 0) return takes_no_time("nothing to compute");
    return {Kind::elements,
            fmt::format("{}, element by element", layer.operator_name),
            {},
            *count,
            operands,
            operands > 1 ? computing_of_pairs(layer.operator_name) : computing_of_one(node)};
  }

  // An operand that is spread over the other's elements stays in the TLTs.
  OperatorUse combine(const Layer& layer, const Node& node) {
    const auto count = elements(at(node.outputs, 0));
    if (!count) return unmapped(unknown_shape);
    int whole = 0, computed = 0;
    for (const int tensor : node.inputs) {
      const auto size = elements(tensor);
      if (!size) return unmapped(unknown_shape);
      whole += *size == *count ? 1 : 0;
      computed += constant(tensor) ? 0 : 1;
    }
    if (whole == 0) return unmapped("its operands are spread over one another");
    const bool data_first = !constant(at(node.inputs, 0));
    if (whole == 1 && computed == 1 && data_first && per_map(node, layer)) return with_tiles_before(layer, node, true);
    return element_by_element(layer, node, whole);
  }

  /// Whether the constants have one value, or one for each map.
  bool per_map(const Node& node, const Layer& layer) const {
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](int tensor) {
      if (!constant(tensor)) return true;
      const auto size = elements(tensor);
      return size && (*size == 1 || *size == layer.out.maps);
    });
  }

  static OperatorUse pool_over(const Layer& layer, network::Size window) {
    const bool greatest = layer.operator_name == "GlobalMaxPool" || layer.operator_name == "ReduceMax";
    Layer shape = layer;
    shape.kernel = window;
    shape.out = {layer.in.maps, {1, 1}};
    shape.stride = shape.dilation = {1, 1};
    shape.padding = {};
    return pool_of(shape, greatest ? Computation::max_pool : Computation::average_pool);
  }

  // As a depthwise convolution it is checked like one.
  static OperatorUse pool_of(Layer shape, Computation computation) {
    if (!shape.space.in.empty() || !shape.space.out.empty()) return unmapped("NMP pools over rows and columns");
    if (shape.in.maps < 1 || shape.in.maps != shape.out.maps || shape.kernel.height < 1) return unmapped(unknown_shape);
    shape.groups = shape.in.maps;
    shape.dense = true;
    std::string reason;
    auto convolution = convolution_of(shape, reason);
    if (!convolution) return unmapped(reason);
    const double steps = static_cast<double>(shape.out.maps) * shape.out.size.height * shape.out.size.width *
                         shape.kernel.height * shape.kernel.width;
    if (steps > most_steps) return unmapped("it is too large to search");
    convolution->depthwise = true;
    convolution->channels = convolution->maps_per_unit = convolution->repeats = 1;
    convolution->units = shape.in.maps;
    convolution->operation = Operator::pool;
    return {Kind::pool,  fmt::format("{} of {} x {}", shape.operator_name, shape.kernel.height, shape.kernel.width),
            convolution, 0,
            1,           {.computation = computation}};
  }

  static OperatorUse pool(const Layer& layer, const Node& node) {
    if (at(node.outputs, 1) >= 0) return unmapped("NMP's pools don't tell where the greatest value was");
    if (layer.in.size.height < 1 || layer.in.size.width < 1) return unmapped(unknown_shape);
    std::string problem;
    const bool flat = node.attributes.integers("kernel_shape").size() == 1;
    const auto window = network::window_of(node.attributes, {},
                                           flat ? network::Dimensions{layer.in.size.width}
                                                : network::Dimensions{layer.in.size.height, layer.in.size.width},
                                           problem);
    constexpr std::int64_t most = std::numeric_limits<std::int16_t>::max();
    if (!window || window->kernel.size() > 2) return unmapped("its window is none over rows and columns");
    for (const network::Dimensions* sizes :
         {&window->kernel, &window->strides, &window->dilations, &window->pads_begin, &window->pads_end})
      for (const std::int64_t size : *sizes)
        if (size < 0 || size > most) return unmapped("its window is out of range");
    const auto size = [&](const network::Dimensions& of, int other) {
      return network::Size{flat ? other : static_cast<int>(of.front()), static_cast<int>(of.back())};
    };
    Layer shape = layer;
    shape.kernel = size(window->kernel, 1);
    shape.stride = size(window->strides, 1);
    shape.dilation = size(window->dilations, 1);
    const network::Size before = size(window->pads_begin, 0), after = size(window->pads_end, 0);
    shape.padding = {before.height, before.width, after.height, after.width};
    if (layer.operator_name == "MaxPool") return pool_of(shape, Computation::max_pool);
    const bool with_padding = node.attributes.integer("count_include_pad", 0) != 0;
    return pool_of(shape, with_padding ? Computation::average_pool : Computation::average_pool_inside);
  }

  OperatorUse reduction(const Layer& layer, const Node& node) const {
    const int data = at(node.inputs, 0), axes_input = at(node.inputs, 1);
    const std::size_t rank = data < 0 ? 0 : graph_.tensors[static_cast<std::size_t>(data)].shape.dimensions.size();
    std::vector<std::int64_t> axes = node.attributes.integers("axes");
    if (axes.empty() && constant(axes_input))
      axes = graph_.tensors[static_cast<std::size_t>(axes_input)].constant->integers(8).value_or(axes);
    for (std::int64_t& axis : axes) axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
    std::sort(axes.begin(), axes.end());
    if (rank != 4 || axes != std::vector<std::int64_t>{2, 3}) return unmapped("NMP reduces rows and columns together");
    return pool_over(layer, layer.in.size);
  }

  // Every part is stored where it belongs, and nothing is moved. What no layer computed, or what already lies
  // elsewhere, is copied.
  OperatorUse concatenation(const Node& node) {
    const int out = at(node.outputs, 0);
    if (!elements(out)) return unmapped(unknown_shape);
    const auto& dimensions = graph_.tensors[static_cast<std::size_t>(out)].shape.dimensions;
    const auto rank = static_cast<std::int64_t>(dimensions.size());
    std::int64_t axis = node.attributes.integer("axis", 1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return unmapped("it joins what has no such axis");
    const auto inner = dimensions.begin() + static_cast<std::ptrdiff_t>(axis);
    if (std::any_of(dimensions.begin(), inner, [](std::int64_t d) { return d != 1; }))
      return unmapped("NMP joins whole maps: along another axis the parts would lie in pieces");
    std::int64_t place = 0, copied = 0;
    for (const int part : node.inputs) {
      const auto size = elements(part);
      if (!size) return unmapped(unknown_shape);
      const bool computed = producers_[static_cast<std::size_t>(part)] >= 0;
      if (!computed || places_.try_emplace(part, place).first->second != place) copied += *size;
      place += *size;
    }
    if (copied == 0) return takes_no_time("its parts are stored in their places");
    return {Kind::elements, "parts that lie elsewhere are copied", {}, copied, 1, {.computation = Computation::copy}};
  }

  // The tiles are those of the layer before; what folds into them folds through a view.
  OperatorUse view(const Layer& layer, const Node& node) {
    const int tensor = at(node.inputs, 0);
    const int producer = tensor < 0 ? -1 : producers_[static_cast<std::size_t>(tensor)];
    if (layer.operator_name == "Split" && node.attributes.integer("axis", 0) != 1)
      return unmapped("NMP splits maps: along another axis the parts would lie in pieces");
    if (producer >= 0 && readers_[static_cast<std::size_t>(tensor)] == 1 && layer.operator_name != "Split")
      into_[static_cast<std::size_t>(layer.node)] = into_[static_cast<std::size_t>(producer)];
    return takes_no_time("the same values, where they are");
  }

  const network::Network& network_;
  const Graph& graph_;
  std::vector<int> producers_, readers_;
  std::vector<Into> into_;              // by node
  std::map<int, std::int64_t> places_;  // of parts of concatenations, in elements from the beginning
};

}  // namespace

OperatorPlan plan_operators(const network::Network& network) {
  if (network.graph) return Planner(network).run();
  OperatorPlan plan;
  plan.uses.resize(network.layers.size());
  return plan;
}

}  // namespace convscope::nmp
