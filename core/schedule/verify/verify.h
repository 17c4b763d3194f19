#pragma once
// Checks a schedule against its problem; shares no code with any scheduler.

#include <string>
#include <vector>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

struct Violation {
  std::string text;  ///< names operations, cycles, counts and limits
  int operation = -1, other = -1;
};

/// Dependences that the schedule breaks. With an initiation interval, across iterations as well.
std::vector<Violation> broken_dependences(const Problem& problem, const Schedule& schedule);

/// Resources used beyond their capacity; modulo the initiation interval if there is one. With choices, sets of
/// resources whose uses in a cycle can't be divided over them, the first of each cycle.
std::vector<Violation> overused_resources(const Problem& problem, const Schedule& schedule);

/// Both, and the shape (one cycle per operation, non-negative interval, indices that exist), which both need.
std::vector<Violation> verify(const Problem& problem, const Schedule& schedule);

}  // namespace convscope::schedule
