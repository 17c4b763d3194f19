#pragma once
// Placing operations at one interval, where those in the way may have to leave again: iterative modulo scheduling (Rau
// 1994) with windows from both sides (Huff 1993), costs that learn who is hard to place, and only the dependences that
// bound the interval.

#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/modulo_table.h"
#include "core/schedule/schedulers/recurrence_windows.h"

namespace convscope::schedule {

/// A partial schedule at one interval that grows. Dependences between components are left out: moving a component by
/// whole intervals meets them without changing a row.
class EjectionSearch {
 public:
  /// Preconditions: no choices; the interval meets all recurrences; the table can hold it; no operation meets itself.
  EjectionSearch(const Problem& problem, const Graph& graph, const RecurrenceWindows& windows, std::int64_t interval);

  /// Gives all of `operations` cycles, in this order of priority; none may have one. Only they may be moved: what was
  /// placed before stays. `earliest` is where the first of a component looks first, by operation.
  /// Heuristic: false if `placements` or the budget are used up; they have no cycles then.
  bool place(std::span<const int> operations, const std::vector<std::int64_t>& earliest, std::int64_t placements,
             Budget& budget);

  /// Gives operations the cycles of another schedule, `offset` later, if all fit there. Precondition: none has one.
  bool place_whole(std::span<const int> operations, const std::vector<std::int64_t>& cycles, std::int64_t offset,
                   Budget& budget);

  bool is_placed(int operation) const { return cycles_[at(operation)] != unplaced; }
  const std::vector<std::int64_t>& cycles() const { return cycles_; }
  void remove(std::span<const int> operations);

 private:
  struct Window {
    std::int64_t first, last;            // by who is placed
    std::int64_t hard_first, hard_last;  // by the anchor, which nobody moves for this
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  Window window(int operation, std::int64_t preferred) const;
  std::int64_t cheapest(int operation, const Window& window, Budget& budget);
  std::int64_t cost(int operation, std::int64_t cycle, std::int64_t limit) const;
  std::int64_t cost_of(int operation) const;
  void settle(int operation, std::int64_t cycle);
  void eject(int operation);
  void eject_one(int operation);
  void make_room(int operation, std::int64_t cycle);
  void make_order(int operation, std::int64_t cycle);
  std::uint64_t random();

  const Graph& graph_;
  const RecurrenceWindows& windows_;
  ModuloTable table_;
  std::vector<std::int64_t> cycles_, last_;
  std::vector<std::int64_t> weight_;  // how often an operation had to leave
  std::vector<int> rank_;             // -1: not to be moved
  std::vector<int> by_rank_;
  std::priority_queue<int, std::vector<int>, std::greater<>> waiting_;
  std::uint64_t random_ = 88172645463325252ULL;
};

}  // namespace convscope::schedule
