#pragma once
// The exhaustive oracle: walks through every tile of every tiling and counts what is moved, sharing no code with the
// cost model's sums. For small layers.

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/cost/sums.h"

namespace convscope::nmp {

struct OracleCost {
  bool fits = false;
  std::int64_t bytes = 0, bursts = 0, commands = 0, mac_cycles = 0;
  std::int64_t ring_bytes = 0, ring_hops = 0;
  double seconds(const Machine& machine) const;
  double volume_seconds(const Machine& machine) const;
};

OracleCost oracle_cost(const Convolution& convolution, const Machine& machine, const Tiling& tiling);

struct OracleBest {
  double seconds = 0;  ///< infinite if nothing fits
  std::int64_t tilings = 0;
};
/// The least time over all tilings; by volume alone if asked for.
OracleBest oracle_best(const Convolution& convolution, const Machine& machine, bool by_volume);

}  // namespace convscope::nmp
