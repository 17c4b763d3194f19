#include "core/quantization/real_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "core/quantization/network_formats.h"

namespace convscope::quantization {

using network::ElementType;
using network::Graph;
using network::Node;

RealGraph::RealGraph(const Graph& graph) : result_{graph, {}, std::vector<bool>(graph.tensors.size(), false)} {
  result_.scales.resize(graph.tensors.size());
  result_.graph.nodes.clear();
}

bool RealGraph::fail(const Node& node, const std::string& why) {
  reason_ = fmt::format("{} '{}' {}", node.operator_name, node.name, why);
  return false;
}

int RealGraph::add_tensor(const std::string& name, network::TensorShape shape) {
  result_.graph.tensors.push_back({name, ElementType::float32, std::move(shape), nullptr});
  result_.scales.emplace_back();
  result_.passed.push_back(false);
  return static_cast<int>(result_.graph.tensors.size()) - 1;
}

void RealGraph::hold_what_others_read() {
  std::vector<int> readers(result_.passed.size(), 0);
  for (const int output : result_.graph.outputs) ++readers[index_of(output)];
  for (const Node& node : result_.graph.nodes)
    for (const int input : node.inputs)
      if (input >= 0) ++readers[index_of(input)];
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (readers[i] > 1) result_.passed[i] = false;
}

std::optional<OwnScale> RealGraph::stated(const Node& node, Operand operand, ElementType type, std::size_t axis) {
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
  return usable(node, own) ? std::optional(own) : std::nullopt;
}

bool RealGraph::usable(const Node& node, const OwnScale& own) {
  const auto above = [](double each) { return std::isfinite(each) && each > 0; };
  return (std::all_of(own.scales.begin(), own.scales.end(), above) && holds_quantized(own.type)) ||
         fail(node, "has a scale that isn't above 0, or a type that holds no integers of 4 to 32 bits");
}

bool RealGraph::fits(const Node& node, const OwnScale& own, int index) {
  const auto& dimensions = tensor(index).shape.dimensions;
  if (own.scales.size() == 1) return true;
  if (own.axis < dimensions.size() && dimensions[own.axis] == static_cast<std::int64_t>(own.scales.size())) return true;
  return fail(node, "has scales that don't fit its values");
}

bool RealGraph::give(const Node& node, int index, const OwnScale& own) {
  if (!fits(node, own, index)) return false;
  if (scale(index) && *scale(index) != own)
    return fail(node, "takes its values by another scale than they were made with");
  scale(index) = own;
  tensor(index).type = ElementType::float32;
  return true;
}

void RealGraph::add_clip(const Node& by, int from, int to, const OwnScale& own) {
  Node clip{by.name, "Clip", "", {from}, {to}, {}, by.source_line};
  Range range = own.range(0);
  for (std::size_t i = 1; i < own.scales.size(); ++i) range.add(own.range(i));
  clip.attributes.set("min", range.least);
  clip.attributes.set("max", range.most);
  result_.passed[index_of(from)] = true;
  add_node(std::move(clip));
}

void RealGraph::make_sums_real(const Node& node) {
  for (const int output : node.outputs) {
    if (output < 0 || scale(output)) continue;
    const ElementType type = tensor(output).type;
    if (holds_quantized(type) && network::element_bits(type) <= 16) tensor(output).type = ElementType::float32;
  }
}

bool RealGraph::give_constant(const Node& node, int to, int from, const OwnScale& own) {
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

}  // namespace convscope::quantization
