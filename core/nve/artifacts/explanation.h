#pragma once
// What binds a layer on NVE: each issue field's share of the steady states, recurrences, and the transfers.

#include <memory>
#include <string>
#include <vector>

#include "core/artifact/explanation.h"
#include "core/nve/artifacts/layer_metrics.h"

namespace convscope::nve {

/// Bounds hold for the layer's programs as they are split and fused, divided evenly over the cores; another split could
/// have others. For a layer that is not mapped, the reason alone.
std::shared_ptr<const artifact::Explanation> make_explanation(const Layout& layout,
                                                              const std::vector<LayerProgram>& programs,
                                                              const Machine& machine, const artifact::Metrics& metrics,
                                                              const std::string& reason);

}  // namespace convscope::nve
