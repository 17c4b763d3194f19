// Inputs, and operators that compute value by value.

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/readers/graphdef/operators.h"

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

/// A node with one operand, of which it has the shape and the layout.
bool finish_alike(const OperatorContext& context, const std::string& operator_name, std::vector<int> more = {},
                  Attributes attributes = {}) {
  Value& in = context.input(0);
  const Layout layout = layout_of(in);
  std::vector<int> operands{context.operand(in, layout)};
  operands.insert(operands.end(), more.begin(), more.end());
  context.finish(operator_name, std::move(operands), std::move(attributes), layout, in.shape);
  return true;
}

std::int64_t broadcast_dimension(std::int64_t a, std::int64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  return a > 1 ? a : b > 1 ? b : network::unknown_dimension;
}

network::TensorShape broadcast_shape(const network::TensorShape& a, const network::TensorShape& b) {
  if (!a.known || !b.known) return {};
  Integers one = a.dimensions, other = b.dimensions;
  const std::size_t rank = std::max(one.size(), other.size());
  one.insert(one.begin(), rank - one.size(), 1);
  other.insert(other.begin(), rank - other.size(), 1);
  for (std::size_t i = 0; i < rank; ++i) one[i] = broadcast_dimension(one[i], other[i]);
  return {true, std::move(one), {}};
}

/// Of several operands: maps first if one of them is so and all have at most four dimensions.
Layout common_layout(const std::vector<const Value*>& values) {
  bool maps = false, four = true;
  for (const Value* value : values) {
    maps = maps || value->is_maps();
    four = four && value->shape.known && value->shape.dimensions.size() <= 4;
  }
  return maps && four ? Layout::maps_first : Layout::file_order;
}

/// A bias is a row of constants, one a map of maps that stand last.
bool is_bias(const Value& linear, const Value& offset) {
  return linear.linear_node >= 0 && linear.shape.known && !linear.shape.dimensions.empty() && offset.constant &&
         offset.has_rank(1) && offset.shape.dimensions[0] == linear.shape.dimensions.back() &&
         (linear.is_maps() || linear.has_rank(2));
}

}  // namespace

/// What the graph is fed with. Before version 24 of the writer, a shape without dimensions was an unknown one.
bool placeholder(const OperatorContext& context) {
  const Attribute* stated_shape = context.source.find("shape", Attribute::Kind::shape);
  network::TensorShape shape = stated_shape == nullptr ? network::TensorShape{} : stated_shape->shape;
  if (shape.known && shape.dimensions.empty() && context.to.file().producer < 24) shape = {};
  if (!shape.known && context.inputs() == 1) shape = context.input(0).shape;  // its default's
  Value& made = context.to.make(context.index);
  const bool maps_last_here = context.to.reads_maps_last(context.index);
  made.type = element_type(context.source.type("dtype"));
  made.shape = std::move(shape);
  if (made.shape.known && !made.shape.dimensions.empty() && made.shape.dimensions[0] < 0 &&
      made.shape.dimensions.size() > 1)
    made.shape.dimensions[0] = open_batch;
  const bool maps = made.has_rank(4) && maps_last_here;
  network::TensorShape declared = stated(made.shape, maps);
  if (made.shape.known && !made.shape.dimensions.empty() && made.shape.dimensions[0] == open_batch)
    declared.symbols = {"batch"};
  const int tensor = context.to.graph().input(made.name, std::move(declared), made.type);
  (maps ? made.with_maps_first : made.in_file_order) = tensor;
  return true;
}

bool identity(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  const Value& in = context.input(0);
  if (in.constant || in.numbers) {
    context.pass(in);
    return true;
  }
  const network::ElementType type = in.type;
  finish_alike(context, "Identity");
  context.to.value({context.index, 0}).type = type;
  return true;
}

bool unary(const OperatorContext& context) {
  static const std::map<std::string, std::string> others{{"Inv", "Reciprocal"}};
  if (context.inputs() != 1) return false;
  const auto other = others.find(context.source.operator_name);
  return finish_alike(context, other == others.end() ? context.source.operator_name : other->second);
}

