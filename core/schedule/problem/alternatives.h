#pragma once
// Resources with alternatives, turned into plain ones: by Hall's theorem (1935) the uses of a cycle can be divided over
// the resources that they may take exactly if no set of those resources has more uses that can go nowhere else than it
// has units. Each such set becomes a resource of its own.

#include <variant>
#include <vector>

#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// A problem without choices that has exactly the same schedules: operations and dependences keep their numbers,
/// resources too (nothing uses a choice any more); sets of alternatives stand behind them.
struct PlainProblem {
  Problem problem;
  std::vector<std::vector<int>> members;  ///< for each resource of `problem`, those of the original behind it
};

bool has_choices(const Problem& problem);

/// Sets that the alternatives of a problem may form; overlapping choices multiply.
inline constexpr std::size_t most_sets = 512;

/// Exact. Fails with `malformed` if there are more than `most_sets` sets. Precondition: not `malformed`.
std::variant<PlainProblem, Failure> without_choices(const Problem& problem);

/// For each operation, the resource that each of its uses takes: one way to divide a schedule's uses over the
/// alternatives. Empty if there is none, that is if `verify` finds a resource overused.
std::vector<std::vector<int>> chosen_resources(const Problem& problem, const Schedule& schedule);

}  // namespace convscope::schedule
