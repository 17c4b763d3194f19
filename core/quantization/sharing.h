#pragma once
// Which operators tie the formats of their tensors together.

#include "core/network/graph.h"

namespace convscope::quantization {

/// Pools, views (Reshape, Transpose, Slice …) and Concat: they compute nothing that would move a point.
bool keeps_point(const network::Node& node);
/// Operators whose inputs must have one point: Add, Sum, Sub and Concat.
bool wants_one_point(const network::Node& node);
/// Relu and Clip, which machines apply to an accumulator before it is stored.
bool is_clamp(const network::Node& node);
/// Conv, Gemm and MatMul, whose second input are weights where it is constant.
bool is_product(const network::Node& node);

}  // namespace convscope::quantization
