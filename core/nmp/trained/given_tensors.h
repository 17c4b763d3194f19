#pragma once
// What lies in DRAM before a program begins.

#include <vector>

#include "core/network/graph.h"
#include "core/nmp/link/dataflow.h"

namespace convscope::nmp {

/// By storage of the flow the tensor of the graph that is there from the start: an input of the network, or what only
/// constants are computed to; -1 of others.
std::vector<int> given_tensors(const network::Graph& graph, const Dataflow& flow);

}  // namespace convscope::nmp
