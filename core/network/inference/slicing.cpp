#include "core/network/inference/slicing.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

struct Slices {
  Dimensions starts, ends, axes, steps;
};

/// Attributes before opset 10, inputs since. Nothing if a list isn't known or they differ in length, which is said.
std::optional<Slices> slices_of(NodeView& node) {
  const auto starts = node.integers("starts", 1), ends = node.integers("ends", 2);
  if (!starts || !ends) return std::nullopt;
  Slices slices{*starts, *ends, {}, Dimensions(starts->size(), 1)};
  for (std::size_t i = 0; i < starts->size(); ++i) slices.axes.push_back(static_cast<std::int64_t>(i));
  if (node.says("axes", 3)) {
    const auto axes = node.integers("axes", 3);
    if (!axes) return std::nullopt;
    slices.axes = *axes;
  }
  if (node.has_input(4)) {
    const auto steps = node.integers(4);
    if (!steps) return std::nullopt;
    slices.steps = *steps;
  }
  const std::size_t size = slices.starts.size();
  if (slices.ends.size() == size && slices.axes.size() == size && slices.steps.size() == size) return slices;
  node.contradiction("its starts, ends, axes and steps differ in number");
  return std::nullopt;
}

void fold_slice(NodeView& node, const Slices& slices) {
  const auto values = node.values(0);
  if (!values || slices.starts.size() != 1) return;
  const auto range =
      slice_range(static_cast<std::int64_t>(values->size()), slices.starts[0], slices.ends[0], slices.steps[0]);
  Values part;
  for (std::int64_t i = 0; i < range.count && i <= 64; ++i)
    part.push_back((*values)[static_cast<std::size_t>(range.start + i * range.step)]);
  node.fold(0, std::move(part));
}

void infer_slice(NodeView& node) {
  TensorShape data = node.shape(0);
  node.set(0, data.known ? shape_of_rank(data.dimensions.size()) : TensorShape{}, node.type(0));
  if (!data.known) return;
  const auto slices = slices_of(node);
  if (!slices) return;
  for (std::size_t i = 0; i < slices->starts.size(); ++i) {
    const auto axis = normal_axis(slices->axes[i], data.dimensions.size());
    if (!axis || slices->steps[i] == 0)
      return node.contradiction(axis ? "a step of 0" : fmt::format("axis {} of {}", slices->axes[i], shape_text(data)));
    std::int64_t& dimension = data.dimensions[*axis];
    if (dimension >= 0) dimension = slice_range(dimension, slices->starts[i], slices->ends[i], slices->steps[i]).count;
  }
  node.set(0, data.dimensions, node.type(0));
  if (data.dimensions.size() == 1) fold_slice(node, *slices);
}

}  // namespace

SliceRange slice_range(std::int64_t dimension, std::int64_t start, std::int64_t end, std::int64_t step) {
  step = std::max(step, -std::numeric_limits<std::int64_t>::max());  // so that it can be negated
  const std::int64_t last = step > 0 ? dimension : dimension - 1;
  const auto clamp = [&](std::int64_t position, std::int64_t least) {
    if (position < 0) position = saturating_add(position, dimension);
    return std::max(least, std::min(position, last));
  };
  start = clamp(start, 0);
  end = clamp(end, step > 0 ? 0 : -1);
  const std::int64_t way = step > 0 ? end - start : start - end;
  const std::int64_t stride = step > 0 ? step : -step;
  return {start, step, dimension == 0 || way <= 0 ? 0 : (way - 1) / stride + 1};
}

void add_slicing_rules(RuleTable& table) {
  table["Slice"] = infer_slice;
}

}  // namespace convscope::network
