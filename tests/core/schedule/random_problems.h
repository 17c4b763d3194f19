#pragma once
// Seeded scheduling problems for tests and benchmarks: the same on every machine.

#include <cstdint>
#include <random>
#include <vector>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule::test {

/// What loop bodies look like, from what compilers meet to what accelerators do.
enum class Family {
  expressions,   ///< no circles: dependences forward only, one use per operation
  accumulators,  ///< expressions with recurrences of one to several operations
  reservations,  ///< several uses per operation at offsets, capacities above 1, recurrences
  alternatives,  ///< accumulators whose operations choose among units
  streams,       ///< reads, sets and multiplications: two uses per operation, values held in registers until the next
                 ///< set, also around the end of the iteration, and windows (dependences of negative distance)
  crowded        ///< streams with so few multiplications for each set that the ports stall them, which no bound that
                 ///< is known here sees
};
inline constexpr Family families[] = {Family::expressions,  Family::accumulators, Family::reservations,
                                      Family::alternatives, Family::streams,      Family::crowded};
const char* name_of(Family family);

/// About so many operations (streams come in groups), never more. An interval exists for each.
Problem random_problem(Family family, int operations, std::mt19937_64& random);

/// Up to 31 operations that all lead to operation 0 within one iteration, of no, one or several uses each, some of them
/// at once; no interval is promised, but each alone finds room.
Problem random_tree(std::mt19937_64& random);

/// Anything of a few operations: also what no interval meets.
Problem random_small_problem(int operations, std::mt19937_64& random);

}  // namespace convscope::schedule::test
