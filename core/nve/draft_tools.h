#pragma once
// Loops of NVE's programs, scheduled by hand.

#include <functional>
#include <memory>
#include <string>

#include "core/nve/artifacts/layer_metrics.h"
#include "core/target/drafts.h"

namespace convscope::nve {

/// The layer with another schedule of one of its programs.
using MakeLayer = std::function<std::shared_ptr<const target::CompiledLayer>(target::Remembered<StructureProgram>)>;

/// The loop of a compiled program. A finished draft goes through the compiler's own passes behind scheduling: buffer
/// allocation, emission (with a peeled first iteration if `peeling`), binding. `name` is the program's.
/// Null for a looped program, and if the loop's problem is none that can be scheduled by hand (draft_problem.h).
std::shared_ptr<const target::DraftTools> make_draft_tools(const LayerProgram& program, const network::Layer& layer,
                                                           const Machine& machine, bool peeling,
                                                           const std::string& name, MakeLayer make_layer = {});

}  // namespace convscope::nve
