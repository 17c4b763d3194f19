// Operators that give the same elements another shape: Reshape, Flatten, Squeeze, Unsqueeze, Transpose and others.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

std::optional<Values> reshape_target(const NodeView& node) {
  if (!node.attributes().has("shape")) return node.values(1);
  const Dimensions stated = node.attributes().integers("shape");  // before opset 5
  return Values(stated.begin(), stated.end());
}

/// A target as dimensions: 0 is copied from the input, one -1 (or one that isn't known) is what remains.
struct Target {
  Dimensions out;
  std::vector<std::size_t> open;  ///< positions not known from the target alone
  bool remainder = false;         ///< one of them is a -1
  bool valid = true;
};

Target read_target(NodeView& node, const Values& values, const TensorShape& data) {
  Target target;
  const bool zeros_are_zeros = node.attributes().integer("allowzero", 0) != 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t value = values[i] ? saturating_integer(*values[i]) : -2;
    if (value == 0 && !zeros_are_zeros) {
      if (data.known && i >= data.dimensions.size()) target.valid = false;
      value = data.known && target.valid ? data.dimensions[i] : -2;
    } else if (value == -1 && values[i]) {
      if (target.remainder) target.valid = false;
      target.remainder = true;
    } else if (value < 0 && values[i]) {
      target.valid = false;
    }
    if (value < 0) target.open.push_back(i);
    target.out.push_back(value < 0 ? unknown_dimension : value);
  }
  if (!target.valid)
    node.contradiction(fmt::format("can't reshape {} to what is asked", shape_text(data)),
                       "at most one -1, and 0 only where the input has a dimension");
  return target;
}

/// A target written for the file's batch means the wanted one.
void change_batch(const NodeView& node, const TensorShape& data, Target& target) {
  const BatchChange& batch = node.batch();
  if (batch.stated == batch.wanted || target.out.empty() || data.dimensions.empty()) return;
  if (target.out[0] == batch.stated && data.dimensions[0] == batch.wanted) target.out[0] = batch.wanted;
}

/// Elements that the target's known dimensions must share out; unknown dimensions that are merely copied cancel.
std::int64_t known_elements(const TensorShape& data, const Target& target, const Values& values) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < data.dimensions.size(); ++i) {
    const bool copied = i < values.size() && values[i] && *values[i] == 0;
    if (data.dimensions[i] >= 0)
      count = saturating_multiply(count, data.dimensions[i]);
    else if (!copied || target.out[i] >= 0)
      return unknown_dimension;
  }
  return count;
}

void fill_remainder(NodeView& node, const TensorShape& data, Target& target, const Values& values) {
  if (!data.known) return;
  const std::int64_t elements = known_elements(data, target, values);
  std::int64_t shared = 1;
  std::vector<std::size_t> unsolved;
  for (std::size_t i = 0; i < target.out.size(); ++i) {
    const bool copied = values[i] && *values[i] == 0;
    if (target.out[i] >= 0)
      shared = saturating_multiply(shared, target.out[i]);
    else if (!copied)
      unsolved.push_back(i);
  }
  if (elements < 0 || unsolved.size() > 1) return;
  const bool fits = unsolved.empty() ? shared == elements || !target.open.empty()
                                     : (shared > 0 ? elements % shared == 0 : elements == 0);
  if (!fits)
    return node.contradiction(fmt::format("can't reshape {} to {}", shape_text(data), shape_text(shape_of(target.out))),
                              fmt::format("{} elements", elements));
  if (unsolved.size() == 1 && shared > 0) target.out[unsolved[0]] = elements / shared;
}

void infer_reshape(NodeView& node) {
  const TensorShape data = node.shape(0), list = node.shape(1);
  const auto values = reshape_target(node);
  if (!values) {
    const bool known = list.dimensions.size() == 1 && list.dimensions[0] >= 0 && list.dimensions[0] <= 64;
    return node.set(0, known ? shape_of_rank(static_cast<std::size_t>(list.dimensions[0])) : TensorShape{},
                    node.type(0));
  }
  Target target = read_target(node, *values, data);
  if (!target.valid) return node.set(0, shape_of_rank(target.out.size()), node.type(0));
  change_batch(node, data, target);
  fill_remainder(node, data, target, *values);
  node.set(0, target.out, node.type(0));
  if (auto kept = node.values(0); kept && target.out.size() <= 1) node.fold(0, std::move(*kept));
}

void infer_flatten(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, shape_of_rank(2), node.type(0));
  if (!data.known) return;
  const auto rank = static_cast<std::int64_t>(data.dimensions.size());
  const std::int64_t axis = node.attributes().integer("axis", 1);
  if (axis < -rank || axis > rank)
    return node.contradiction(fmt::format("'axis' is {} for {}", axis, shape_text(data)));
  const auto split = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  node.set(0, Dimensions{product(data.dimensions, 0, split), product(data.dimensions, split, data.dimensions.size())},
           node.type(0));
}

