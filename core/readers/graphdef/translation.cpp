#include "core/readers/graphdef/translation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

Integers file_order_of(std::size_t rank) {
  Integers order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(i);
  return order;
}

Attributes permutation(const Integers& order) {
  Attributes attributes;
  attributes.set("perm", order);
  return attributes;
}

}  // namespace

bool order_matters(const network::TensorShape& shape) {
  if (!shape.known || shape.dimensions.size() != 4) return true;
  return shape.dimensions[3] != 1 && !(shape.dimensions[1] == 1 && shape.dimensions[2] == 1);
}

network::TensorShape stated(const network::TensorShape& shape, bool maps_come_first) {
  network::TensorShape result = shape;
  if (!shape.known) return {};
  if (maps_come_first)
    for (std::size_t i = 0; i < 4; ++i)
      result.dimensions[i] = shape.dimensions[static_cast<std::size_t>(maps_first[i])];
  for (std::int64_t& dimension : result.dimensions) dimension = std::max(dimension, network::unknown_dimension);
  return result;
}

int Translation::add(const std::string& operator_name, const std::string& name, std::vector<int> operands,
                     Attributes attributes, network::ElementType type) {
  const int tensor = graph_.tensor(name, {}, type);
  graph_.node_to({operator_name, name, std::move(operands), std::move(attributes)}, {tensor});
  return tensor;
}

int Translation::constant_tensor(Value& value, const Integers& order, const Integers& dimensions) {
  const network::Constant& source = *value.constant;
  auto moved = transposed(source, order, budget_);
  if (!moved && !copies_left_out_) {
    report_.note(node(value.node).line, element(value.node),
                 "its values, and perhaps others', are in another order than needed and too many to copy: left out");
    copies_left_out_ = true;
  }
  const int tensor = graph_.constant(value.name, dimensions, node(value.node).line, source.type);
  if (network::Constant* made = graph_.constant_of(tensor); made != nullptr && moved) {
    made->bytes = moved->bytes;
    made->owner = moved->owner;
    made->fill = moved->fill;
  }
  return tensor;
}

int Translation::in_file_order(Value& value) {
  if (value.in_file_order >= 0) return value.in_file_order;
  if (value.constant) {
    const Integers dimensions = value.constant->dimensions;
    value.in_file_order = constant_tensor(value, file_order_of(dimensions.size()), dimensions);
  } else if (value.with_maps_first >= 0) {
    value.in_file_order =
        add("Transpose", value.name + "/maps last", {value.with_maps_first}, permutation(maps_last), value.type);
  } else {
    // Numbers that nobody knows in full: the node that makes them, which an Identity shares with its input.
    const Value& original = values_[{value.node, 0}];
    if (original.in_file_order < 0) keep_foreign(value.node);
    value.in_file_order = original.in_file_order;
  }
  return value.in_file_order;
}

int Translation::in_any_shape(Value& value) {
  const bool maps = value.in_file_order < 0 && value.with_maps_first >= 0 && !order_matters(value.shape);
  return maps ? value.with_maps_first : in_file_order(value);
}

int Translation::with_maps_first(Value& value) {
  if (value.with_maps_first >= 0) return value.with_maps_first;
  if (value.constant) {
    Integers dimensions;
    for (const std::int64_t axis : maps_first)
      dimensions.push_back(value.constant->dimensions[static_cast<std::size_t>(axis)]);
    return value.with_maps_first = constant_tensor(value, maps_first, dimensions);
  }
  const int source = in_file_order(value);
  if (!value.shape.known) value.shape = {true, Integers(4, network::unknown_dimension), {}};
  const Integers& shape = value.shape.dimensions;
  const std::string name = value.name + "/maps first";
  if (!order_matters(value.shape) && shape[1] >= 0 && shape[2] >= 0 && shape[3] >= 0) {
    const int wanted = graph_.integers(name + " shape", {0, shape[3], shape[1], shape[2]});
    value.with_maps_first = add("Reshape", name, {source, wanted}, {}, value.type);
  } else {
    value.with_maps_first = add("Transpose", name, {source}, permutation(maps_first), value.type);
  }
  return value.with_maps_first;
}

int Translation::broadcast_to_maps(Value& value) {
  const std::size_t rank = value.shape.dimensions.size();
  if (rank == 4) return with_maps_first(value);
  if (rank == 0) return in_file_order(value);
  // (maps) is (1, 1, 1, maps) and then (1, maps, 1, 1).
  if (value.constant) {
    Integers expanded(4 - rank, 1);
    expanded.insert(expanded.end(), value.constant->dimensions.begin(), value.constant->dimensions.end());
    Value four = value;
    four.constant = reshaped(*value.constant, expanded);
    four.in_file_order = four.with_maps_first = -1;
    return with_maps_first(four);
  }
  Integers axes;
  for (std::size_t axis = 0; axis + rank < 4; ++axis) axes.push_back(static_cast<std::int64_t>(axis));
  const int where = graph_.integers(value.name + "/new axes", axes);
  const int four = add("Unsqueeze", value.name + "/four dimensions", {in_file_order(value), where}, {}, value.type);
  return add("Transpose", value.name + "/maps first", {four}, permutation(maps_first), value.type);
}

int Translation::reordered(Value& value, const Integers& order, const Integers& dimensions) {
  if (value.constant) return constant_tensor(value, order, dimensions);
  const int turned = add("Transpose", value.name + "/weights", {in_file_order(value)}, permutation(order), value.type);
  const int shape = graph_.integers(value.name + "/weights shape", dimensions);
  return add("Reshape", value.name + "/as weights", {turned, shape}, {}, value.type);
}

Value& Translation::make(int node_index, int output) {
  Value& made = values_[{node_index, output}];
  made.node = node_index;
  made.name = output == 0 ? node(node_index).name : fmt::format("{}:{}", node(node_index).name, output);
  return made;
}

void Translation::keep_foreign(int node_index) {
  const NodeDef& source = node(node_index);
  std::vector<int> operands;
  for (const Source& input : sources(node_index)) operands.push_back(in_file_order(value(input)));
  std::vector<int> outputs;
  for (int output = 0; output < std::max(1, outputs_used(node_index)); ++output) {
    Value& made = make(node_index, output);
    if (made.type == network::ElementType::unknown) made.type = element_type(source.type("T"));
    // What nothing is put into is fed from outside.
    if (operands.empty())
      made.in_file_order = graph_.input(made.name, {}, made.type);
    else
      outputs.push_back(made.in_file_order = graph_.tensor(made.name, stated(made.shape, false), made.type));
  }
  if (operands.empty()) return;
  Attributes attributes;
  for (const auto& [name, attribute] : source.attributes) {
    if (attribute.kind == Attribute::Kind::text) attributes.set(name, attribute.text);
    if (attribute.kind == Attribute::Kind::real) attributes.set(name, attribute.real);
    if (attribute.kind == Attribute::Kind::integer || attribute.kind == Attribute::Kind::boolean)
      attributes.set(name, attribute.integer);
    if (attribute.kind == Attribute::Kind::list && !attribute.integers.empty())
      attributes.set(name, attribute.integers);
  }
  graph_.node_to(
      {source.operator_name, source.name, std::move(operands), std::move(attributes), "tensorflow", source.line},
      std::move(outputs));
}

std::shared_ptr<const network::Graph> Translation::finish() {
  std::vector<std::string> circle;
  if (!network::sort_topologically(graph_.graph(), &circle)) return nullptr;
  return graph_.finish();
}

}  // namespace convscope::readers::graphdef
