#pragma once
// Linear programs over differences of integers, solved as the min-cost flows that are their duals.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/schedule/problem/budget.h"

namespace convscope::schedule {

/// Least sum of weight * value over whole numbers whose differences are bounded from below.
class DifferenceProgram {
 public:
  /// A new number that counts `weight` times. Returns its index.
  int number(std::int64_t weight);
  /// value(to) - value(from) >= least.
  void bound(int from, int to, std::int64_t least);

  /// Optimal, values relative to number 0's, which is 0: network simplex (Dantzig) on the dual, whose node potentials
  /// are the values; whole, as the matrix is totally unimodular. Deterministic. A step of the budget for each arc
  /// looked at. Nothing if the budget is used up, if no values keep the bounds, or if none are least. Preconditions:
  /// weights sum to 0; every number but 0 is bounded against it, on some way, from both sides.
  std::optional<std::vector<std::int64_t>> solve(Budget& budget) const;

 private:
  struct Arc {
    int from, to;
    std::int64_t least;
  };
  friend class NetworkSimplex;

  std::vector<std::int64_t> weights_;
  std::vector<Arc> arcs_;
};

}  // namespace convscope::schedule
