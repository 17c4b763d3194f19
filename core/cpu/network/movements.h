#pragma once
// Operators that only put elements elsewhere: each is a few loops of copies between tensors in row-major order.

#include <optional>
#include <vector>

#include "core/cpu/network/flow.h"
#include "core/cpu/network/node_values.h"
#include "core/network/graph.h"

namespace convscope::cpu {

/// How output `output` of a node comes from its inputs: Transpose, Slice, Split, Concat, Gather with constant indices,
/// Pad with a constant, Expand, DepthToSpace, SpaceToDepth, and resizing to a whole multiple where each pixel is
/// repeated. Nothing for other operators, and for modes that aren't such copies. Meanings: ONNX's.
std::optional<Moves> moves_of(const network::Node& node, const NodeValues& read, std::size_t output);

/// Axes of one element left out, and those joined whose elements stand one after the other in both tensors.
Movement simplified(Movement movement);

}  // namespace convscope::cpu
