#pragma once
// Where tensors lie that live at different times.

#include <cstdint>
#include <vector>

namespace convscope::nmp {

struct Lifetime {
  std::int64_t bytes = 0;
  int first = 0, last = 0;  ///< steps in which it is needed, both included
};

struct MemoryPlan {
  std::vector<std::int64_t> first_bytes;  ///< as the lifetimes
  std::int64_t bytes = 0;                 ///< of all together
  std::int64_t bound = 0;                 ///< most bytes needed in one step: no plan takes less
};

/// Largest first, each into the smallest gap that is free while it lives, all at multiples of `alignment`. Not optimal
/// in general: `bytes` equals `bound` where it is. Quadratic.
MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes, std::int64_t alignment);

}  // namespace convscope::nmp
