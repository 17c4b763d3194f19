#pragma once
// What the search found for one convolution: the pass behind every artifact of a layer.

#include <memory>
#include <stop_token>
#include <string>

#include "core/nmp/search/search.h"
#include "core/target/pass.h"

namespace convscope::nmp {

/// The best tiling and its time as it is shown: by bursts for levels volume and burst, by banks for banked.
struct Solution {
  Tiling tiling;
  Totals totals;
  Occupancy occupancy;
  Doubled doubled;  ///< memories that hold two tiles, where the search chooses them
  Seconds seconds;
  double floor_seconds = 0;  ///< no tiling of any strategy is faster: MACs at their peak, everything moved once
  std::string reason;        ///< why nothing fits; empty if something does
};

/// Searches once for equal convolutions on equal machines. Throws Cancelled.
std::shared_ptr<const Solution> solve(const Convolution& convolution, const Machine& machine,
                                      const SearchOptions& options, target::PassCache& cache,
                                      const std::stop_token& stop);

/// Time of a tiling at a level, by term. Throws Cancelled.
Seconds shown_seconds(const CostModel& model, const Tiling& tiling, const Totals& totals, CostLevel level,
                      const std::stop_token& stop);

}  // namespace convscope::nmp
