#pragma once
// What is asked of a compiled layer: programs, their artifacts, runs and traces.

#include <memory>
#include <string>
#include <vector>

#include "core/network/graph.h"
#include "core/nve/architecture/machine.h"
#include "core/nve/layout/layout.h"
#include "core/nve/passes/loop.h"
#include "core/target/target.h"

namespace convscope::nve {

struct LayerProgram;

/// A layer with verified programs. `graph`: of its network, for weights; may be null.
std::shared_ptr<const target::CompiledLayer> make_mapped(Layout layout, const Machine& machine,
                                                         const Switches& switches, std::vector<LayerProgram> programs,
                                                         std::shared_ptr<const network::Graph> graph);

/// A layer without programs, and why; `fault`: why a program that was made is refused, if that is it.
std::shared_ptr<const target::CompiledLayer> make_unmapped(Layout layout, const Machine& machine,
                                                           const Switches& switches, std::string reason,
                                                           std::shared_ptr<const network::Graph> graph,
                                                           std::string fault);

}  // namespace convscope::nve
