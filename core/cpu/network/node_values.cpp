#include "core/cpu/network/node_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/network/inference/dimensions.h"

namespace convscope::cpu {
namespace {

using ElementKind = ElementOperation::Kind;

constexpr float unbounded = std::numeric_limits<float>::max();

ElementOperation plain(ElementKind kind, double low = 0, double high = 0) {
  return {kind, static_cast<float>(low), static_cast<float>(high), {}};
}

ElementOperation of_values(ElementKind kind, std::vector<float> values) {
  return {kind, 0, 0, std::move(values)};
}

template <typename Change>
std::vector<float> changed(std::vector<float> values, const Change& change) {
  for (float& value : values) value = change(value);
  return values;
}

std::vector<ElementOperation> activation(const network::Node& node) {
  const std::string_view name = node.operator_name;
  const auto& a = node.attributes;
  if (name == "Relu") return {plain(ElementKind::relu)};
  if (name == "LeakyRelu") return {plain(ElementKind::leaky_relu, a.real("alpha", 0.01))};
  if (name == "Sigmoid") return {plain(ElementKind::sigmoid)};
  if (name == "Tanh") return {plain(ElementKind::tanh)};
  if (name == "HardSigmoid") return {plain(ElementKind::hard_sigmoid, a.real("alpha", 0.2), a.real("beta", 0.5))};
  if (name == "HardSwish") return {plain(ElementKind::hard_swish)};
  if (name == "Exp") return {plain(ElementKind::exp)};
  if (name == "Neg") return {of_values(ElementKind::multiply, {-1})};
  return {};
}

}  // namespace

std::vector<float> channels_last(const std::vector<float>& values, std::int64_t outer, std::int64_t channels,
                                 std::int64_t pixels) {
  std::vector<float> result(values.size());
  std::size_t next = 0;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t p = 0; p < pixels; ++p)
      for (std::int64_t c = 0; c < channels; ++c)
        result[next++] = values[static_cast<std::size_t>((o * channels + c) * pixels + p)];
  return result;
}

NodeValues::NodeValues(const network::Graph& graph, const TensorValues& values)
    : graph_(graph), values_(values), fixed_(graph.tensors.size(), false) {
  for (std::size_t i = 0; i < fixed_.size(); ++i) fixed_[i] = graph.tensors[i].constant != nullptr;
  for (const network::Node& node : graph.nodes) {
    const bool of_shape = node.operator_name == "Shape" || node.operator_name == "Size";  // all sizes are known
    const bool all =
        of_shape || std::all_of(node.inputs.begin(), node.inputs.end(), [&](int input) { return fixed(input); });
    for (const int output : node.outputs)
      if (output >= 0) fixed_[static_cast<std::size_t>(output)] = all;
  }
}

std::string NodeValues::name(int tensor) const {
  return graph_.tensors[static_cast<std::size_t>(tensor)].name;
}

std::size_t NodeValues::rank(int tensor) const {
  return constant(tensor).dimensions.size();
}

std::optional<Extents> NodeValues::extents(int tensor) const {
  std::vector<std::int64_t> d = constant(tensor).dimensions;
  if (d.size() < 2 || d.size() > 4 || d.front() != 1) return std::nullopt;
  if (d.size() == 3) d.insert(d.begin() + 2, 1);
  d.resize(4, 1);
  for (const std::int64_t extent : d)
    if (extent < 1 || extent > 1 << 28) return std::nullopt;
  return Extents{{{'H', static_cast<int>(d[2])}, {'W', static_cast<int>(d[3])}, {'C', static_cast<int>(d[1])}}};
}

std::optional<Extents> NodeValues::rows(int tensor) const {
  const std::vector<std::int64_t>& d = constant(tensor).dimensions;
  const std::int64_t last = d.empty() ? 1 : d.back(), all = network::product(d);
  if (all < 1 || all > 1 << 28) return std::nullopt;
  return Extents{{{'H', 1}, {'W', static_cast<int>(last)}, {'C', static_cast<int>(all / last)}}};
}

const TensorValue& NodeValues::constant(int tensor) const {
  static const TensorValue none;
  const auto found = values_.find(tensor);
  return found == values_.end() ? none : found->second;
}

