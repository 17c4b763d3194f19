#pragma once
// Why a layer takes as long as it does, and what else was possible.

#include <memory>

#include "core/artifact/explanation.h"
#include "core/nmp/search/solution.h"

namespace convscope::nmp {

/// The terms of equation 6, each with the least that any tiling spends on it (proven: by the search over all tilings
/// for DRAM and commands, in closed form for MACs), and the best tiling of every other strategy. Searches once for each
/// strategy and term.
std::shared_ptr<const artifact::Explanation> explain(const Convolution& convolution, const Machine& machine,
                                                     CostLevel level, std::shared_ptr<const Solution> solution);

/// Why nothing fits: each strategy's smallest tiling with the memory that it overruns.
std::shared_ptr<const artifact::Explanation> explain_refusal(const Convolution& convolution, const Machine& machine,
                                                             const std::string& reason);

}  // namespace convscope::nmp