bool rsqrt_of(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  Value& in = context.input(0);
  const Layout layout = layout_of(in);
  const int root = context.step("root", "Sqrt", {context.operand(in, layout)});
  context.finish("Reciprocal", {root}, {}, layout, in.shape);
  return true;
}

bool square(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  const int operand = context.operand(context.input(0), layout_of(context.input(0)));
  return finish_alike(context, "Mul", {operand});
}

bool relu_between(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  return finish_alike(context, "Clip", {context.scalar("least", 0), context.scalar("most", 6)});
}

bool leaky_relu(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  Attributes attributes;
  attributes.set("alpha", context.source.real("alpha", 0.2));
  return finish_alike(context, "LeakyRelu", {}, std::move(attributes));
}

/// Over the last axis of the file's layout.
bool softmax(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  Attributes attributes;
  attributes.set("axis", std::int64_t{layout_of(context.input(0)) == Layout::maps_first ? 1 : -1});
  return finish_alike(context, context.source.operator_name, {}, std::move(attributes));
}

bool binary(const OperatorContext& context) {
  static const std::map<std::string, std::string> operators{{"Add", "Add"}, {"AddV2", "Add"},   {"Sub", "Sub"},
                                                            {"Mul", "Mul"}, {"RealDiv", "Div"}, {"Div", "Div"},
                                                            {"Pow", "Pow"}, {"Maximum", "Max"}, {"Minimum", "Min"}};
  if (context.inputs() != 2) return false;
  Value &a = context.input(0), &b = context.input(1);
  const std::string& name = operators.at(context.source.operator_name);
  if (name == "Add" && is_bias(a, b) && give_bias(context, a, b)) return true;
  if (name == "Add" && is_bias(b, a) && give_bias(context, b, a)) return true;
  const Layout layout = common_layout({&a, &b});
  const auto operand = [&](Value& value) {
    return layout == Layout::maps_first ? context.to.broadcast_to_maps(value) : context.to.in_file_order(value);
  };
  const int first = operand(a), second = operand(b);
  context.finish(name, {first, second}, {}, layout, broadcast_shape(a.shape, b.shape));
  return true;
}

/// All of the same shape.
bool add_all(const OperatorContext& context) {
  std::vector<const Value*> values;
  for (std::size_t i = 0; i < context.inputs(); ++i) values.push_back(&context.input(i));
  if (values.empty()) return false;
  Layout layout = common_layout(values);
  for (const Value* value : values)
    if (!value->has_rank(4)) layout = Layout::file_order;
  std::vector<int> operands;
  network::TensorShape shape = context.input(0).shape;
  for (std::size_t i = 0; i < context.inputs(); ++i) {
    operands.push_back(context.operand(context.input(i), layout));
    if (!shape.known) shape = context.input(i).shape;
  }
  context.finish("Sum", std::move(operands), {}, layout, std::move(shape));
  return true;
}

bool cast(const OperatorContext& context) {
  // TensorProto.DataType of onnx.proto.
  static const std::map<network::ElementType, std::int64_t> numbers{
      {network::ElementType::float32, 1},  {network::ElementType::uint8, 2},   {network::ElementType::int8, 3},
      {network::ElementType::uint16, 4},   {network::ElementType::int16, 5},   {network::ElementType::int32, 6},
      {network::ElementType::int64, 7},    {network::ElementType::boolean, 9}, {network::ElementType::float16, 10},
      {network::ElementType::float64, 11}, {network::ElementType::uint32, 12}, {network::ElementType::uint64, 13},
      {network::ElementType::bfloat16, 16}};
  const network::ElementType type = element_type(context.source.type("DstT"));
  const auto number = numbers.find(type);
  if (context.inputs() != 1 || number == numbers.end()) return false;
  Attributes attributes;
  attributes.set("to", number->second);
  Value& in = context.input(0);
  const Layout layout = layout_of(in);
  Value& made = context.finish("Cast", {context.operand(in, layout)}, std::move(attributes), layout, in.shape);
  made.type = type;
  const int tensor = layout == Layout::maps_first ? made.with_maps_first : made.in_file_order;
  context.to.graph().graph().tensors[static_cast<std::size_t>(tensor)].type = type;
  return true;
}

}  // namespace convscope::readers::graphdef
