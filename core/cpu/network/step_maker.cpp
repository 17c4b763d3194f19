#include "core/cpu/network/step_maker.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/network/movements.h"
#include "core/network/inference/dimensions.h"
#include "core/network/inference/window.h"

namespace convscope::cpu {
namespace {

using ElementKind = ElementOperation::Kind;

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

}  // namespace

Step StepMaker::step_of(const network::Node& node, int layer) const {
  const std::string_view name = node.operator_name;
  if (!node.domain.empty() && node.domain != "ai.onnx") throw Refusal{"an operator of " + node.domain, {}};
  if (name == "Conv") return convolution(node, layer);
  if (name == "Gemm" || name == "MatMul") return product(node);
  if (name == "MaxPool" || name == "AveragePool") return pool(node);
  if (name == "GlobalAveragePool" || name == "GlobalMaxPool" || name == "ReduceMean") return whole_pool(node);
  if (const auto kind = two_tensors(name)) return elementwise(node, *kind);
  if (name == "Concat") return concat(node);
  if (name == "Softmax" || name == "LogSoftmax") return softmax(node);
  if (name == "LRN") return normalization(node);
  if (is_reshape(name)) {
    Step step;
    step.kind = StepKind::reshape;
    step.inputs = {tensors_.known(node.inputs.at(0))};
    return step;
  }
  return movement(node, 0);
}

Step StepMaker::movement(const network::Node& node, std::size_t output) const {
  auto moves = moves_of(node, read_, output);
  if (!moves)
    throw Refusal{"no code is generated for this operator, or for a mode of it",
                  "convolutions, products, pools, sums, concatenations, activations, softmax, what moves elements"};
  Step step;
  step.kind = StepKind::movement;
  step.moves = *std::move(moves);
  step.inputs =
      node.operator_name == "Concat" ? tensors_.operands(node) : std::vector{tensors_.known(node.inputs.at(0))};
  return step;
}

Step StepMaker::convolution(const network::Node& node, int layer) const {
  std::string reason = "it is no layer";
  Step step;
  step.kind = StepKind::convolution;
  step.inputs = {tensors_.known_image(node.inputs.at(0))};
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
  return step;
}

void StepMaker::add_bias(const network::Node& node, float factor, Step& step) const {
  if (node.inputs.size() < 3 || node.inputs[2] < 0) return;
  ElementOperation bias{.kind = ElementKind::add, .values = read_.constant(node.inputs[2]).values};
  for (float& value : bias.values) value *= factor;
  if (bias.values.size() != 1 && bias.values.size() != static_cast<std::size_t>(step.problem->kernels))
    throw Refusal{"its bias isn't one number for each output", {}};
  step.after.push_back(std::move(bias));
}

/// A list of channels times a constant: a convolution of one pixel.
Step StepMaker::product(const network::Node& node) const {
  const bool general = node.operator_name == "Gemm";
  if (node.inputs.size() < 2 || read_.fixed(node.inputs[0]) || !read_.fixed(node.inputs[1]) ||
      (general && node.attributes.integer("transA", 0) != 0))
    throw Refusal{"a product of two computed tensors, or of a transposed one", "a constant as its second factor"};
  const int input = tensors_.known_image(node.inputs[0]);
  const TensorValue& factor = read_.constant(node.inputs[1]);
  const bool transposed = general && node.attributes.integer("transB", 0) != 0;
  const Extents& in = tensors_.extents(input);
  if (factor.dimensions.size() != 2 || in.at('H') != 1 || in.at('W') != 1)
    throw Refusal{"a product of more than two dimensions", {}};
  const std::int64_t channels = factor.dimensions[transposed ? 1 : 0], kernels = factor.dimensions[transposed ? 0 : 1];
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
  return step;
}

Step StepMaker::pool(const network::Node& node) const {
  Step step;
  step.kind = node.operator_name == "MaxPool" ? StepKind::max_pool : StepKind::average_pool;
  step.inputs = {tensors_.known_image(node.inputs.at(0))};
  const Extents& in = tensors_.extents(step.inputs.front());
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
char StepMaker::letter(int index, std::int64_t axis) const {
  const auto at = network::normal_axis(axis, read_.rank(index));
  if (!at) return 0;
  if (!read_.extents(index)) return *at + 1 == read_.rank(index) ? 'W' : '\0';
  constexpr std::string_view image = "NCHW", row = "NCW";
  return (read_.rank(index) == row.size() ? row : image)[*at];
}

Step StepMaker::whole_pool(const network::Node& node) const {
  Step step;
  step.kind = node.operator_name == "GlobalMaxPool" ? StepKind::max_pool : StepKind::average_pool;
  step.inputs = {tensors_.known_image(node.inputs.at(0))};
  std::string over = "HW";
  if (node.operator_name == "ReduceMean") {
    over.clear();
    for (const std::int64_t axis : read_.integers(node, "axes", 1)) over.push_back(letter(node.inputs[0], axis));
    if (over.empty() || over.find_first_not_of("HW") != std::string::npos)
      throw Refusal{"a mean over other dimensions than height and width", {}};
  }
  const Extents& in = tensors_.extents(step.inputs.front());
  Extents out = in;
  for (auto& [dimension, extent] : out.of)
    if (over.find(dimension) != std::string::npos) extent = 1;
  step.window.kernel_height = in.at('H') / out.at('H');
  step.window.kernel_width = in.at('W') / out.at('W');
  if (const auto said = read_.extents(node.outputs.front()); !said || said->of != out.of) step.as = out;
  return step;
}

/// Of as many dimensions, so that dimensions of the same letter are the same; or one element.
bool StepMaker::fits(int input, int output) const {
  const auto elements = read_.constant(input).values.size();
  return elements == 1 || read_.rank(input) == read_.rank(output);
}

Step StepMaker::elementwise(const network::Node& node, StepKind kind) const {
  Step step;
  step.kind = kind;
  step.inputs = tensors_.operands(node);
  const int output = node.outputs.front();
  auto out = read_.extents(output);
  if (!out) out = read_.rows(output);
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    for (const auto& [dimension, extent] : tensors_.extents(step.inputs[i]).of)
      if (!out || !fits(node.inputs[i], output) || (extent != 1 && extent != out->at(dimension)))
        throw Refusal{"its inputs have sizes that don't fit", {}};
  return step;
}

/// Of images along the channels in any order of their dimensions; else elements are moved.
Step StepMaker::concat(const network::Node& node) const {
  const bool channels = letter(node.outputs.front(), node.attributes.integer("axis", 1)) == 'C';
  const bool moving = std::none_of(node.inputs.begin(), node.inputs.end(), [&](int i) { return read_.fixed(i); });
  if (!channels || !moving || !read_.extents(node.outputs.front())) return movement(node, 0);
  Step step;
  step.kind = StepKind::concat;
  step.inputs = tensors_.operands(node);
  return step;
}

Step StepMaker::softmax(const network::Node& node) const {
  Step step;
  step.kind = StepKind::softmax;
  step.logarithm = node.operator_name == "LogSoftmax";
  step.inputs = {tensors_.known(node.inputs.at(0))};
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

Step StepMaker::normalization(const network::Node& node) const {
  Step step;
  step.kind = StepKind::lrn;
  step.inputs = {tensors_.known_image(node.inputs.at(0))};
  const auto& a = node.attributes;
  step.normalization = {static_cast<int>(std::clamp<std::int64_t>(a.integer("size", 1), 1, 65536)),
                        static_cast<float>(a.real("alpha", 1e-4)), static_cast<float>(a.real("beta", 0.75)),
                        static_cast<float>(a.real("bias", 1))};
  return step;
}

}  // namespace convscope::cpu
