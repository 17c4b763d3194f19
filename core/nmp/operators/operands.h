#pragma once
// Operators of several operands, element by element: as many as the output has, one for each map, or a constant.

#include "core/network/graph.h"
#include "core/nmp/operators/operators.h"

namespace convscope::nmp {

/// Add, Sub, Mul, Div, Max, Min, Sum, and PRelu, by themselves. Programs take operands as large as the output, two or
/// more of them; two of which one is a constant number, or has an element for each map.
OperatorUse use_of_operands(const network::Graph& graph, const network::Layer& layer, const network::Node& node,
                            int element_bytes);

}  // namespace convscope::nmp