/// Axes as positions in a shape of this rank; nothing if one is beyond it or repeats, which is said.
std::optional<std::set<std::size_t>> axis_set(NodeView& node, const Dimensions& axes, std::size_t rank) {
  std::set<std::size_t> result;
  for (const std::int64_t axis : axes) {
    const auto position = normal_axis(axis, rank);
    if (!position || !result.insert(*position).second) {
      node.contradiction(fmt::format("axis {} is {}", axis, position ? "named twice" : "beyond the tensor"),
                         fmt::format("axes of {} dimensions", rank));
      return std::nullopt;
    }
  }
  return result;
}

void keep_values(NodeView& node) {
  if (auto values = node.values(0)) node.fold(0, std::move(*values));
}

void infer_squeeze(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  keep_values(node);
  if (!data.known) return;
  std::set<std::size_t> removed;
  if (!node.says("axes", 1)) {
    if (!data.complete()) return;
    for (std::size_t i = 0; i < data.dimensions.size(); ++i) {
      if (data.dimensions[i] == 1) removed.insert(i);
    }
  } else {
    const auto axes = node.integers("axes", 1);
    if (!axes) return;
    const auto set = axis_set(node, *axes, data.dimensions.size());
    if (!set) return;
    removed = *set;
  }
  Dimensions out;
  for (std::size_t i = 0; i < data.dimensions.size(); ++i) {
    if (removed.count(i) == 0)
      out.push_back(data.dimensions[i]);
    else if (data.dimensions[i] > 1)
      node.contradiction(fmt::format("removes dimension {} of {}", i, shape_text(data)), "a dimension of 1");
  }
  node.set(0, std::move(out), node.type(0));
}

void infer_unsqueeze(NodeView& node) {
  const TensorShape data = node.shape(0);
  const auto axes = node.integers("axes", 1);
  node.set(0, TensorShape{}, node.type(0));
  keep_values(node);
  if (!data.known || !axes) return;
  const std::size_t rank = data.dimensions.size() + axes->size();
  const auto added = axis_set(node, *axes, rank);
  if (!added) return;
  Dimensions out;
  for (std::size_t i = 0, next = 0; i < rank; ++i) out.push_back(added->count(i) > 0 ? 1 : data.dimensions[next++]);
  node.set(0, std::move(out), node.type(0));
}

void infer_transpose(NodeView& node) {
  const TensorShape data = node.shape(0);
  Dimensions order = node.attributes().integers("perm");
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known) return order.empty() ? void() : node.set(0, shape_of_rank(order.size()), node.type(0));
  const std::size_t rank = data.dimensions.size();
  if (order.empty()) {
    for (std::size_t i = rank; i > 0; --i) order.push_back(static_cast<std::int64_t>(i) - 1);
  }
  const auto set = axis_set(node, order, rank);
  if (!set) return;
  if (set->size() != rank)
    return node.contradiction(fmt::format("'perm' orders {} of {} dimensions", order.size(), rank));
  Dimensions out;
  for (const std::int64_t axis : order) out.push_back(data.dimensions[*normal_axis(axis, rank)]);
  node.set(0, std::move(out), node.type(0));
}

std::int64_t divided(std::int64_t dimension, std::int64_t divisor) {
  return dimension < 0 || dimension % divisor != 0 ? unknown_dimension : dimension / divisor;
}

std::int64_t multiplied(std::int64_t dimension, std::int64_t factor) {
  return dimension < 0 ? unknown_dimension : saturating_multiply(dimension, factor);
}

/// Blocks of pixels become channels or the other way round.
void infer_blocks(NodeView& node, bool to_space) {
  const TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known) return;
  const std::int64_t block = node.attributes().integer("blocksize", 0);
  if (data.dimensions.size() != 4 || block < 1 || block > (1 << 16))
    return node.contradiction(fmt::format("input {} in blocks of {}", shape_text(data), block),
                              "4 dimensions and a blocksize from 1");
  const Dimensions& in = data.dimensions;
  const std::int64_t area = block * block;
  const Dimensions divided_in = to_space ? Dimensions{in[1]} : Dimensions{in[2], in[3]};
  for (const std::int64_t dimension : divided_in) {
    if (dimension >= 0 && dimension % (to_space ? area : block) != 0)
      node.contradiction(fmt::format("{} doesn't divide into blocks of {}", shape_text(data), block));
  }
  if (to_space)
    node.set(0, Dimensions{in[0], divided(in[1], area), multiplied(in[2], block), multiplied(in[3], block)},
             node.type(0));
  else
    node.set(0, Dimensions{in[0], multiplied(in[1], area), divided(in[2], block), divided(in[3], block)}, node.type(0));
}

void infer_depth_to_space(NodeView& node) {
  infer_blocks(node, true);
}

void infer_space_to_depth(NodeView& node) {
  infer_blocks(node, false);
}

}  // namespace

void add_reshaping_rules(RuleTable& table) {
  table["Reshape"] = infer_reshape;
  table["Flatten"] = infer_flatten;
  table["Squeeze"] = infer_squeeze;
  table["Unsqueeze"] = infer_unsqueeze;
  table["Transpose"] = infer_transpose;
  table["DepthToSpace"] = infer_depth_to_space;
  table["SpaceToDepth"] = infer_space_to_depth;
}

}  // namespace convscope::network
