#pragma once
// The search for a range of bandwidths at once: which tilings can be the best somewhere within it.

#include <vector>

#include "core/nmp/search/search.h"

namespace convscope::nmp {

/// Bytes per second; may be one bandwidth.
struct BandwidthRange {
  double low = 0, high = 0;
};

/// Tilings of which one is the best at each bandwidth within the range, the other parameters being the model's; none if
/// none fits. A range is for machines without double buffering and for levels volume and burst; the others take a
/// single bandwidth, the model's. Prices are those of a single bandwidth, else open. Throws Cancelled.
std::vector<Candidate> contenders(const CostModel& model, const SearchOptions& options, const BandwidthRange& range,
                                  const std::stop_token& stop, SearchEffort* effort = nullptr);

/// The best of `contenders` at the machine's bandwidth, at level volume or burst.
std::optional<Candidate> best_of(const std::vector<Candidate>& contenders, const Machine& machine, CostLevel level);

/// Product of the sizes.
std::int64_t volume(const Tiling& tiling);

/// Order of preference where prices are equal: the larger width, the larger tile, then the order of the space itself.
bool preferred(const Tiling& a, const Tiling& b);

}  // namespace convscope::nmp
