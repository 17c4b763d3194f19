#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// Marks reduced dimensions; nothing if an axis is beyond the rank, which is said.
std::optional<std::vector<bool>> reduced_axes(NodeView& node, const Dimensions& axes, std::size_t rank) {
  std::vector<bool> reduced(rank, false);
  for (const std::int64_t axis : axes) {
    const auto position = normal_axis(axis, rank);
    if (!position) {
      node.contradiction(fmt::format("reduces axis {} of {} dimensions", axis, rank));
      return std::nullopt;
    }
    reduced[*position] = true;
  }
  return reduced;
}

void set_reduced(NodeView& node, const TensorShape& data, const std::vector<bool>& reduced, ElementType type) {
  const bool keep = node.attributes().integer("keepdims", 1) != 0;
  Dimensions out;
  for (std::size_t i = 0; i < data.dimensions.size(); ++i) {
    if (!reduced[i])
      out.push_back(data.dimensions[i]);
    else if (keep)
      out.push_back(1);
  }
  node.set(0, std::move(out), type);
}

void fold_product(NodeView& node) {
  if (node.operator_name() != "ReduceProd") return;
  const auto values = node.reals(0);
  if (!values) return;
  double all = 1;
  for (const double value : *values) all *= value;
  node.fold(0, {all});
}

/// Axes are an attribute, or an input in later opsets; none means all, unless noop_with_empty_axes.
void infer_reduction(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known) return;
  Dimensions axes;
  if (node.says("axes", 1)) {
    const auto stated = node.integers("axes", 1);
    if (!stated) return;
    axes = *stated;
  }
  if (axes.empty() && node.attributes().integer("noop_with_empty_axes", 0) != 0)
    return node.set(0, data.dimensions, node.type(0));
  auto reduced = reduced_axes(node, axes, data.dimensions.size());
  if (!reduced) return;
  if (axes.empty()) reduced->assign(data.dimensions.size(), true);
  set_reduced(node, data, *reduced, node.type(0));
  if (data.dimensions.size() == 1 && reduced->front()) fold_product(node);
}

void infer_arg(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, TensorShape{}, ElementType::int64);
  if (!data.known) return;
  const auto reduced = reduced_axes(node, {node.attributes().integer("axis", 0)}, data.dimensions.size());
  if (reduced) set_reduced(node, data, *reduced, ElementType::int64);
}

}  // namespace

void add_reduction_rules(RuleTable& table) {
  for (const char* name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
                           "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare", "QLinearReduceMean"})
    table[name] = infer_reduction;
  table["ArgMax"] = table["ArgMin"] = infer_arg;
}

}  // namespace convscope::network
