#pragma once
// The modulo reservation table: which units of which resources are taken in which row, and by whom.

#include <cstdint>
#include <vector>

#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// A table of `interval` rows for a problem without choices (alternatives.h), which must outlive it. Free rows are
/// found 64 at a time.
class ModuloTable {
 public:
  /// Rows times resources that a table may have, for memory's sake.
  static constexpr std::int64_t most_places = std::int64_t{1} << 26;
  static bool can_hold(const Problem& problem, std::int64_t interval);

  /// Precondition: can_hold.
  ModuloTable(const Problem& problem, std::int64_t interval);

  std::int64_t interval() const { return interval_; }
  /// True if the operation can issue in a cycle without exceeding a capacity.
  bool fits(int operation, std::int64_t cycle) const;
  /// First cycle of [first, last] in which it can issue; `unplaced` if there is none. Looks at one table at most.
  std::int64_t first_fit(int operation, std::int64_t first, std::int64_t last) const;
  void place(int operation, std::int64_t cycle);
  void remove(int operation, std::int64_t cycle);
  /// Calls `see(other)` for each operation with a unit in a place that `operation` would overfill in a cycle; one may
  /// come more than once.
  template <class See>
  void in_the_way(int operation, std::int64_t cycle, See see) const {
    overfilled(operation, cycle, [&](std::size_t place, int) { holders(place, see); });
  }
  /// Calls `see(place, units)` for each place in which an operation would lack so many units.
  template <class See>
  void overfilled(int operation, std::int64_t cycle, See see) const {
    const std::int64_t first = row(cycle);
    for (std::size_t i = begin_[at(operation)]; i < begin_[at(operation) + 1]; ++i) {
      const std::size_t place = place_of(uses_[i], first);
      const int missing = taken_[place] + uses_[i].units - capacity_[at(uses_[i].resource)];
      if (missing > 0) see(place, missing);
    }
  }
  /// Calls `see(operation)` for each operation that holds units of a place.
  template <class See>
  void holders(std::size_t place, See see) const {
    for (int use = head_[place]; use >= 0; use = links_[at(use)].next) see(links_[at(use)].operation);
  }

 private:
  // A place that an operation uses: of several uses of one place, one with their sum.
  struct Use {
    int resource = 0;
    std::int64_t offset = 0;  // within the table
    int units = 1;
  };
  // The uses of a place are chained, so that evicting asks nobody else.
  struct Link {
    int operation = -1, next = -1, previous = -1;
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  std::int64_t row(std::int64_t cycle) const {
    const std::int64_t rest = cycle % interval_;
    return rest < 0 ? rest + interval_ : rest;
  }
  std::size_t place_of(const Use& use, std::int64_t row) const {
    std::int64_t shifted = row + use.offset;
    if (shifted >= interval_) shifted -= interval_;
    return at(use.resource) * static_cast<std::size_t>(interval_) + static_cast<std::size_t>(shifted);
  }
  std::uint64_t blocked(const Use& use, std::int64_t row) const;
  void add_uses(const Operation& operation);
  void mark(const Use& use, std::size_t place);

  std::int64_t interval_;
  std::size_t words_;  // of a resource's row of bits: interval + 64 rows, so that 64 can be read from any
  std::vector<int> capacity_;
  std::vector<std::size_t> begin_;
  std::vector<Use> uses_;
  std::vector<Link> links_;
  std::vector<int> taken_, head_;
  std::vector<std::uint64_t> full_;
};

}  // namespace convscope::schedule
