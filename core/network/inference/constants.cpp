// Operators that make tensors, and those that tell about tensors: Shape, Size, Cast.

#include <cmath>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// Values of a Constant node are the output's constant already, unless they came as numbers.
void infer_constant(NodeView& node) {
  const Attributes& attributes = node.attributes();
  const auto list_type = [&](const char* name) { return attributes.has(name) && node.output_shape(0).known == false; };
  if (attributes.has("value_float")) {
    node.set(0, Dimensions{}, ElementType::float32);
    node.fold(0, {attributes.real("value_float", 0)});
  } else if (attributes.has("value_int")) {
    node.set(0, Dimensions{}, ElementType::int64);
    node.fold(0, {static_cast<double>(attributes.integer("value_int", 0))});
  } else if (list_type("value_floats")) {
    const auto reals = attributes.reals("value_floats");
    node.set(0, Dimensions{static_cast<std::int64_t>(reals.size())}, ElementType::float32);
    node.fold(0, Values(reals.begin(), reals.end()));
  } else if (list_type("value_ints")) {
    const auto integers = attributes.integers("value_ints");
    node.set(0, Dimensions{static_cast<std::int64_t>(integers.size())}, ElementType::int64);
    node.fold(0, Values(integers.begin(), integers.end()));
  }
}

struct Fill {
  double value = 0;
  ElementType type = ElementType::float32;
};

/// Attribute `value`: one number, alone or in a list. The type is what the reader declared, else the number's.
Fill fill_of(const NodeView& node) {
  const Attributes& attributes = node.attributes();
  Fill fill;
  const auto integers = attributes.integers("value");
  const auto reals = attributes.reals("value");
  if (!integers.empty())
    fill = {static_cast<double>(integers[0]), ElementType::int64};
  else if (!reals.empty())
    fill = {reals[0], ElementType::float32};
  else if (attributes.integer("value", 0) != 0)
    fill = {static_cast<double>(attributes.integer("value", 0)), ElementType::int64};
  else
    fill.value = attributes.real("value", 0);
  if (node.output_type(0) != ElementType::unknown) fill.type = node.output_type(0);
  return fill;
}

void infer_constant_of_shape(NodeView& node) {
  const Fill fill = fill_of(node);
  const auto target = node.values(0);
  if (!target) {
    const TensorShape list = node.shape(0);
    const bool known = list.dimensions.size() == 1 && list.dimensions[0] >= 0 && list.dimensions[0] <= 64;
    return node.set(0, known ? shape_of_rank(static_cast<std::size_t>(list.dimensions[0])) : TensorShape{}, fill.type);
  }
  Dimensions out;
  for (const auto& value : *target) out.push_back(value ? saturating_integer(*value) : unknown_dimension);
  for (std::int64_t& dimension : out) {
    if (dimension < unknown_dimension) dimension = std::numeric_limits<std::int64_t>::min();
  }
  const std::int64_t count = product(out);
  const std::size_t rank = out.size();
  node.set(0, std::move(out), fill.type);
  node.fill(0, fill.value);
  if (rank <= 1 && count >= 0 && count <= 64) node.fold(0, Values(static_cast<std::size_t>(count), fill.value));
}

void infer_shape_operator(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, shape_of_rank(1), ElementType::int64);
  if (!data.known) return;
  const auto rank = static_cast<std::int64_t>(data.dimensions.size());
  const auto clamp = [rank](std::int64_t position) {
    if (position < 0) position = saturating_add(position, rank);
    return std::max<std::int64_t>(0, std::min(position, rank));
  };
  const std::int64_t start = clamp(node.attributes().integer("start", 0));
  const std::int64_t end = std::max(start, clamp(node.attributes().integer("end", rank)));
  Values values;
  for (std::int64_t i = start; i < end; ++i) {
    const std::int64_t dimension = data.dimensions[static_cast<std::size_t>(i)];
    values.push_back(dimension < 0 ? std::nullopt : std::optional(static_cast<double>(dimension)));
  }
  node.set(0, Dimensions{end - start}, ElementType::int64);
  node.fold(0, std::move(values));
}

void infer_size(NodeView& node) {
  node.set(0, Dimensions{}, ElementType::int64);
  if (const auto count = node.shape(0).elements()) node.fold(0, {static_cast<double>(*count)});
}

ElementType cast_type(const NodeView& node) {
  const std::string name = node.attributes().text("to");  // before opset 6
  if (name == "FLOAT") return ElementType::float32;
  if (name == "INT64") return ElementType::int64;
  if (name == "INT32") return ElementType::int32;
  const std::int64_t number = node.attributes().integer("to", 0);
  return number == 0 ? node.output_type(0) : element_type_of_onnx(number);
}

bool is_integer(ElementType type) {
  return type >= ElementType::int4 && type <= ElementType::uint64;
}

void infer_cast(NodeView& node) {
  const ElementType type = cast_type(node);
  node.set(0, node.shape(0), type);
  auto values = node.values(0);
  if (!values) return;
  for (auto& value : *values) {
    if (value && is_integer(type)) value = std::trunc(*value);
    if (value && type == ElementType::boolean) value = *value != 0;
  }
  node.fold(0, std::move(*values));
}

void infer_cast_like(NodeView& node) {
  node.set(0, node.shape(0), node.type(1));
}

void infer_range(NodeView& node) {
  node.set(0, shape_of_rank(1), node.type(0));
  const auto start = node.reals(0), limit = node.reals(1), step = node.reals(2);
  if (!start || !limit || !step || start->size() != 1 || limit->size() != 1 || step->size() != 1) return;
  if (step->front() == 0) return node.contradiction("its step is 0");
  const double count = std::ceil((limit->front() - start->front()) / step->front());
  if (std::isnan(count)) return node.contradiction("its limits are not numbers");
  const std::int64_t size = std::max<std::int64_t>(0, saturating_integer(count));
  node.set(0, Dimensions{size}, node.type(0));
  if (size > 64) return;
  Values values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(start->front() + static_cast<double>(i) * step->front());
  node.fold(0, std::move(values));
}

void infer_random(NodeView& node) {
  const std::int64_t type = node.attributes().integer("dtype", 1);
  node.set(0, node.attributes().integers("shape"), element_type_of_onnx(type));
}

}  // namespace

void add_constant_rules(RuleTable& table) {
  table["Constant"] = infer_constant;
  table["ConstantOfShape"] = infer_constant_of_shape;
  table["Shape"] = infer_shape_operator;
  table["Size"] = infer_size;
  table["Cast"] = infer_cast;
  table["CastLike"] = infer_cast_like;
  table["Range"] = infer_range;
  table["RandomNormal"] = table["RandomUniform"] = infer_random;
}

}  // namespace convscope::network
