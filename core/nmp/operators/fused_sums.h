#pragma once
// Whether a sum is better computed by the layer before it, which begins its sums from the other operand.

#include "core/nmp/operators/operator_search.h"

namespace convscope::nmp {

/// Compares times at a level: the layer's best tiling with the other operand to be loaded where its outputs will be,
/// and its best without it plus that of the sum by itself. False if one of them fits no memory, or if the layer would
/// lose its program. Equal searches are made once. Throws Cancelled.
bool saves_time(const network::Layer& layer, const OperatorUse& sum, const Machine& machine, CostLevel level,
                target::PassCache& cache, const std::stop_token& stop);

}  // namespace convscope::nmp
