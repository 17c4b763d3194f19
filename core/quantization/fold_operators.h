#pragma once
// Networks whose files quantize by operators (ONNX: QuantizeLinear, QLinearConv …), as machines compute them.

#include <optional>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"

namespace convscope::quantization {

/// The graph of real numbers that a quantized one stands for (own_scales.h), for machines that choose points of their
/// own: of the clips to what integers hold, those that rectify stay, since files leave out the Relu that a range from 0
/// makes; the others, of ranges that were measured, are left out. Topologically sorted; the graph's tensors come first,
/// in their order. Nothing if the graph has no such operators; nothing either, with a warning that says why, if one of
/// them can't be expressed. Precondition: types are inferred.
std::optional<network::Graph> fold_operators(const network::Graph& graph, const std::string& file,
                                             Diagnostics& diagnostics);

}  // namespace convscope::quantization
