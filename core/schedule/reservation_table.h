#pragma once
// Which units of which resources are taken in which cycle, for any cycle of either sign.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/schedule/problem.h"

namespace convscope::schedule {

/// Linear (modulus 0) or wrapped around (modulus = initiation interval).
class ReservationTable {
 public:
  explicit ReservationTable(const Problem& problem, std::int64_t modulus = 0) : problem_(problem), modulus_(modulus) {}

  /// True if the operation can issue in a cycle without exceeding a capacity.
  bool fits(int operation, std::int64_t cycle) const;
  void place(int operation, std::int64_t cycle) { change(operation, cycle, 1); }
  void remove(int operation, std::int64_t cycle) { change(operation, cycle, -1); }

 private:
  std::int64_t slot(const ResourceUse& use, std::int64_t cycle) const;
  void change(int operation, std::int64_t cycle, int by);

  const Problem& problem_;
  std::int64_t modulus_;
  std::unordered_map<std::int64_t, int> used_;  // slot -> units
};

}  // namespace convscope::schedule
