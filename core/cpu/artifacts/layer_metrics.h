#pragma once
// Figures of layers and networks from chosen programs.

#include <vector>

#include "core/artifact/metrics.h"
#include "core/cpu/artifacts/chosen_program.h"
#include "core/network/network.h"

namespace convscope::cpu {

/// Bytes in, out and of weights are the tensors, each once; what the levels of memory move are figures of their own.
/// Utilization = valid operations / (seconds * peak); of a stored run by the peak that it found itself. The bound is
/// the time of the valid operations at that peak.
artifact::Metrics layer_metrics(const network::Layer& layer, const ChosenProgram& program);

/// Of a layer without a program: no time.
artifact::Metrics unmapped_metrics(const network::Layer& layer);

/// Sums; speed and utilization follow from them.
artifact::Metrics total_metrics(const std::vector<artifact::Metrics>& layers, const Machine& machine);

}  // namespace convscope::cpu
