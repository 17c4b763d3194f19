#pragma once
// Why not that tiling: any tiling of a layer beside the chosen one.

#include <memory>

#include "core/nmp/search/solution.h"
#include "core/target/tilings.h"

namespace convscope::nmp {

/// Tools for a layer that was solved at `level`.
std::unique_ptr<const target::TilingTools> make_tiling_tools(const Convolution& convolution, const Machine& machine,
                                                             CostLevel level, std::shared_ptr<const Solution> chosen);

}  // namespace convscope::nmp
