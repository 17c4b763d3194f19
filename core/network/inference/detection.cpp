// Operators of detectors: regions, grids and the choice among boxes.

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// How many boxes are chosen is in the data.
void infer_non_max_suppression(NodeView& node) {
  node.set(0, Dimensions{unknown_dimension, 3}, ElementType::int64);
}

void infer_roi_align(NodeView& node) {
  const auto size = [&](const char* name) {
    const std::int64_t value = node.attributes().integer(name, 1);
    return value < 0 ? unknown_dimension : value;
  };
  node.set(
      0,
      Dimensions{dimension(node.shape(1), 0), dimension(node.shape(0), 1), size("output_height"), size("output_width")},
      node.type(0));
}

void infer_max_roi_pool(NodeView& node) {
  const Dimensions size = node.attributes().integers("pooled_shape");
  const TensorShape sizes = shape_of(size);
  node.set(
      0, Dimensions{dimension(node.shape(1), 0), dimension(node.shape(0), 1), dimension(sizes, 0), dimension(sizes, 1)},
      node.type(0));
}

void infer_grid_sample(NodeView& node) {
  const TensorShape data = node.shape(0), grid = node.shape(1);
  node.set(0, TensorShape{}, node.type(0));
  if (!data.known || data.dimensions.size() < 3) return;
  Dimensions out{data.dimensions[0], data.dimensions[1]};
  for (std::size_t axis = 1; axis + 1 < data.dimensions.size(); ++axis) out.push_back(dimension(grid, axis));
  node.set(0, std::move(out), node.type(0));
}

}  // namespace

void add_detection_rules(RuleTable& table) {
  table["NonMaxSuppression"] = infer_non_max_suppression;
  table["RoiAlign"] = infer_roi_align;
  table["MaxRoiPool"] = infer_max_roi_pool;
  table["GridSample"] = infer_grid_sample;
}

}  // namespace convscope::network
