#include "core/cpu/network/flow.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/network/movements.h"
#include "core/cpu/network/node_values.h"
#include "core/network/inference/dimensions.h"
#include "core/network/inference/window.h"

namespace convscope::cpu {
namespace {

using ElementKind = ElementOperation::Kind;
using network::Graph;

/// Why a node has no step.
struct Refusal {
  std::string why, expected;
};

std::optional<StepKind> two_tensors(std::string_view name) {
  if (name == "Add" || name == "Sum") return StepKind::add;
  if (name == "Sub") return StepKind::subtract;
  if (name == "Mul") return StepKind::multiply;
  if (name == "Div") return StepKind::divide;
  return std::nullopt;
}

bool is_reshape(std::string_view name) {
  constexpr std::array names{"Identity", "Dropout", "Flatten", "Reshape", "Squeeze", "Unsqueeze"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Builder {
 public:
  Builder(const network::Network& network, const TensorValues& values)
      : network_(network), graph_(*network.graph), read_(graph_, values), of_(graph_.tensors.size(), -1) {
    for (const network::Node& node : graph_.nodes)
      for (const int input : node.inputs)
        if (input >= 0) ++uses_[input];
    for (const int output : graph_.outputs) uses_[output] += 2;  // somebody outside reads it
  }

  std::optional<Flow> run(Diagnostics& diagnostics) {
    try {
      for (const int input : graph_.inputs)
        if (!read_.fixed(input)) flow_.inputs.push_back(image(input));
      for (std::size_t i = 0; i < graph_.nodes.size(); ++i) take(static_cast<int>(i));
      for (const int output : graph_.outputs)
        if (!read_.fixed(output)) flow_.outputs.push_back(known(output));
    } catch (const Refusal& refusal) {
      const Location where{network_.source_file, at_ ? at_->source_line : 0,
                           at_ ? fmt::format("{} ({})", at_->name, at_->operator_name) : std::string("graph")};
      diagnostics.error(where, "the network isn't measured as a whole: " + refusal.why, refusal.expected);
      return std::nullopt;
    }
    return std::move(flow_);
  }

 private:
  /// Of any dimensions.
  int tensor(int index) {
    int& place = of_[static_cast<std::size_t>(index)];
    if (place >= 0) return place;
    auto extents = read_.extents(index);
    if (!extents) extents = read_.rows(index);
    if (!extents) throw Refusal{fmt::format("'{}' is empty, or too large", read_.name(index)), {}};
    place = static_cast<int>(flow_.tensors.size());
    flow_.tensors.push_back({read_.name(index), *extents, index});
    return place;
  }

  void must_be_image(int index) const {
    if (!read_.extents(index))
      throw Refusal{fmt::format("'{}' isn't one image or one list of channels", read_.name(index)),
                    "tensors [1, C, H, W], [1, C, W] or [1, C] of known size"};
  }

  int image(int index) {
    must_be_image(index);
    return tensor(index);
  }

  int known_image(int index) const {
    must_be_image(index);
    return known(index);
  }

  int known(int index) const {
    const int place = index < 0 ? -1 : of_[static_cast<std::size_t>(index)];
    if (place < 0) throw Refusal{"it reads what no step makes", {}};
    return place;
  }

  const Extents& extents(int place) const { return flow_.tensors[static_cast<std::size_t>(place)].extents; }

  /// All inputs of a node, constants with a value for each element among them.
  std::vector<int> operands(const network::Node& node) {
    std::vector<int> all;
    for (const int input : node.inputs) {
      if (input < 0) throw Refusal{"an input is absent", {}};
      const bool fresh = read_.fixed(input) && of_[static_cast<std::size_t>(input)] < 0;
      all.push_back(read_.fixed(input) ? tensor(input) : known(input));
      if (fresh) flow_.constants.push_back(all.back());
    }
    return all;
  }

  void take(int index) {
    at_ = &graph_.nodes[static_cast<std::size_t>(index)];
    const network::Node& node = *at_;
    if (node.outputs.empty() || node.outputs.front() < 0 || read_.fixed(node.outputs.front())) return;
    if (node.operator_name == "Split") return split(node, index);
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
      if (node.outputs[i] >= 0 && uses_[node.outputs[i]] > 0) throw Refusal{"its second output is read", {}};
    if (const auto operations = read_.element_operations(node); !operations.empty()) return append(operations, index);
    finish(step_of(node, index), index, node.outputs.front());
  }

  void finish(Step step, int index, int output) {
    step.name = at_->name;
    step.layer = layer_of(index);
    step.output = tensor(output);
    flow_.steps.push_back(std::move(step));
  }

  /// A step for each part that is read.
  void split(const network::Node& node, int index) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] >= 0 && uses_[node.outputs[i]] > 0) finish(movement(node, i), index, node.outputs[i]);
  }

