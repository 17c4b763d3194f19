// Products of matrices, biases and normalizations.

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/graphdef/operators.h"

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

/// A constant of a row of numbers, one a map.
bool is_row(const Value& value, std::int64_t maps) {
  return value.constant && value.has_rank(1) && value.shape.dimensions[0] == maps;
}

}  // namespace

bool matrix_product(const OperatorContext& context) {
  const auto rank_two = [](const Value& value) { return !value.shape.known || value.shape.dimensions.size() == 2; };
  if (context.inputs() != 2 || !rank_two(context.input(0)) || !context.input(1).has_rank(2)) return false;
  const bool turn_a = context.source.boolean("transpose_a", false),
             turn_b = context.source.boolean("transpose_b", false);
  Value &a = context.input(0), &b = context.input(1);
  const Integers &weights = b.shape.dimensions, rows = a.shape.known ? a.shape.dimensions : Integers(2, -1);
  const std::int64_t taken = rows[turn_a ? 0 : 1], had = weights[turn_b ? 1 : 0];
  if (taken >= 0 && had >= 0 && taken != had) {
    context.error(
        fmt::format("a matrix of {} is multiplied by one of {}", fmt::join(rows, " x "), fmt::join(weights, " x ")));
    return true;
  }
  Attributes attributes;
  if (turn_a) attributes.set("transA", std::int64_t{1});
  if (turn_b) attributes.set("transB", std::int64_t{1});
  const int first = context.to.in_file_order(a), second = context.to.in_file_order(b);
  Value& made = context.finish("Gemm", {first, second}, std::move(attributes), Layout::file_order,
                               {true, {rows[turn_a ? 1 : 0], weights[turn_b ? 0 : 1]}, {}});
  made.linear_node = static_cast<int>(context.to.graph().graph().nodes.size()) - 1;
  return true;
}

bool give_bias(const OperatorContext& context, Value& linear, Value& offset) {
  if (linear.linear_node < 0) return false;
  const Source made{linear.node, 0};
  if (context.to.uses(made) != 1) return false;
  auto& node = context.to.graph().graph().nodes[static_cast<std::size_t>(linear.linear_node)];
  if (node.inputs.size() != 2) return false;
  const int row = context.to.in_file_order(offset);
  node.inputs.push_back(row);
  context.pass(linear);
  return true;
}

/// One number a map, which are the last dimension, or the second one of NCHW.
bool bias(const OperatorContext& context) {
  if (context.inputs() != 2 || !context.has_plain_format() || !context.input(0).shape.known) return false;
  Value &in = context.input(0), &offset = context.input(1);
  const std::int64_t maps = context.maps_of(in.shape);
  if (offset.has_rank(1) && maps >= 0 && offset.shape.dimensions[0] >= 0 && offset.shape.dimensions[0] != maps) {
    context.error(fmt::format("its bias has {} values for {} maps", offset.shape.dimensions[0], maps));
    return true;
  }
  if (!offset.has_rank(1)) return false;
  if (is_row(offset, maps) && give_bias(context, in, offset)) return true;
  const bool images = in.has_rank(4), first = context.maps_stand_first();
  const Layout layout = images && !first ? Layout::maps_first : Layout::file_order;
  int row = -1;
  if (images) {
    const int shape = context.constant("bias shape", {-1, 1, 1});
    row = context.step("bias", "Reshape", {context.to.in_file_order(offset), shape});
  } else {
    if (first) return false;
    row = context.to.in_file_order(offset);
  }
  context.finish("Add", {context.operand(in, layout), row}, {}, layout, in.shape);
  return true;
}

/// Inputs: maps, scale, offset, mean, variance. One that normalizes by its own batch has no counterpart.
bool batch_normalization(const OperatorContext& context) {
  if (context.inputs() < 5 || context.source.boolean("is_training", true) || !context.has_plain_format()) return false;
  Value& in = context.input(0);
  const auto maps = context.maps(in);
  if (!maps) return false;
  std::vector<int> operands{*maps};
  for (std::size_t i = 1; i < 5; ++i) {
    if (!context.input(i).has_rank(1)) return false;
    operands.push_back(context.to.in_file_order(context.input(i)));
  }
  Attributes attributes;
  attributes.set("epsilon", context.source.real("epsilon", 1e-4));
  context.finish_maps("BatchNormalization", std::move(operands), std::move(attributes), in.shape);
  return true;
}

/// TensorFlow multiplies the sum by alpha, ONNX the mean.
bool local_response_normalization(const OperatorContext& context) {
  if (context.inputs() != 1) return false;
  const std::int64_t radius = context.source.integer("depth_radius", 5);
  if (radius < 0 || radius > (1 << 20)) {
    context.error(fmt::format("depth_radius is {}", radius), "0 to 1048576");
    return true;
  }
  Value& in = context.input(0);
  if (in.shape.known && in.shape.dimensions.size() != 4) return false;
  const std::int64_t size = 2 * radius + 1;
  Attributes attributes;
  attributes.set("size", size);
  attributes.set("alpha", context.source.real("alpha", 1) * static_cast<double>(size));
  attributes.set("beta", context.source.real("beta", 0.5));
  attributes.set("bias", context.source.real("bias", 1));
  const int maps = context.to.with_maps_first(in);
  context.finish("LRN", {maps}, std::move(attributes), Layout::maps_first, in.shape);
  return true;
}

}  // namespace convscope::readers::graphdef
