#pragma once
// How far operations of a recurrence may stand from each other at an interval.

#include <cstdint>
#include <vector>

#include "core/schedule/problem/compact.h"

namespace convscope::schedule {

/// For each operation, its distance from the anchor of its component, one operation of it, by longest paths: exact for
/// each operation alone. An operation without a circle is its own anchor.
struct RecurrenceWindows {
  /// Precondition: the interval meets all recurrences.
  RecurrenceWindows(const Graph& graph, std::int64_t interval);

  std::vector<int> anchor;
  std::vector<std::int64_t> earliest, latest;  ///< cycles after the anchor
};

}  // namespace convscope::schedule
