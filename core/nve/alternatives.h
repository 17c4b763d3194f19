#pragma once
// What a layer would be otherwise, each by compiling it: without one optimization, or on the machine that would take
// it.

#include <functional>
#include <memory>
#include <vector>

#include "core/artifact/explanation.h"
#include "core/nve/passes/loop.h"
#include "core/target/compiled.h"

namespace convscope::nve {

/// The layer at hand, compiled with other switches on another machine.
using Recompile = std::function<std::shared_ptr<const target::CompiledLayer>(const Switches&, const Machine&)>;

/// What each optimization gained: the layer without it, best first. `cycles`, instructions and words are compared with
/// `metrics`, those of the layer as it is.
std::vector<artifact::RejectedAlternative> without_each(const artifact::Metrics& metrics, const Switches& switches,
                                                        const Machine& machine, const Recompile& recompile);

/// For a layer that isn't mapped: the machine that would take it with the smallest registers that do (image register
/// extension first, then wider ports), then the smallest instruction buffer, then the smallest local buffer; and what
/// the layer would reach on it. Empty if no machine within the parameters' ranges takes it.
std::vector<artifact::RejectedAlternative> smallest_machine(const Switches& switches, const Machine& machine,
                                                            const Recompile& recompile);

}  // namespace convscope::nve
