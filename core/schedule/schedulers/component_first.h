#pragma once
// Two quick ways to a pipelined schedule, and a patient one. All use that dependences between strongly connected
// components never bound the interval: a component moves by whole intervals.

#include <cstdint>
#include <vector>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/result.h"
#include "core/schedule/schedulers/recurrence_windows.h"

namespace convscope::schedule {

/// A problem at one interval, with what every method there needs. All must outlive it. No choices, the interval meets
/// all recurrences, a ModuloTable can hold it, no operation meets itself.
struct AtInterval {
  const Problem& problem;
  const Graph& graph;
  const RecurrenceWindows& windows;
  std::int64_t interval;
};

/// Operations that any schedule of the others leaves a row: without a circle, with one use at most. Counting finds a
/// row for each of them, as long as the interval isn't below the resource bound.
std::vector<bool> free_operations(const Problem& problem, const Graph& graph);

/// Components in topological order, each in the first rows that are free behind what it waits for. Optimal (it meets
/// any interval that the resource bound allows) if all operations are `free_operations`; heuristic otherwise.
Result topological(const AtInterval& at_interval, Budget& budget);

/// Components with circles first, the largest before the others: each is scheduled alone and moved as a whole to an
/// offset where it fits (offset scan), or if there is none, between those that stand (slack). Then operations with
/// several uses, the rarest resources first, then the others. Heuristic.
Result component_first(const AtInterval& at_interval, Budget& budget);

/// All operations that aren't free, at once: those in the way leave and come again, `tries` times each in the mean.
/// Heuristic; the last before an exact search.
Result ejection(const AtInterval& at_interval, int tries, Budget& budget);

/// The schedule in which those with a cycle keep it and free operations, `unplaced` so far, follow. Precondition: those
/// with a cycle overuse nothing and keep the dependences within components, and all others are free.
Result completed(const AtInterval& at_interval, const std::vector<std::int64_t>& cycles, Budget& budget);

// All fail with `interval_limit`, `budget`, `stopped`.

}  // namespace convscope::schedule
