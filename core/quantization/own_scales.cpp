#include "core/quantization/own_scales.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/quantization/compared_executions.h"
#include "core/quantization/network_formats.h"
#include "core/quantization/sharing.h"

namespace convscope::quantization {
namespace {

using network::ElementType;
using network::Graph;
using network::Node;

bool is_signed(ElementType type) {
  return type == ElementType::int4 || type == ElementType::int8 || type == ElementType::int16 ||
         type == ElementType::int32;
}

bool holds_quantized(ElementType type) {
  return is_signed(type) || type == ElementType::uint4 || type == ElementType::uint8 || type == ElementType::uint16;
}

double least_integer(ElementType type) {
  return is_signed(type) ? -std::ldexp(1, network::element_bits(type) - 1) : 0;
}

double most_integer(ElementType type) {
  return least_integer(type) + std::ldexp(1, network::element_bits(type)) - 1;
}

bool is_quantizing(const Node& node) {
  return node.operator_name == "QuantizeLinear" || node.operator_name == "DequantizeLinear" ||
         node.operator_name.starts_with("QLinear");
}

/// Where the inputs of a quantized operator are: values, then their scale and zero point.
struct Operand {
  std::size_t at;
  std::size_t scale() const { return at + 1; }
  std::size_t zero() const { return at + 2; }
};

/// Rewrites a graph node by node. The first thing that it can't express ends it.
class Unquantizing {
 public:
  explicit Unquantizing(const Graph& graph)
      : result_{graph, {}, std::vector<bool>(graph.tensors.size(), false)}, stands_for_(graph.tensors.size()) {
    result_.scales.resize(graph.tensors.size());
    for (std::size_t i = 0; i < stands_for_.size(); ++i) stands_for_[i] = static_cast<int>(i);
    for (const network::Tensor& tensor : graph.tensors) types_.push_back(tensor.type);
    result_.graph.nodes.clear();
    for (Node node : graph.nodes) {
      if (!reason_.empty()) return;
      add(std::move(node));
    }
    for (int& output : result_.graph.outputs) output = stands_for_[index_of(output)];
    hold_what_others_read();
  }

  const std::string& reason() const { return reason_; }  ///< empty: done
  ScaledGraph result() && { return std::move(result_); }

 private:
  network::Tensor& tensor(int index) { return result_.graph.tensors[index_of(index)]; }
  std::optional<OwnScale>& scale(int index) { return result_.scales[index_of(index)]; }

  bool fail(const Node& node, const std::string& why) {
    reason_ = fmt::format("{} '{}' {}", node.operator_name, node.name, why);
    return false;
  }

  int add_tensor(const std::string& name, network::TensorShape shape) {
    result_.graph.tensors.push_back({name, ElementType::float32, std::move(shape), nullptr});
    result_.scales.emplace_back();
    result_.passed.push_back(false);
    return static_cast<int>(result_.graph.tensors.size()) - 1;
  }

  /// What a scale is put on is held nevertheless, if something else reads it.
  void hold_what_others_read() {
    std::vector<int> readers(result_.passed.size(), 0);
    for (const int output : result_.graph.outputs) ++readers[index_of(output)];
    for (const Node& node : result_.graph.nodes)
      for (const int input : node.inputs)
        if (input >= 0) ++readers[index_of(input)];
    for (std::size_t i = 0; i < readers.size(); ++i)
      if (readers[i] > 1) result_.passed[i] = false;
  }

  void add(Node node) {
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
    if (!integers.empty()) return pass(std::move(node), integers);
    if (name.starts_with("QLinear")) return void(fail(node, "is an operator that isn't known as one of real numbers"));
    result_.graph.nodes.push_back(std::move(node));
  }

