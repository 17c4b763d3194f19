#pragma once
// Operators that compute nothing: views, copies of pieces, and what moves elements tile by tile.

#include <optional>

#include "core/network/graph.h"
#include "core/nmp/operators/operators.h"

namespace convscope::nmp {

/// Transpose, Slice, Gather, Resize and Upsample (to the nearest, by whole factors), Pad (with zeros); nothing of other
/// operators. A `free` one is a view whose first element `offsets` tells; unmapped ones say why.
std::optional<OperatorUse> use_of_mover(const network::Graph& graph, const network::Layer& layer,
                                        const network::Node& node);

/// A concatenation. `placed`: by input, whether who computes it stores it where it belongs; the others are copied.
OperatorUse use_of_concatenation(const network::Graph& graph, const network::Node& node, std::vector<bool> placed);

/// Whether each input of a concatenation is one run of elements in the output.
bool joins_runs(const network::Graph& graph, const network::Node& node);

}  // namespace convscope::nmp
