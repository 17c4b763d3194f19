#pragma once
// A problem laid out for schedulers that look at every operation thousands of times.

#include <algorithm>
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
  Lists<Edge> into, out;
};

/// Strongly connected components of the dependences, in topological order: a dependence leads to its own component or
/// to a later one.
struct Components {
  std::vector<int> of;  ///< component of each operation
  /// Operations of each component, so that few dependences lead backwards.
  Lists<int> members;
  std::size_t size() const { return members.size(); }
};

/// What all methods want to know of a problem's dependences; computed once.
struct Graph {
  explicit Graph(const Problem& problem);

  Neighbours all;
  Components components;
  Neighbours inner;  ///< dependences within a component only: no others bound the interval
  bool has_circle(std::size_t component) const {
    const auto members = components.members[component];
    return members.size() > 1 || !inner.out[static_cast<std::size_t>(members.front())].empty();
  }
};

/// Longest path to each operation, 0 at least: of what comes before it (`forward`, over what leads into operations), or
/// of what comes behind it (over what leads out of them). `length(edge, owner)` is that of an edge of `owner`'s list.
/// Precondition: no circle is of positive length.
template <class Length>
std::vector<std::int64_t> longest_paths(const Lists<Edge>& edges, const Components& components, bool forward,
                                        Length length) {
  std::vector<std::int64_t> longest(edges.size(), 0);
  const auto relax = [&](int operation) {
    std::int64_t& mine = longest[static_cast<std::size_t>(operation)];
    const std::int64_t before = mine;
    for (const Edge& edge : edges[static_cast<std::size_t>(operation)])
      mine = std::max(mine, longest[static_cast<std::size_t>(edge.other)] + length(edge, operation));
    return mine != before;
  };
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto members = components.members[forward ? i : components.size() - 1 - i];
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t m = 0; m < members.size(); ++m) changed |= relax(members[forward ? m : members.size() - 1 - m]);
      changed &= members.size() > 1;
    }
  }
  return longest;
}

}  // namespace convscope::schedule