  int layer_of(int node) const {
    const auto found = std::find_if(network_.layers.begin(), network_.layers.end(),
                                    [&](const network::Layer& layer) { return layer.node == node; });
    return found == network_.layers.end() ? -1 : static_cast<int>(found - network_.layers.begin());
  }

  /// To the step that makes its input, if nobody else reads that; else a step of its own.
  void append(const std::vector<ElementOperation>& operations, int index) {
    const network::Node& node = *at_;
    const int input = read_.moving_input(node), place = known(input), output = node.outputs.front();
    Step* maker = nullptr;
    for (Step& step : flow_.steps)
      if (step.output == place) maker = &step;
    if (uses_[input] == 1 && maker != nullptr && maker->kind != StepKind::reshape &&
        maker->kind != StepKind::movement && !maker->as) {
      maker->after.insert(maker->after.end(), operations.begin(), operations.end());
      maker->name += "+" + node.name;
      flow_.tensors[static_cast<std::size_t>(place)].tensor = output;
      flow_.tensors[static_cast<std::size_t>(place)].name = read_.name(output);
      of_[static_cast<std::size_t>(output)] = place;
      return;
    }
    Step step;
    step.inputs = {place};
    step.after = operations;
    finish(std::move(step), index, output);
  }

  Step step_of(const network::Node& node, int index) {
    const std::string_view name = node.operator_name;
    if (!node.domain.empty() && node.domain != "ai.onnx") throw Refusal{"an operator of " + node.domain, {}};
    if (name == "Conv") return convolution(node, index);
    if (name == "Gemm" || name == "MatMul") return product(node);
    if (name == "MaxPool" || name == "AveragePool") return pool(node);
    if (name == "GlobalAveragePool" || name == "GlobalMaxPool" || name == "ReduceMean") return whole_pool(node);
    if (const auto kind = two_tensors(name)) return elementwise(node, *kind);
    if (name == "Concat") return concat(node);
    if (name == "Softmax" || name == "LogSoftmax") return softmax(node);
    if (name == "LRN") return normalization(node);
    if (is_reshape(name)) return reshape(node);
    return movement(node, 0);
  }

  Step movement(const network::Node& node, std::size_t output) {
    auto moves = moves_of(node, read_, output);
    if (!moves)
      throw Refusal{"no code is generated for this operator, or for a mode of it",
                    "convolutions, products, pools, sums, concatenations, activations, softmax, what moves elements"};
    Step step;
    step.kind = StepKind::movement;
    step.moves = *std::move(moves);
    step.inputs = node.operator_name == "Concat" ? operands(node) : std::vector{known(node.inputs.at(0))};
    return step;
  }

  Step convolution(const network::Node& node, int index) {
    const int layer = layer_of(index);
    std::string reason = "it is no layer";
    Step step;
    step.kind = StepKind::convolution;
    step.inputs = {known_image(node.inputs.at(0))};
    if (layer >= 0) step.problem = problem_of(network_.layers[static_cast<std::size_t>(layer)], 1, reason);
    if (!step.problem) throw Refusal{reason, {}};
    const Problem& p = *step.problem;
    const TensorValue& weights = read_.constant(node.inputs.at(1));
    if (weights.values.size() != static_cast<std::size_t>(p.kernels) * static_cast<std::size_t>(p.kernel_height) *
                                     static_cast<std::size_t>(p.kernel_width) *
                                     static_cast<std::size_t>(p.group_channels()))
      throw Refusal{"its kernel has another size than its geometry", {}};
    step.coefficients = channels_last(weights.values, p.kernels, p.group_channels(), p.kernel_height * p.kernel_width);
    add_bias(node, 1, step);
    flow_.taps += std::int64_t{p.kernel_height} * p.kernel_width * p.group_channels();
    return step;
  }