  /// The scale that a node states at these inputs; nothing, with a reason, if it can't be used.
  std::optional<OwnScale> stated(const Node& node, Operand operand, ElementType type, std::size_t axis) {
    const auto constant = [&](std::size_t at) {
      return at < node.inputs.size() && node.inputs[at] >= 0 ? tensor(node.inputs[at]).constant : nullptr;
    };
    const auto scales = constant(operand.scale()) ? constant(operand.scale())->floats() : std::nullopt;
    const bool has_zero = operand.zero() < node.inputs.size() && node.inputs[operand.zero()] >= 0;
    const auto zeros = constant(operand.zero()) ? constant(operand.zero())->integers() : std::nullopt;
    if (!scales || scales->empty() || (has_zero && !zeros))
      return fail(node, "takes a scale or zero point that is no constant"), std::nullopt;
    if (node.attributes.integer("block_size", 0) != 0) return fail(node, "has scales by block"), std::nullopt;
    if (has_zero) type = constant(operand.zero())->type;
    OwnScale own{
        type, {scales->begin(), scales->end()}, std::vector<double>(scales->size(), 0), scales->size() == 1 ? 0 : axis};
    if (zeros && zeros->size() != 1 && zeros->size() != scales->size())
      return fail(node, "has another number of zero points than of scales"), std::nullopt;
    for (std::size_t i = 0; zeros && i < own.zero_points.size(); ++i)
      own.zero_points[i] = static_cast<double>((*zeros)[zeros->size() == 1 ? 0 : i]);
    const bool usable =
        std::all_of(own.scales.begin(), own.scales.end(), [](double each) { return std::isfinite(each) && each > 0; });
    if (!usable || !holds_quantized(type))
      return fail(node, "has a scale that isn't above 0, or a type that holds no integers of 4 to 32 bits"),
             std::nullopt;
    return own;
  }

  /// Along this axis, if there are several scales; checks that they are as many as the tensor has indices there.
  bool fits(const Node& node, const OwnScale& own, int index) {
    const auto& dimensions = tensor(index).shape.dimensions;
    if (own.scales.size() == 1) return true;
    if (own.axis < dimensions.size() && dimensions[own.axis] == static_cast<std::int64_t>(own.scales.size()))
      return true;
    return fail(node, "has scales that don't fit its values");
  }

  std::size_t axis_of(const Node& node) {
    const std::int64_t rank = static_cast<std::int64_t>(tensor(node.inputs[0]).shape.dimensions.size());
    const std::int64_t axis = node.attributes.integer("axis", 1);
    return static_cast<std::size_t>(std::max<std::int64_t>(0, axis < 0 ? axis + rank : axis));
  }

  /// Gives a tensor its scale, or compares with the one that it has.
  bool give(const Node& node, int index, const OwnScale& own) {
    if (!fits(node, own, index)) return false;
    if (scale(index) && *scale(index) != own)
      return fail(node, "takes its values by another scale than they were made with");
    scale(index) = own;
    tensor(index).type = ElementType::float32;
    return true;
  }

  /// A node that clips `from` to what the scale holds, into `to`.
  void add_clip(const Node& by, int from, int to, const OwnScale& own) {
    Node clip{by.name, "Clip", "", {from}, {to}, {}, by.source_line};
    Range range = own.range(0);
    for (std::size_t i = 1; i < own.scales.size(); ++i) range.add(own.range(i));
    clip.attributes.set("min", range.least);
    clip.attributes.set("max", range.most);
    result_.passed[index_of(from)] = true;
    result_.graph.nodes.push_back(std::move(clip));
  }

