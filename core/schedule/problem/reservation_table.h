#pragma once
// Which units of which resources are taken in which cycle, for any cycle of either sign.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// Whether two cycles are the same row of a table of `interval` rows; without an interval (0), the same cycle.
inline bool same_row(std::int64_t a, std::int64_t b, std::int64_t interval) {
  return interval == 0 ? a == b : (a - b) % interval == 0;
}

/// Linear (modulus 0) or wrapped around (modulus = initiation interval).
class ReservationTable {
 public:
  explicit ReservationTable(const Problem& problem, std::int64_t modulus = 0) : problem_(problem), modulus_(modulus) {}

  /// True if the operation can issue in a cycle without exceeding a capacity, all its uses counted together.
  bool fits(int operation, std::int64_t cycle) const;
  void place(int operation, std::int64_t cycle) { change(operation, cycle, 1); }
  void remove(int operation, std::int64_t cycle) { change(operation, cycle, -1); }

 private:
  std::int64_t units(const std::vector<ResourceUse>& uses, const ResourceUse& use) const;
  std::int64_t slot(const ResourceUse& use, std::int64_t cycle) const;
  void change(int operation, std::int64_t cycle, int by);

  const Problem& problem_;
  std::int64_t modulus_;
  std::unordered_map<std::int64_t, int> used_;  // slot -> units
};

}  // namespace convscope::schedule
