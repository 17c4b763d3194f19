#include "core/quantization/unquantizing.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/quantization/sharing.h"

namespace convscope::quantization {

using network::ElementType;
using network::Graph;
using network::Node;

bool is_quantizing(const Node& node) {
  return node.operator_name == "QuantizeLinear" || node.operator_name == "DequantizeLinear" ||
         node.operator_name.starts_with("QLinear");
}

bool is_quantized(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), is_quantizing) ||
         std::any_of(graph.tensors.begin(), graph.tensors.end(), [](const auto& tensor) { return tensor.scale; });
}

Unquantizing::Unquantizing(const Graph& graph) : RealGraph(graph), stands_for_(graph.tensors.size()) {
  for (std::size_t i = 0; i < stands_for_.size(); ++i) stands_for_[i] = static_cast<int>(i);
  types_.reserve(graph.tensors.size());
  for (const network::Tensor& tensor : graph.tensors) types_.push_back(tensor.type);
  give_stated_scales();
  for (Node node : graph.nodes) {
    if (!reason().empty()) return;
    add(std::move(node));
  }
  for (int& output : result_.graph.outputs) output = named_as(output, stands_for_[index_of(output)]);
  hold_what_others_read();
}

int Unquantizing::named_as(int output, int real) {
  const std::vector<int>& inputs = result_.graph.inputs;
  const bool given = std::find(inputs.begin(), inputs.end(), real) != inputs.end();
  if (!given && !tensor(real).constant) std::swap(tensor(output).name, tensor(real).name);
  return real;
}

void Unquantizing::add(Node node) {
  std::vector<int> integers;  // inputs that were integers, and have a scale by now
  for (int& input : node.inputs) {
    if (input < 0) continue;
    const int before = input;
    input = stands_for_[index_of(input)];
    if (scale(input) && !is_real(types_[index_of(before)])) integers.push_back(input);
  }
  const std::string& name = node.operator_name;
  if (name == "QuantizeLinear") return quantize(std::move(node));
  if (name == "DequantizeLinear") return dequantize(std::move(node));
  if (name == "QLinearConv") return multiply(std::move(node), "Conv");
  if (name == "QLinearMatMul") return multiply(std::move(node), "MatMul");
  if (name == "QLinearAdd") return combine(std::move(node), "Add");
  if (name == "QLinearMul") return combine(std::move(node), "Mul");
  const auto states = [&](int index) { return states_scale(index); };
  if (std::any_of(node.inputs.begin(), node.inputs.end(), states) ||
      std::any_of(node.outputs.begin(), node.outputs.end(), states))
    return compute(std::move(node));
  if (!integers.empty()) return pass(std::move(node), integers);
  if (name.starts_with("QLinear")) return void(fail(node, "is an operator that isn't known as one of real numbers"));
  add_node(std::move(node));
}

std::size_t Unquantizing::axis_of(const Node& node) {
  const std::int64_t rank = static_cast<std::int64_t>(tensor(node.inputs[0]).shape.dimensions.size());
  const std::int64_t axis = node.attributes.integer("axis", 1);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, axis < 0 ? axis + rank : axis));
}

void Unquantizing::quantize(Node node) {
  const ElementType type = types_[index_of(node.outputs[0])];
  const auto own = stated(node, {0}, type, axis_of(node));
  if (!own || !give(node, node.outputs[0], *own)) return;
  if (tensor(node.inputs[0]).constant && !scale(node.inputs[0])) {
    scale(node.inputs[0]) = own;
    stands_for_[index_of(node.outputs[0])] = node.inputs[0];
    return;
  }
  add_clip(node, node.inputs[0], node.outputs[0], *own);
}

void Unquantizing::dequantize(Node node) {
  const auto own = stated(node, {0}, types_[index_of(node.inputs[0])], axis_of(node));
  if (!own) return;
  if (tensor(node.inputs[0]).constant && !is_real(tensor(node.inputs[0]).type)) {
    give_constant(node, node.outputs[0], node.inputs[0], *own);
  } else if (give(node, node.inputs[0], *own)) {
    stands_for_[index_of(node.outputs[0])] = node.inputs[0];
  }
}

int Unquantizing::operand(const Node& node, Operand at, std::size_t axis) {
  const int index = node.inputs[at.at];
  const auto own = stated(node, at, tensor(index).type, axis);
  if (!own) return -1;
  if (!tensor(index).constant) return give(node, index, *own) ? index : -1;
  if (is_real(tensor(index).type)) return fail(node, "takes real numbers as integers"), -1;
  const int made = add_tensor(tensor(index).name + ".real", {});
  return give_constant(node, made, index, *own) ? made : -1;
}

int Unquantizing::bias(const Node& node, int data, int weights) {
  constexpr std::size_t at = 8;
  if (at >= node.inputs.size() || node.inputs[at] < 0) return -1;
  OwnScale own{ElementType::int32, scale(weights)->scales, {}, 0};  // QLinearConv: y = x * w in their scales' product
  for (double& each : own.scales) each *= scale(data)->scales[0];
  own.zero_points.assign(own.scales.size(), 0);
  if (!tensor(node.inputs[at]).constant) return fail(node, "takes a bias that is no constant"), -1;
  const int made = add_tensor(tensor(node.inputs[at]).name + ".real", {});
  return give_constant(node, made, node.inputs[at], own) ? made : -1;
}

