#pragma once
// Bottom-up scheduling with back-off. Source: thesis "Automatic Mapping of Convolutional Networks on the Neuro Vector
// Engine", section 4.3, Algorithm 1. Heuristic: no bound on the length is claimed.

#include <vector>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// Issue cycles (<= 0) for one iteration: the bottom operation gets 0, every other the latest cycle that its visited
/// successors allow, moved earlier while a unit of a contended resource that it needs is taken.
///
/// As printed, the algorithm doesn't look again at the predecessors of an operation whose cycle it revises, which
/// breaks dependences; here a revised operation is queued again and its reservation moves with it.
///
/// Only dependences with iterations == 0 count. Uses of resources that are not contended are not looked at: verify the
/// result. For problems without choices.
/// Fails with `malformed`, `circle` (of positive length within an iteration; or of any other, if resources drive an
/// operation around it below every cycle that dependences and uses ask for), `over_capacity` (of a contended resource),
/// `unconnected` (an operation that doesn't lead to `bottom`), `budget`, `stopped`.
Result bottom_up(const Problem& problem, int bottom, const std::vector<int>& contended, Budget& budget);

/// The same direction with every resource contended: operations in reverse topological order, each as late as its
/// successors and all resources allow. Heuristic; usually a little longer.
/// For problems without choices. Fails with `malformed`, `circle` (of any length within an iteration: there is no order
/// then), `over_capacity`, `budget`, `stopped`.
Result as_late_as_possible(const Problem& problem, Budget& budget);

}  // namespace convscope::schedule
