#pragma once
// What the compiler hands out: solved layers with their programs, and layers that can't be sliced.

#include <memory>
#include <string>

#include "core/nmp/link/solved_layer.h"
#include "core/nmp/search/solution.h"
#include "core/target/compiled.h"

namespace convscope::nmp {

/// A solved layer. Its figures are estimates; its program is made when something of it is asked for. `operation`: what
/// the layer is, where that is to be told.
std::shared_ptr<const target::CompiledLayer> make_mapped(const std::string& name, const Convolution& convolution,
                                                         const Computing& computing, const Machine& machine,
                                                         CostLevel level, std::shared_ptr<const Solution> solution,
                                                         const std::string& operation = {});

/// A layer that is no convolution.
std::shared_ptr<const target::CompiledLayer> make_unmapped(const network::Layer& layer, const std::string& reason);

/// A convolution that no tiling fits.
std::shared_ptr<const target::CompiledLayer> make_unmapped(const network::Layer& layer, const Convolution& convolution,
                                                           const Machine& machine, const std::string& reason);

}  // namespace convscope::nmp