  void quantize(Node node) {
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

  void dequantize(Node node) {
    const auto own = stated(node, {0}, types_[index_of(node.inputs[0])], axis_of(node));
    if (!own) return;
    if (tensor(node.inputs[0]).constant && !is_real(tensor(node.inputs[0]).type)) {
      give_constant(node, node.outputs[0], node.inputs[0], *own);
    } else if (give(node, node.inputs[0], *own)) {
      stands_for_[index_of(node.outputs[0])] = node.inputs[0];
    }
  }

  /// Makes `to` the real numbers that the integers of a constant stand for.
  bool give_constant(const Node& node, int to, int from, const OwnScale& own) {
    const auto values = tensor(from).constant->integers(std::size_t{1} << 28);
    const std::vector<std::int64_t> dimensions = tensor(from).constant->dimensions;
    if (!values) return fail(node, "takes a constant without values");
    tensor(to).shape = {true, dimensions, {}};
    if (!fits(node, own, to)) return false;
    const auto floats = std::make_shared<std::vector<float>>();
    floats->reserve(values->size());
    const FilterPoints filters{own.axis, {}};
    for (std::size_t i = 0; i < values->size(); ++i) {
      const std::size_t index = own.scales.size() == 1 ? 0 : filters.filter_of(i, dimensions);
      floats->push_back(
          static_cast<float>((static_cast<double>((*values)[i]) - own.zero_points[index]) * own.scales[index]));
    }
    auto constant = std::make_shared<network::Constant>();
    constant->type = tensor(to).type = ElementType::float32;
    constant->dimensions = dimensions;
    constant->bytes = std::as_bytes(std::span(*floats));
    constant->owner = floats;
    tensor(to).constant = std::move(constant);
    scale(to) = own;
    return true;
  }

  /// An operand as real numbers: a new constant, or the tensor by its scale. -1 with a reason if that can't be.
  int operand(const Node& node, Operand at, std::size_t axis) {
    const int index = node.inputs[at.at];
    const auto own = stated(node, at, tensor(index).type, axis);
    if (!own) return -1;
    if (!tensor(index).constant) return give(node, index, *own) ? index : -1;
    if (is_real(tensor(index).type)) return fail(node, "takes real numbers as integers"), -1;
    const int made = add_tensor(tensor(index).name + ".real", {});
    return give_constant(node, made, index, *own) ? made : -1;
  }

  /// QLinearConv's bias: integers of 32 bits by the product of both scales.
  int bias(const Node& node, int data, int weights) {
    constexpr std::size_t at = 8;
    if (at >= node.inputs.size() || node.inputs[at] < 0) return -1;
    OwnScale own{ElementType::int32, scale(weights)->scales, {}, 0};  // QLinearConv: y = x * w in their scales' product
    for (double& each : own.scales) each *= scale(data)->scales[0];
    own.zero_points.assign(own.scales.size(), 0);
    if (!tensor(node.inputs[at]).constant) return fail(node, "takes a bias that is no constant"), -1;
    const int made = add_tensor(tensor(node.inputs[at]).name + ".real", {});
    return give_constant(node, made, node.inputs[at], own) ? made : -1;
  }

  /// The operator of real numbers, and the clip to the range of its output's type.
  void finish(Node node, const char* operator_name, std::vector<int> inputs, Operand result) {
    const auto own = stated(node, {result.at - 1}, types_[index_of(node.outputs[0])], 0);
    if (!own || !reason_.empty() || !give(node, node.outputs[0], *own)) return;
    const int out = node.outputs[0];
    const int made = add_tensor(tensor(out).name + ".unclipped", tensor(out).shape);
    Node real{node.name, operator_name, "", std::move(inputs), {made}, node.attributes, node.source_line};
    result_.graph.nodes.push_back(std::move(real));
    node.name += ".clip";
    add_clip(node, made, out, *own);
  }

  void multiply(Node node, const char* operator_name) {
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

  void combine(Node node, const char* operator_name) {
    if (node.inputs.size() < 7) return void(fail(node, "lacks inputs"));
    const int left = operand(node, {0}, 0), right = left < 0 ? -1 : operand(node, {3}, 0);
    if (right >= 0) finish(std::move(node), operator_name, {left, right}, {6});
  }

  /// Pools and views of integers: the same of what they stand for.
  void pass(Node node, const std::vector<int>& integers) {
    if (!keeps_point(node)) return void(fail(node, "computes with integers, which isn't known of real numbers"));
    const OwnScale own = *scale(integers.front());
    for (const int each : integers)
      if (*scale(each) != own) return void(fail(node, "joins integers of different scales"));
    if (own.scales.size() > 1) return void(fail(node, "takes integers that have several scales"));
    for (const int output : node.outputs)
      if (output >= 0 && !is_real(types_[index_of(output)]) && !give(node, output, own)) return;
    result_.graph.nodes.push_back(std::move(node));
  }

  ScaledGraph result_;
  std::vector<int> stands_for_;     ///< by tensor of the file: which one has its values now
  std::vector<ElementType> types_;  ///< by tensor of the file, as there
  std::string reason_;
};

}  // namespace

Range OwnScale::range(std::size_t index) const {
  return {(least_integer(type) - zero_points[index]) * scales[index],
          (most_integer(type) - zero_points[index]) * scales[index]};
}

double OwnScale::rounded(double value, std::size_t index) const {
  if (std::isnan(value)) return 0;
  const double integer = std::nearbyint(value / scales[index]) + zero_points[index];
  return (std::clamp(integer, least_integer(type), most_integer(type)) - zero_points[index]) * scales[index];
}

bool OwnScale::is_point() const {
  int exponent = 0;
  const auto power = [&](double each) { return std::frexp(each, &exponent) == 0.5; };
  const auto zero = [](double each) { return each == 0; };
  return is_signed(type) && std::all_of(scales.begin(), scales.end(), power) &&
         std::all_of(zero_points.begin(), zero_points.end(), zero);
}

std::optional<ScaledGraph> with_own_scales(const Graph& graph, const std::string& file, Diagnostics& diagnostics) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_quantizing)) return std::nullopt;
  Unquantizing rewriting(graph);
  if (rewriting.reason().empty()) return std::move(rewriting).result();
  diagnostics.warning({file, 0, {}}, rewriting.reason() + ": the file's own scales aren't used", {},
                      "its integers are executed as they are");
  return std::nullopt;
}

}  // namespace convscope::quantization
