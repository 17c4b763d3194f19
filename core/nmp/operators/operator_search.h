#pragma once
// The best tiling of an operator that is no convolution.

#include "core/nmp/operators/operators.h"
#include "core/nmp/search/solution.h"

namespace convscope::nmp {

/// What a layer takes: its sizes as the search sees them, the machine as far as it works on it, and the tiling.
struct OperatorWork {
  Convolution convolution;
  Machine machine;
  std::shared_ptr<const Solution> solution;
};

/// A fully connected layer runs by `percept` where all MACs of a TLT work side by side; whether it does.
bool use_percept(Convolution& convolution, const Machine& machine);

/// Pools are searched like convolutions: ceil(T_R T_C taps / MACs) a map. Element by element operations are cut into
/// pieces of equal length that TLTs take in turn: as few as the memories allow or, where that leaves TLTs idle, as many
/// as fill all of them; the faster. Whatever the array is, all MACs of a TLT work side by side. `use` is of one of
/// these two kinds; the solution may say that nothing fits. Throws Cancelled.
OperatorWork solve_operator(const OperatorUse& use, const Machine& machine, CostLevel level, target::PassCache& cache,
                            const std::stop_token& stop);

}  // namespace convscope::nmp
