#include <fmt/format.h>

#include "core/network/inference/rules.h"
#include "core/network/inference/window.h"

namespace convscope::network {
namespace {

bool has_space(NodeView& node, const TensorShape& data) {
  if (!data.known) return false;
  if (data.dimensions.size() >= 3) return true;
  node.contradiction(fmt::format("its input {} has no space", shape_text(data)), "batch, channels and space");
  return false;
}

void infer_pool(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  if (!has_space(node, data)) return;
  const Dimensions space(data.dimensions.begin() + 2, data.dimensions.end());
  Dimensions out = data.dimensions;
  std::string problem;
  const auto window = window_of(node.attributes(), {}, space, problem);
  if (!window) node.contradiction(problem);
  for (std::size_t axis = 0; axis < space.size(); ++axis) {
    out[axis + 2] = window ? window->count(axis, space[axis]) : unknown_dimension;
    if (out[axis + 2] == 0 && space[axis] > 0) {
      node.contradiction(fmt::format("no window fits into its padded input {}", shape_text(data)));
      out[axis + 2] = unknown_dimension;
    }
  }
  node.set(0, out, node.type(0));
  node.set(1, std::move(out), ElementType::int64);  // MaxPool's indices
}

/// All of space becomes one pixel.
void infer_global_pool(NodeView& node) {
  TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  if (!has_space(node, data)) return;
  for (std::size_t axis = 2; axis < data.dimensions.size(); ++axis) data.dimensions[axis] = 1;
  node.set(0, data.dimensions, node.type(0));
}

void infer_qlinear_global_pool(NodeView& node) {
  if (node.attributes().integer("channels_last", 0) == 0) return infer_global_pool(node);
  TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  if (!has_space(node, data)) return;
  for (std::size_t axis = 1; axis + 1 < data.dimensions.size(); ++axis) data.dimensions[axis] = 1;
  node.set(0, data.dimensions, node.type(0));
}

void infer_max_unpool(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  if (!has_space(node, data)) return;
  if (const auto stated = node.integers(2)) return node.set(0, *stated, node.type(0));
  Dimensions out = data.dimensions;
  std::string problem;
  const auto window = window_of(node.attributes(), {}, {out.begin() + 2, out.end()}, problem);
  if (!window) return node.contradiction(problem);
  for (std::size_t axis = 0; axis + 2 < out.size(); ++axis) {
    if (out[axis + 2] < 0 || window->kernel[axis] < 0 || window->pads_begin[axis] < 0)
      out[axis + 2] = unknown_dimension;
    else
      out[axis + 2] = saturating_add(saturating_multiply(out[axis + 2] - 1, window->strides[axis]),
                                     window->kernel[axis] - window->pads_begin[axis] - window->pads_end[axis]);
  }
  node.set(0, std::move(out), node.type(0));
}

}  // namespace

void add_pooling_rules(RuleTable& table) {
  table["MaxPool"] = table["AveragePool"] = table["LpPool"] = table["QLinearAveragePool"] = infer_pool;
  table["GlobalMaxPool"] = table["GlobalAveragePool"] = table["GlobalLpPool"] = infer_global_pool;
  table["QLinearGlobalAveragePool"] = infer_qlinear_global_pool;
  table["MaxUnpool"] = infer_max_unpool;
}

}  // namespace convscope::network
