#pragma once
// A problem laid out for schedulers that look at every operation thousands of times.

#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// Lists of items, one behind the other in memory.
template <class Item>
class Lists {
 public:
  Lists() : begin_(1, 0) {}
  /// `list_of(i)` is the list of the i-th of `count` items, `item(i)` the item; they keep their order within a list.
  template <class ListOf, class MakeItem>
  Lists(std::size_t lists, std::size_t count, ListOf list_of, MakeItem item) : begin_(lists + 1, 0), items_(count) {
    for (std::size_t i = 0; i < count; ++i) ++begin_[list_of(i) + 1];
    for (std::size_t i = 0; i < lists; ++i) begin_[i + 1] += begin_[i];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < count; ++i) items_[next[list_of(i)]++] = item(i);
  }
  std::size_t size() const { return begin_.size() - 1; }
  std::span<const Item> operator[](std::size_t list) const {
    return {items_.data() + begin_[list], begin_[list + 1] - begin_[list]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Item> items_;
};

/// Dependence seen from one of its ends.
struct Edge {
  int other = 0;
  std::int64_t distance = 0, iterations = 0;

  /// Cycles by which the end comes later than the start, at least, in one iteration's schedule.
  std::int64_t length(std::int64_t interval) const { return distance - iterations * interval; }
};

/// Dependences by their ends: `into[i]` has the operations that i waits for, `out[i]` those that wait for i.
struct Neighbours {
  explicit Neighbours(const Problem& problem);
  Lists<Edge> into, out;
};

/// Strongly connected components of the dependences, in topological order: a dependence leads to its own component or
/// to a later one.
struct Components {
  explicit Components(const Neighbours& neighbours);

  std::vector<int> of;  ///< component of each operation
  /// Operations of each component, so that few dependences lead backwards.
  Lists<int> members;
  std::size_t size() const { return members.size(); }
};

/// Longest path to each operation, 0 at least: of the cycles before it (`forward`, over what leads into operations), or
/// of those behind it (over what leads out of them).
/// Precondition: no circle is of positive length.
std::vector<std::int64_t> longest_paths(const Lists<Edge>& into, const Components& components, bool forward,
                                        std::int64_t interval);

}  // namespace convscope::schedule