void Unquantizing::finish(Node node, const char* operator_name, std::vector<int> inputs, Operand result) {
  const auto own = stated(node, {result.at - 1}, types_[index_of(node.outputs[0])], 0);
  if (!own || !reason().empty() || !give(node, node.outputs[0], *own)) return;
  const int out = node.outputs[0];
  const int made = add_tensor(tensor(out).name + ".unclipped", tensor(out).shape);
  Node real{node.name, operator_name, "", std::move(inputs), {made}, node.attributes, node.source_line};
  add_node(std::move(real));
  node.name += ".clip";
  add_clip(node, made, out, *own);
}

void Unquantizing::multiply(Node node, const char* operator_name) {
  if (node.inputs.size() < 8) return void(fail(node, "lacks inputs"));
  const bool convolves = node.operator_name == "QLinearConv";
  const auto rank = tensor(node.inputs[3]).shape.dimensions.size();
  const int data = operand(node, {0}, 0);
  const int weights = data < 0 ? -1 : operand(node, {3}, convolves || rank == 0 ? 0 : rank - 1);
  if (weights < 0) return;
  std::vector<int> inputs{data, weights};
  const int added = convolves ? bias(node, data, weights) : -1;
  if (added >= 0) inputs.push_back(added);
  finish(std::move(node), operator_name, std::move(inputs), {6});
}

void Unquantizing::combine(Node node, const char* operator_name) {
  if (node.inputs.size() < 7) return void(fail(node, "lacks inputs"));
  const int left = operand(node, {0}, 0), right = left < 0 ? -1 : operand(node, {3}, 0);
  if (right >= 0) finish(std::move(node), operator_name, {left, right}, {6});
}

void Unquantizing::pass(Node node, const std::vector<int>& integers) {
  if (!keeps_point(node)) return void(fail(node, "computes with integers, which isn't known of real numbers"));
  const OwnScale own = *scale(integers.front());
  for (const int each : integers)
    if (*scale(each) != own) return void(fail(node, "joins integers of different scales"));
  if (own.scales.size() > 1) return void(fail(node, "takes integers that have several scales"));
  for (const int output : node.outputs)
    if (output >= 0 && !is_real(types_[index_of(output)]) && !give(node, output, own)) return;
  add_node(std::move(node));
}

void Unquantizing::give_stated_scales() {
  for (std::size_t i = 0; i < result_.graph.tensors.size(); ++i) {
    network::Tensor& tensor = result_.graph.tensors[i];
    if (!tensor.scale || tensor.constant) continue;
    const OwnScale own = own_scale(*tensor.scale);
    const Node by{tensor.name, "tensor", {}, {}, {}, {}};
    if (!usable(by, own) || !give(by, static_cast<int>(i), own)) return;
  }
}

bool Unquantizing::keeps_scale(const Node& node) {
  if (!keeps_point(node) || node.inputs.empty() || node.inputs.front() < 0) return false;
  const std::optional<OwnScale> first = scale(node.inputs.front());
  const auto differs = [&](int index) {
    return index >= 0 && !tensor(index).constant && is_real(tensor(index).type) && scale(index) != first;
  };
  return first && std::none_of(node.inputs.begin(), node.inputs.end(), differs) &&
         std::none_of(node.outputs.begin(), node.outputs.end(), differs);
}

void Unquantizing::compute(Node node) {
  for (int& input : node.inputs) {
    if (!states_scale(input) || !tensor(input).constant) continue;
    const OwnScale own = own_scale(*tensor(input).scale);
    const int made = add_tensor(tensor(input).name + ".real", {});
    if (!usable(node, own) || !give_constant(node, made, input, own)) return;
    input = made;
  }
  make_sums_real(node);
  if (keeps_scale(node)) return add_node(std::move(node));
  const Node by = node;
  for (int& output : node.outputs)
    if (output >= 0 && scale(output)) output = add_tensor(tensor(output).name + ".unclipped", tensor(output).shape);
  const std::vector<int> unclipped = node.outputs;
  add_node(std::move(node));
  for (std::size_t i = 0; i < unclipped.size(); ++i)
    if (unclipped[i] != by.outputs[i]) add_clip(by, unclipped[i], by.outputs[i], *scale(by.outputs[i]));
}

RealTensors::RealTensors(const Graph& graph) : RealGraph(graph) {
  result_.graph.nodes = graph.nodes;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!graph.tensors[i].scale) continue;
    const int index = static_cast<int>(i);
    const Node by{graph.tensors[i].name, "tensor", {}, {}, {}, {}};
    const OwnScale own = own_scale(*graph.tensors[i].scale);
    if (!usable(by, own) || (graph.tensors[i].constant && !give_constant(by, index, index, own))) return;
    tensor(index).type = ElementType::float32;
    tensor(index).scale = nullptr;
  }
  for (const Node& node : graph.nodes) {
    const auto is_one = [&](int input) { return input >= 0 && is_real(tensor(input).type); };
    if (std::any_of(node.inputs.begin(), node.inputs.end(), is_one)) make_sums_real(node);
  }
}

}  // namespace convscope::quantization
