// Changes between real numbers and integers, and sums of quantized tensors.

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// The zero point's type; without one what `output_dtype` says, else uint8.
void infer_quantize(NodeView& node) {
  const std::int64_t stated = node.attributes().integer("output_dtype", 0);
  ElementType type = node.type(2);
  if (type == ElementType::unknown) type = stated == 0 ? ElementType::uint8 : element_type_of_onnx(stated);
  node.set(0, node.shape(0), type);
}

void infer_dequantize(NodeView& node) {
  node.set(0, node.shape(0), node.type(1) == ElementType::unknown ? ElementType::float32 : node.type(1));
}

void infer_dynamic_quantize(NodeView& node) {
  node.set(0, node.shape(0), ElementType::uint8);
  node.set(1, Dimensions{}, ElementType::float32);
  node.set(2, Dimensions{}, ElementType::uint8);
}

/// com.microsoft: A, its scale and zero point, B, its scale and zero point, …
void infer_qlinear_binary(NodeView& node) {
  node.set(0, broadcast(node, node.shape(0), node.shape(3)), node.type(0));
}

}  // namespace

void add_quantization_rules(RuleTable& table) {
  table["QuantizeLinear"] = infer_quantize;
  table["DequantizeLinear"] = infer_dequantize;
  table["DynamicQuantizeLinear"] = infer_dynamic_quantize;
  table["QLinearAdd"] = table["QLinearMul"] = infer_qlinear_binary;
}

}  // namespace convscope::network
