#pragma once
// Which nodes are convolutions and matrix products, and where their weights are.

#include <optional>

#include "core/network/graph.h"

namespace convscope::network {

/// Positions among a node's inputs.
struct WeightedForm {
  std::size_t data = 0;
  std::size_t weights = 1;
};

/// Conv, ConvInteger, QLinearConv, FusedConv: layers with a kernel over space.
std::optional<WeightedForm> convolution_form(const Node& node);
/// The same, ConvTranspose and DeformConv.
std::optional<WeightedForm> any_convolution_form(const Node& node);
/// Gemm, MatMul and their quantized and fused forms.
std::optional<WeightedForm> product_form(const Node& node);
/// True for ONNX's own operators and com.microsoft's, whose names we know.
bool is_known_domain(const Node& node);

}  // namespace convscope::network
