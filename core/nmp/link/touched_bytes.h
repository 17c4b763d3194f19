#pragma once
// Which bytes of DRAM each TLE reads and writes in a layer.

#include <cstdint>
#include <vector>

#include "core/nmp/generate/layer_plan.h"
#include "core/nmp/link/layer_order.h"

namespace convscope::nmp {

/// Where a layer's tensors begin in DRAM; -1: it has none.
struct TensorPlaces {
  std::int64_t in = -1, second = -1, residual = -1, out = -1, partial_sums = -1;
  std::vector<std::int64_t> more = {};  ///< operands as in `LinkedStep`
};

/// Of each TLE the true rows and maps with their borders, whatever its tiles are.
TouchedByTles touched_bytes(const LayerPlan& plan, const TensorPlaces& places);

}  // namespace convscope::nmp