  void add_bias(const network::Node& node, float factor, Step& step) {
    if (node.inputs.size() < 3 || node.inputs[2] < 0) return;
    ElementOperation bias{.kind = ElementKind::add, .values = read_.constant(node.inputs[2]).values};
    for (float& value : bias.values) value *= factor;
    if (bias.values.size() != 1 && bias.values.size() != static_cast<std::size_t>(step.problem->kernels))
      throw Refusal{"its bias isn't one number for each output", {}};
    step.after.push_back(std::move(bias));
  }

  /// A list of channels times a constant: a convolution of one pixel.
  Step product(const network::Node& node) {
    const bool general = node.operator_name == "Gemm";
    if (node.inputs.size() < 2 || read_.fixed(node.inputs[0]) || !read_.fixed(node.inputs[1]) ||
        (general && node.attributes.integer("transA", 0) != 0))
      throw Refusal{"a product of two computed tensors, or of a transposed one", "a constant as its second factor"};
    const int input = known_image(node.inputs[0]);
    const TensorValue& factor = read_.constant(node.inputs[1]);
    const bool transposed = general && node.attributes.integer("transB", 0) != 0;
    const Extents& in = extents(input);
    if (factor.dimensions.size() != 2 || in.at('H') != 1 || in.at('W') != 1)
      throw Refusal{"a product of more than two dimensions", {}};
    const std::int64_t channels = factor.dimensions[transposed ? 1 : 0],
                       kernels = factor.dimensions[transposed ? 0 : 1];
    Step step;
    step.kind = StepKind::convolution;
    step.inputs = {input};
    Problem p;
    p.height = p.width = 1;
    p.channels = static_cast<int>(channels);
    p.kernels = static_cast<int>(kernels);
    if (const std::string wrong = fault(p); !wrong.empty() || channels != in.at('C')) throw Refusal{wrong, {}};
    step.problem = p;
    step.coefficients = transposed ? factor.values : channels_last(factor.values, 1, p.channels, p.kernels);
    const auto alpha = static_cast<float>(general ? node.attributes.real("alpha", 1) : 1);
    // Behind the sum, as coefficients may be stored rounded.
    if (alpha != 1) step.after.push_back({.kind = ElementKind::multiply, .values = {alpha}});
    if (general) add_bias(node, static_cast<float>(node.attributes.real("beta", 1)), step);
    flow_.taps += channels;
    return step;
  }

  Step pool(const network::Node& node) {
    Step step;
    step.kind = node.operator_name == "MaxPool" ? StepKind::max_pool : StepKind::average_pool;
    step.inputs = {known_image(node.inputs.at(0))};
    const Extents& in = extents(step.inputs.front());
    std::string problem = "its window has other than two dimensions";
    const auto window = network::window_of(node.attributes, {}, {in.at('H'), in.at('W')}, problem);
    if (!window || window->kernel.size() != 2) throw Refusal{problem, {}};
    const auto number = [](std::int64_t value) { return static_cast<int>(std::clamp<std::int64_t>(value, 0, 65536)); };
    const network::Window& w = *window;
    step.window = {number(w.kernel[0]),
                   number(w.kernel[1]),
                   number(w.strides[0]),
                   number(w.strides[1]),
                   number(w.dilations[0]),
                   number(w.dilations[1]),
                   number(w.pads_begin[0]),
                   number(w.pads_begin[1]),
                   number(w.pads_end[0]),
                   number(w.pads_end[1]),
                   node.attributes.integer("count_include_pad", 0) != 0};
    return step;
  }

  /// Dimension of a tensor: 'C' 'H' 'W'; 0 for another one.
  char letter(int index, std::int64_t axis) const {
    const auto at = network::normal_axis(axis, read_.rank(index));
    if (!at) return 0;
    if (!read_.extents(index)) return *at + 1 == read_.rank(index) ? 'W' : '\0';
    constexpr std::string_view image = "NCHW", row = "NCW";
    return (read_.rank(index) == row.size() ? row : image)[*at];
  }

  Step whole_pool(const network::Node& node) {
    Step step;
    step.kind = node.operator_name == "GlobalMaxPool" ? StepKind::max_pool : StepKind::average_pool;
    step.inputs = {known_image(node.inputs.at(0))};
    std::string over = "HW";
    if (node.operator_name == "ReduceMean") {
      over.clear();
      for (const std::int64_t axis : read_.integers(node, "axes", 1)) over.push_back(letter(node.inputs[0], axis));
      if (over.empty() || over.find_first_not_of("HW") != std::string::npos)
        throw Refusal{"a mean over other dimensions than height and width", {}};
    }
    const Extents& in = extents(step.inputs.front());
    Extents out = in;
    for (auto& [dimension, extent] : out.of)
      if (over.find(dimension) != std::string::npos) extent = 1;
    step.window.kernel_height = in.at('H') / out.at('H');
    step.window.kernel_width = in.at('W') / out.at('W');
    if (const auto said = read_.extents(node.outputs.front()); !said || said->of != out.of) step.as = out;
    return step;
  }

