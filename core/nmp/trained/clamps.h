#pragma once
// What a layer's results are clamped to in its network.

#include <optional>
#include <vector>

#include "core/network/graph.h"

namespace convscope::nmp {

/// An end that there is none of is infinite.
struct Clamp {
  double least = 0, most = 0;
};

/// Of the Relu, Clip and HardSigmoid (0 to 1) nodes among `node` and what is folded into it, all together; nothing if
/// there are none. A limit that is neither an attribute nor a constant with a value is none.
std::optional<Clamp> clamp_of(const network::Graph& graph, int node, const std::vector<int>& folded);

}  // namespace convscope::nmp
