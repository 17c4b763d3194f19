#pragma once
// Which layout each tensor of a network has, so that programs and conversions together take the least time.

#include <cstddef>
#include <limits>
#include <vector>

namespace convscope::cpu {

/// The cost of what is impossible.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Variables with as many values each, and costs of pairs of them. A pair may be stated several times.
struct JoinProblem {
  struct Pair {
    std::size_t first = 0, second = 0;
    std::vector<double> cost;  ///< [value of first * values + value of second]; infinite: impossible
  };
  std::size_t variables = 0, values = 1;
  std::vector<std::vector<double>> own;  ///< [variable][value]
  std::vector<Pair> pairs;
};

struct Joined {
  std::vector<std::size_t> value;  ///< of each variable
  double cost = 0;
  bool optimal = false;
};

/// Dynamic programming over the variables, eliminated one after the other, the one with the fewest neighbours first:
/// exact and linear in the length for chains and for branches that come together again, as networks have them. Where a
/// variable would be left with more neighbours than a table of 10^6 costs has room for, the costs are lowered variable
/// after variable from the best uniform choice instead, and `optimal` is false.
Joined join(const JoinProblem& problem);

}  // namespace convscope::cpu
