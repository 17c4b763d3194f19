#pragma once
// Figures of solved layers, all estimates: no simulator has confirmed them.

#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/nmp/search/solution.h"

namespace convscope::nmp {

/// MACs, and the utilization by them, are the network's own: those by the zeros of a connection table take time, not
/// credit. With the error that was measured for the level's DRAM time.
artifact::Metrics layer_metrics(const Convolution& convolution, const Solution& solution, const Machine& machine,
                                CostLevel level);
/// Of a layer that takes no time of its own; `operation` says why.
artifact::Metrics free_metrics(const std::string& operation);
/// Adds what a layer is, where other operators than convolutions are part of the estimate.
void add_operation(artifact::Metrics& metrics, const std::string& operation);
artifact::Metrics unmapped_metrics(const network::Layer& layer);
/// Errors of DRAM times add up as if all were off the same way.
artifact::Metrics total_metrics(const std::vector<artifact::Metrics>& layers, const Machine& machine);

}  // namespace convscope::nmp