std::vector<std::int64_t> NodeValues::integers(const network::Node& node, const std::string& attribute,
                                               std::size_t input) const {
  std::vector<std::int64_t> all = node.attributes.integers(attribute);
  if (all.empty() && node.inputs.size() > input)
    for (const float value : constant(node.inputs[input]).values) all.push_back(network::saturating_integer(value));
  return all;
}

int NodeValues::moving_input(const network::Node& node) const {
  int found = -1;
  for (const int input : node.inputs) {
    if (fixed(input)) continue;
    if (found >= 0) return -1;
    found = input;
  }
  return found;
}

std::optional<float> NodeValues::number(const network::Node& node, std::size_t input) const {
  if (node.inputs.size() <= input || node.inputs[input] < 0) return std::nullopt;
  const TensorValue& value = constant(node.inputs[input]);
  return value.values.size() == 1 ? std::optional(value.values.front()) : std::nullopt;
}

bool NodeValues::by_channel(const TensorValue& value, int like) const {
  if (value.values.size() == 1) return true;
  std::vector<std::int64_t> d = value.dimensions;
  const std::size_t all = rank(like);
  if (d.size() > all) return false;
  d.insert(d.begin(), all - d.size(), 1);
  const auto of_image = extents(like);
  for (std::size_t i = 0; i < all; ++i)
    if (d[i] != (i == 1 && of_image ? of_image->at('C') : 1)) return false;
  return true;
}

std::vector<ElementOperation> NodeValues::with_constant(const network::Node& node) const {
  constexpr std::array names{"Add", "Sub", "Mul", "Div"};
  const auto name = std::find(names.begin(), names.end(), node.operator_name);
  if (name == names.end() || node.inputs.size() != 2) return {};
  const bool reversed = fixed(node.inputs[0]);
  const TensorValue& value = constant(node.inputs[reversed ? 0 : 1]);
  if (!by_channel(value, node.inputs[reversed ? 1 : 0])) return {};
  if (name == names.begin()) return {of_values(ElementKind::add, value.values)};
  if (name == names.begin() + 2) return {of_values(ElementKind::multiply, value.values)};
  if (name == names.begin() + 3) {
    if (reversed) return {};
    return {of_values(ElementKind::multiply, changed(value.values, [](float v) { return 1 / v; }))};
  }
  if (reversed) return {of_values(ElementKind::multiply, {-1}), of_values(ElementKind::add, value.values)};
  return {of_values(ElementKind::add, changed(value.values, [](float v) { return -v; }))};
}

std::vector<ElementOperation> NodeValues::scaled(const network::Node& node) const {
  if (node.inputs.size() < 5 || node.attributes.integer("training_mode", 0) != 0 || !extents(node.inputs[0])) return {};
  std::array<const std::vector<float>*, 4> of{};  // scale, bias, mean, variance
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = &constant(node.inputs[i + 1]).values;
  const double epsilon = node.attributes.real("epsilon", 1e-5);
  std::vector<float> factor, offset;
  for (std::size_t c = 0; c < of[0]->size(); ++c) {
    if (std::any_of(of.begin(), of.end(), [&](const auto* values) { return values->size() <= c; })) return {};
    const double scale = (*of[0])[c] / std::sqrt((*of[3])[c] + epsilon);
    factor.push_back(static_cast<float>(scale));
    offset.push_back(static_cast<float>((*of[1])[c] - (*of[2])[c] * scale));
  }
  return {of_values(ElementKind::multiply, std::move(factor)), of_values(ElementKind::add, std::move(offset))};
}

std::vector<ElementOperation> NodeValues::clip(const network::Node& node) const {
  const float low = number(node, 1).value_or(static_cast<float>(node.attributes.real("min", -unbounded)));
  const float high = number(node, 2).value_or(static_cast<float>(node.attributes.real("max", unbounded)));
  return {plain(ElementKind::clip, low, high)};
}

std::vector<ElementOperation> NodeValues::element_operations(const network::Node& node) const {
  if (moving_input(node) < 0 || (!node.domain.empty() && node.domain != "ai.onnx")) return {};
  if (node.operator_name == "Clip") return clip(node);
  if (node.operator_name == "BatchNormalization") return scaled(node);
  auto known = activation(node);
  return known.empty() ? with_constant(node) : known;
}

}  // namespace convscope::cpu
