// Layers of a graph: one per node, with geometry where it is a convolution or a fully connected operator.

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/network/inference/convolution.h"
#include "core/network/inference/other_work.h"
#include "core/network/inference/window.h"
#include "core/network/shape_inference.h"

namespace convscope::network {
namespace {

/// 0 for what is unknown or no int.
int as_int(std::int64_t dimension) {
  return dimension < 0 || dimension > std::numeric_limits<int>::max() ? 0 : static_cast<int>(dimension);
}

/// Maps and pixels of a tensor without its batch: [N, C, H, W]; a list of features is maps of one pixel; without
/// height, the height is 1; further dimensions of space become rows.
Shape maps_of(const TensorShape& shape) {
  const Dimensions& d = shape.dimensions;
  switch (d.size()) {
    case 0:
      return {shape.known ? 1 : 0, {shape.known ? 1 : 0, shape.known ? 1 : 0}};
    case 1:
      return {as_int(d[0]), {1, 1}};
    case 2:
      return {as_int(d[1]), {1, 1}};
    case 3:
      return {as_int(d[1]), {1, as_int(d[2])}};
    default:
      return {as_int(d[1]), {as_int(product(d, 2, d.size() - 1)), as_int(d.back())}};
  }
}

class LayerList {
 public:
  explicit LayerList(const Graph& graph)
      : graph_(graph), fixed_(fixed_tensors(graph)), is_input_(graph.tensors.size(), false) {
    for (const int input : graph.inputs) is_input_[static_cast<std::size_t>(input)] = true;
    for (const Node& node : graph.nodes) names_.insert(node.name);
  }

  std::vector<Layer> run() {
    std::vector<Layer> layers;
    layers.reserve(graph_.nodes.size());
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) layers.push_back(layer_of(i));
    return layers;
  }

 private:
  /// Tensors that no input of the graph has a part in.
  static std::vector<bool> fixed_tensors(const Graph& graph) {
    std::vector<bool> fixed(graph.tensors.size(), false);
    for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = graph.tensors[i].constant != nullptr;
    for (const Node& node : graph.nodes) {
      const bool all = std::all_of(node.inputs.begin(), node.inputs.end(),
                                   [&](int t) { return t < 0 || fixed[static_cast<std::size_t>(t)]; });
      for (const int output : node.outputs) {
        if (all && output >= 0) fixed[static_cast<std::size_t>(output)] = true;
      }
    }
    return fixed;
  }

  static int at(const std::vector<int>& list, std::size_t index) { return index < list.size() ? list[index] : -1; }

  TensorShape shape(int tensor) const {
    return tensor < 0 ? TensorShape{} : graph_.tensors[static_cast<std::size_t>(tensor)].shape;
  }

  bool is_fixed(int tensor) const { return tensor >= 0 && fixed_[static_cast<std::size_t>(tensor)]; }

  /// First input that isn't constant; the first if all are.
  int data_input(const Node& node) const {
    const auto found = std::find_if(node.inputs.begin(), node.inputs.end(),
                                    [this](int tensor) { return tensor >= 0 && !is_fixed(tensor); });
    return found == node.inputs.end() ? at(node.inputs, 0) : *found;
  }

  /// The node's name, which readers make unique; made so here where one didn't.
  std::string unique_name(const Node& node, std::size_t index) {
    if (!node.name.empty() && used_.insert(node.name).second) return node.name;
    const std::string stem = node.name.empty() ? node.operator_name : node.name;
    std::string name = stem + "_" + std::to_string(index);
    while (names_.count(name) > 0 || !used_.insert(name).second) name += "_";
    return name;
  }

  Layer layer_of(std::size_t index) {
    const Node& node = graph_.nodes[index];
    Layer layer;
    layer.name = unique_name(node, index);
    layer.operator_name = node.operator_name;
    layer.node = static_cast<int>(index);
    layer.source_line = node.source_line;
    const TensorShape in = shape(data_input(node)), out = shape(at(node.outputs, 0));
    layer.in = maps_of(in);
    layer.out = maps_of(out);
    layer.space.in = deep_space(in);
    layer.space.out = deep_space(out);
    if (const auto convolution = convolution_form(node)) set_convolution(layer, node, *convolution);
    if (const auto matrix = product_form(node)) set_product(layer, node, *matrix);
    set_other_work(layer, node);
    if (layer.multiplies() && out.dimensions.size() > 1) layer.images = std::max<std::int64_t>(1, out.dimensions[0]);
    if (is_recurrent(node)) layer.images = std::max<std::int64_t>(1, recurrent_batch(shapes_of(node), node.attributes));
    return layer;
  }

  NodeShapes shapes_of(const Node& node) const {
    NodeShapes shapes{{}, shape(at(node.outputs, 0))};
    for (const int tensor : node.inputs) shapes.inputs.push_back(shape(tensor));
    return shapes;
  }

  static bool is_recurrent(const Node& node) {
    return is_known_domain(node) &&
           (node.operator_name == "LSTM" || node.operator_name == "GRU" || node.operator_name == "RNN");
  }

