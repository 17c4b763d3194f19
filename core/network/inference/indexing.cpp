// Operators that pick elements by index or value.

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

void fold_gather(NodeView& node) {
  const auto values = node.values(0);
  const auto indices = node.integers(1);
  if (!values || !indices || indices->size() > 64) return;
  Values picked;
  for (const std::int64_t index : *indices) {
    const auto position = normal_axis(index, values->size());
    if (!position) return node.contradiction(fmt::format("takes element {} of {}", index, values->size()));
    picked.push_back((*values)[*position]);
  }
  node.fold(0, std::move(picked));
}

void infer_gather(NodeView& node) {
  const TensorShape data = node.shape(0), indices = node.shape(1);
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known || !indices.known) return;
  const auto axis = axis_of(node, 0, data.dimensions.size());
  if (!axis) return;
  Dimensions out = data.dimensions;
  const auto place = out.erase(out.begin() + static_cast<std::ptrdiff_t>(*axis));
  out.insert(place, indices.dimensions.begin(), indices.dimensions.end());
  node.set(0, std::move(out), node.type(0));
  if (data.dimensions.size() == 1) fold_gather(node);
}

void infer_gather_elements(NodeView& node) {
  node.set(0, node.shape(1), node.type(0));
}

void infer_gather_nd(NodeView& node) {
  const TensorShape data = node.shape(0), indices = node.shape(1);
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known || !indices.known || indices.dimensions.empty() || indices.dimensions.back() < 0) return;
  const std::int64_t batch = node.attributes().integer("batch_dims", 0);
  const auto rank = static_cast<std::int64_t>(data.dimensions.size());
  const std::int64_t depth = indices.dimensions.back();
  if (batch < 0 || batch >= rank || depth > rank - batch ||
      batch >= static_cast<std::int64_t>(indices.dimensions.size()))
    return node.contradiction(fmt::format("indexes {} with {}", shape_text(data), shape_text(indices)));
  Dimensions out(indices.dimensions.begin(), indices.dimensions.end() - 1);
  out.insert(out.end(), data.dimensions.begin() + batch + depth, data.dimensions.end());
  node.set(0, std::move(out), node.type(0));
}

void infer_top_k(NodeView& node) {
  TensorShape data = node.shape(0);
  const auto count = node.integers(1);
  const std::int64_t k = node.attributes().integer("k", count && count->size() == 1 ? count->front() : -1);
  if (data.known) {
    const auto axis = axis_of(node, -1, data.dimensions.size());
    if (axis && k > data.dimensions[*axis] && data.dimensions[*axis] >= 0)
      node.contradiction(fmt::format("takes {} of {} elements", k, data.dimensions[*axis]));
    if (axis) data.dimensions[*axis] = k < 0 ? unknown_dimension : k;
    if (!axis) data = {};
  }
  node.set(0, data, node.type(0));
  node.set(1, data, ElementType::int64);
}

void infer_one_hot(NodeView& node) {
  const TensorShape indices = node.shape(0);
  const auto depth = node.integers(1);
  node.set(0, TensorShape{}, node.type(2));
  if (!indices.known) return;
  const auto axis = axis_of(node, -1, indices.dimensions.size() + 1);
  if (!axis) return;
  Dimensions out = indices.dimensions;
  const bool known = depth && depth->size() == 1 && depth->front() >= 0;
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(*axis), known ? depth->front() : unknown_dimension);
  node.set(0, std::move(out), node.type(2));
}

/// How many elements aren't zero is in the data.
void infer_non_zero(NodeView& node) {
  const TensorShape data = node.shape(0);
  const auto rank = static_cast<std::int64_t>(data.dimensions.size());
  node.set(0, Dimensions{data.known ? rank : unknown_dimension, unknown_dimension}, ElementType::int64);
}

void infer_compress(NodeView& node) {
  TensorShape data = node.shape(0);
  if (!node.attributes().has("axis")) return node.set(0, shape_of_rank(1), node.type(0));
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known) return;
  const auto axis = axis_of(node, 0, data.dimensions.size());
  if (!axis) return;
  data.dimensions[*axis] = unknown_dimension;
  node.set(0, std::move(data), node.type(0));
}

}  // namespace

void add_indexing_rules(RuleTable& table) {
  table["Gather"] = infer_gather;
  table["GatherElements"] = infer_gather_elements;
  table["GatherND"] = infer_gather_nd;
  table["TopK"] = infer_top_k;
  table["OneHot"] = infer_one_hot;
  table["NonZero"] = infer_non_zero;
  table["Compress"] = infer_compress;
}

}  // namespace convscope::network
