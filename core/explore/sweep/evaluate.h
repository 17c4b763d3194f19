#pragma once
// One point: compiled for every network, through the engine.

#include <stop_token>

#include "core/explore/results/point_result.h"
#include "core/explore/space/space.h"
#include "core/target/pass_cache.h"

namespace convscope::explore {

/// Compiles on the caller's thread: a sweep runs many points side by side instead. Throws Cancelled. Pure.
PointResult evaluate(const Space& space, const Point& point, target::PassCache& cache, const std::stop_token& stop);

/// Figures of several networks by their weights: sums, of ratios the mean by cycles, the weakest origin.
Figures weighted_total(const std::vector<WeightedNetwork>& networks, const std::vector<Figures>& figures,
                       const Outcomes& outcomes);

}  // namespace convscope::explore
