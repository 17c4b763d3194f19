#pragma once
// One layer through all passes: groups of maps, programs, figures.

#include <memory>

#include "core/nve/passes/loop.h"
#include "core/target/target.h"

namespace convscope::nve {

/// Never null: a layer that cannot be mapped carries the reason. Programs are verified before figures are given.
/// `graph` is the network's, whose weights traces show on machines that run networks as a whole; may be null.
std::shared_ptr<const target::CompiledLayer> compile_layer(
    const network::Layer& layer, const Machine& machine, const Switches& switches, target::PassCache& cache,
    const std::stop_token& stop, const std::shared_ptr<const network::Graph>& graph = nullptr);

}  // namespace convscope::nve
