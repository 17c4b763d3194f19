#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// Parameters 1 … last have one value per channel.
void check_channels(NodeView& node, std::size_t last) {
  const TensorShape data = node.shape(0);
  if (data.dimensions.size() < 2 || data.dimensions[1] < 0) return;
  for (std::size_t input = 1; input <= last; ++input) {
    const TensorShape parameter = node.shape(input);
    if (!parameter.complete() || product(parameter.dimensions) == data.dimensions[1]) continue;
    return node.contradiction(
        fmt::format("its parameter {} is {}, its input {}", input, shape_text(parameter), shape_text(data)),
        "one value per channel");
  }
}

/// Statistics at outputs 1 … 4 exist in training alone; they are shaped like the scale.
void infer_batch_normalization(NodeView& node) {
  const bool spatial = node.attributes().integer("spatial", 1) != 0;
  if (spatial) check_channels(node, 4);
  node.set(0, node.shape(0), node.type(0));
  for (std::size_t output = 1; output < node.outputs() && output < 5; ++output)
    node.set(output, node.shape(3), node.type(3));
}

void infer_instance_normalization(NodeView& node) {
  check_channels(node, 2);
  node.set(0, node.shape(0), node.type(0));
}

void infer_group_normalization(NodeView& node) {
  node.set(0, node.shape(0), node.type(0));
}

/// Mean and inverse deviation keep the dimensions before `axis`.
void infer_layer_normalization(NodeView& node) {
  TensorShape data = node.shape(0);
  node.set(0, data, node.type(0));
  if (!data.known) return;
  const auto axis = normal_axis(node.attributes().integer("axis", -1), data.dimensions.size());
  if (!axis) return node.contradiction(fmt::format("'axis' is beyond {}", shape_text(data)));
  for (std::size_t i = *axis; i < data.dimensions.size(); ++i) data.dimensions[i] = 1;
  node.set(1, data, ElementType::float32);
  node.set(2, data, ElementType::float32);
}

}  // namespace

void add_normalization_rules(RuleTable& table) {
  table["BatchNormalization"] = infer_batch_normalization;
  table["InstanceNormalization"] = infer_instance_normalization;
  table["GroupNormalization"] = infer_group_normalization;
  table["LayerNormalization"] = table["SimplifiedLayerNormalization"] = infer_layer_normalization;
  table["SkipLayerNormalization"] = table["RMSNormalization"] = infer_group_normalization;
}

}  // namespace convscope::network