  /// What its geometry doesn't tell of a layer that multiplies.
  void set_other_work(Layer& layer, const Node& node) const {
    const TensorShape out = shape(at(node.outputs, 0));
    if (layer.kernel.height > 0) {
      layer.other.known = layer.macs() > 0 || out.elements() == 0;
    } else if (const auto form = any_convolution_form(node)) {
      const bool transposed = node.operator_name == "ConvTranspose";
      layer.other = convolution_work(shapes_of(node), form->data, form->weights, transposed);
      set_window(layer.space, node, shape(at(node.inputs, form->data)), shape(at(node.inputs, form->weights)));
    } else if (const auto product = product_form(node)) {
      layer.other = work_of_product(node, *product);
    } else if (is_recurrent(node)) {
      layer.other = recurrent_work(shapes_of(node), node.attributes);
    } else if (is_known_domain(node) && node.operator_name == "Einsum") {
      layer.other = einsum_work(shapes_of(node), node.attributes);
    }
  }

  /// Of two computed tensors, or where the weights aren't a matrix; nothing is multiplied at run time if all is fixed.
  OtherWork work_of_product(const Node& node, WeightedForm form) const {
    const int first = at(node.inputs, form.data), second = at(node.inputs, form.weights);
    if (is_fixed(first) && is_fixed(second)) return {};
    const TensorShape data = shape(first), weights = shape(second);
    const bool turned = node.attributes.integer("transA", 0) != 0 && data.dimensions.size() > 1;
    const std::int64_t inner =
        data.dimensions.empty() ? unknown_dimension : *(data.dimensions.end() - (turned ? 2 : 1));
    return product_work(shape(at(node.outputs, 0)), inner, is_fixed(second) ? &weights : nullptr);
  }

  void set_convolution(Layer& layer, const Node& node, WeightedForm form) const {
    const TensorShape data = shape(at(node.inputs, form.data)), weights = shape(at(node.inputs, form.weights));
    layer.in = maps_of(data);
    const std::size_t rank = data.dimensions.size();
    if ((rank != 3 && rank != 4) || weights.dimensions.size() != rank) return;
    std::string problem;
    const auto window = window_of(node.attributes, {weights.dimensions.begin() + 2, weights.dimensions.end()},
                                  {data.dimensions.begin() + 2, data.dimensions.end()}, problem);
    if (!window) return;
    const std::size_t x = rank - 3;
    Layer geometry = layer;
    const auto size = [&](const Dimensions& list, int other) {
      return Size{rank == 4 ? as_int(list[0]) : other, as_int(list[x])};
    };
    geometry.kernel = size(window->kernel, 1);
    geometry.stride = size(window->strides, 1);
    geometry.dilation = size(window->dilations, 1);
    const Size before = size(window->pads_begin, 0), after = size(window->pads_end, 0);
    geometry.padding = {before.height, before.width, after.height, after.width};
    geometry.groups = as_int(node.attributes.integer("group", 1));
    if (accept(geometry, weights.dimensions[1])) layer = geometry;
  }

  /// A product with weights is a 1x1 convolution of its columns; with stacks, over their rows.
  void set_product(Layer& layer, const Node& node, WeightedForm form) const {
    const int weights_tensor = at(node.inputs, form.weights);
    const bool is_gemm = node.operator_name.find("Gemm") != std::string::npos;
    if (!is_gemm && weights_tensor >= 0 && !is_fixed(weights_tensor) &&
        !is_input_[static_cast<std::size_t>(weights_tensor)])
      return;
    const TensorShape data = shape(at(node.inputs, form.data)), weights = shape(weights_tensor);
    if (weights.dimensions.size() != 2 || !data.known || data.dimensions.empty()) return;
    const bool transposed = node.attributes.integer("transB", 0) != 0;
    const std::size_t rank = is_gemm ? 2 : data.dimensions.size();
    Layer geometry = layer;
    const Size pixels{rank > 3 ? as_int(product(data.dimensions, 1, rank - 2)) : 1,
                      rank > 2 ? as_int(data.dimensions[rank - 2]) : 1};
    geometry.in = {as_int(weights.dimensions[transposed ? 1 : 0]), pixels};
    geometry.out = {as_int(weights.dimensions[transposed ? 0 : 1]), pixels};
    geometry.kernel = {1, 1};
    if (accept(geometry, geometry.in.maps)) layer = geometry;
  }

  /// True if the geometry is consistent and its MACs are a number; then it becomes dense.
  static bool accept(Layer& layer, std::int64_t maps_per_group) {
    if (layer.groups < 1 || layer.kernel.height < 1 || layer.kernel.width < 1) return false;
    if (layer.in.maps < 1 || layer.out.maps < 1 || layer.out.maps % layer.groups != 0) return false;
    if (maps_per_group != layer.in.maps / layer.groups || layer.in.maps % layer.groups != 0) return false;
    layer.dense = true;
    std::int64_t macs = saturating_multiply(layer.out.maps, maps_per_group);
    for (const int factor : {layer.kernel.height, layer.kernel.width, std::max(1, layer.out.size.height),
                             std::max(1, layer.out.size.width)})
      macs = saturating_multiply(macs, factor);
    return macs <= mac_cap;
  }

  const Graph& graph_;
  std::vector<bool> fixed_, is_input_;
  std::unordered_set<std::string> names_, used_;
};

}  // namespace

std::vector<Layer> layers_of(const Graph& graph) {
  return LayerList(graph).run();
}

}  // namespace convscope::network
