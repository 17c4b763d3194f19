#pragma once
// Bottom-up scheduling with back-off. Source: thesis "Automatic Mapping of Convolutional Networks on the Neuro Vector
// Engine", section 4.3, Algorithm 1. Heuristic: no bound on the length is claimed.

#include <cstdint>
#include <vector>

#include "core/schedule/problem.h"

namespace convscope::schedule {

/// Issue cycles (<= 0) for one iteration: the bottom operation gets 0, every other the latest cycle that its visited
/// successors allow, moved earlier while a unit of a contended resource that it needs is taken.
///
/// As printed, the algorithm doesn't look again at the predecessors of an operation whose cycle it revises, which
/// breaks dependences; here a revised operation is queued again and its reservation moves with it.
///
/// Only dependences with iterations == 0 count; they must not form a circle, and every operation must reach `bottom`
/// (asserted). Uses of resources that are not contended are not looked at: verify the result.
std::vector<std::int64_t> bottom_up(const Problem& problem, int bottom, const std::vector<int>& contended);

/// The same direction with every resource contended: operations in reverse topological order, each as late as its
/// successors and all resources allow. Never fails; usually a little longer.
std::vector<std::int64_t> as_late_as_possible(const Problem& problem);

}  // namespace convscope::schedule