  /// Of as many dimensions, so that dimensions of the same letter are the same; or one element.
  bool fits(int input, int output) const {
    const auto elements = read_.constant(input).values.size();
    return elements == 1 || read_.rank(input) == read_.rank(output);
  }

  Step elementwise(const network::Node& node, StepKind kind) {
    Step step;
    step.kind = kind;
    step.inputs = operands(node);
    const int output = node.outputs.front();
    auto out = read_.extents(output);
    if (!out) out = read_.rows(output);
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      for (const auto& [dimension, extent] : extents(step.inputs[i]).of)
        if (!out || !fits(node.inputs[i], output) || (extent != 1 && extent != out->at(dimension)))
          throw Refusal{"its inputs have sizes that don't fit", {}};
    return step;
  }

  /// Of images along the channels in any order of their dimensions; else elements are moved.
  Step concat(const network::Node& node) {
    const bool channels = letter(node.outputs.front(), node.attributes.integer("axis", 1)) == 'C';
    const bool moving = std::none_of(node.inputs.begin(), node.inputs.end(), [&](int i) { return read_.fixed(i); });
    if (!channels || !moving || !read_.extents(node.outputs.front())) return movement(node, 0);
    Step step;
    step.kind = StepKind::concat;
    step.inputs = operands(node);
    return step;
  }

  Step softmax(const network::Node& node) {
    Step step;
    step.kind = StepKind::softmax;
    step.logarithm = node.operator_name == "LogSoftmax";
    step.inputs = {known(node.inputs.at(0))};
    const bool old = graph_.opset > 0 && graph_.opset < 13;
    const std::int64_t axis = node.attributes.integer("axis", old ? 1 : -1);
    step.along = letter(node.inputs[0], axis);
    if (std::string_view("CHW").find(step.along) == std::string_view::npos)
      throw Refusal{"a softmax along another dimension than channels, rows or columns", {}};
    const auto at = network::normal_axis(axis, read_.rank(node.inputs[0]));
    const auto& d = read_.constant(node.inputs[0]).dimensions;
    if (old && network::product(d, *at + 1, d.size()) != 1)
      throw Refusal{"a softmax over several dimensions together", {}};
    return step;
  }

  Step normalization(const network::Node& node) {
    Step step;
    step.kind = StepKind::lrn;
    step.inputs = {known_image(node.inputs.at(0))};
    const auto& a = node.attributes;
    step.normalization = {static_cast<int>(std::clamp<std::int64_t>(a.integer("size", 1), 1, 65536)),
                          static_cast<float>(a.real("alpha", 1e-4)), static_cast<float>(a.real("beta", 0.75)),
                          static_cast<float>(a.real("bias", 1))};
    return step;
  }

  Step reshape(const network::Node& node) {
    Step step;
    step.kind = StepKind::reshape;
    step.inputs = {known(node.inputs.at(0))};
    return step;
  }

  const network::Network& network_;
  const Graph& graph_;
  const NodeValues read_;
  std::vector<int> of_;  ///< place in the flow of each tensor of the graph; -1: none
  std::map<int, int> uses_;
  const network::Node* at_ = nullptr;
  Flow flow_;
};

}  // namespace

std::optional<Flow> flow_of(const network::Network& network, const TensorValues& values, Diagnostics& diagnostics) {
  if (!network.graph) {
    diagnostics.error({network.source_file, 0, {}},
                      "the network isn't measured as a whole: its format has no operators", "a graph, such as ONNX");
    return std::nullopt;
  }
  return Builder(network, values).run(diagnostics);
}

void store_as(Flow& flow, const flyte::Storage& activations, const flyte::Storage& weights) {
  flow.stored = activations;
  for (Step& step : flow.steps)
    if (step.problem) step.problem->stored = {activations, weights, activations};
}

std::vector<float> rows_columns_channels(const TensorValue& value, const Extents& extents) {
  return channels_last(value.values, 1, extents.at('C'), extents.at('H') * extents.at('W'));
}

}  // namespace convscope::cpu
