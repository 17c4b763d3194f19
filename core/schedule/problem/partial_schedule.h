#pragma once
// A problem on its way to a schedule: operations get their cycles in steps, over one table of what is taken.

#include <cstdint>
#include <vector>

#include "core/schedule/problem/reservation_table.h"

namespace convscope::schedule {

/// One iteration without overlap. Dependences are the scheduler's business.
class PartialSchedule {
 public:
  explicit PartialSchedule(const Problem& problem) : table_(problem), cycles_(problem.operations.size(), unplaced) {}

  /// True if an operation can issue in a cycle without exceeding a capacity.
  bool fits(int operation, std::int64_t cycle) const { return table_.fits(operation, cycle); }
  /// Precondition: the operation has no cycle.
  void place(int operation, std::int64_t cycle) {
    table_.place(operation, cycle);
    cycles_[static_cast<std::size_t>(operation)] = cycle;
  }
  /// Precondition: the operation has a cycle.
  void remove(int operation) {
    std::int64_t& cycle = cycles_[static_cast<std::size_t>(operation)];
    table_.remove(operation, cycle);
    cycle = unplaced;
  }
  std::int64_t cycle(int operation) const { return cycles_[static_cast<std::size_t>(operation)]; }
  /// `unplaced` for operations without a cycle.
  const std::vector<std::int64_t>& cycles() const { return cycles_; }

 private:
  ReservationTable table_;
  std::vector<std::int64_t> cycles_;
};

}  // namespace convscope::schedule
