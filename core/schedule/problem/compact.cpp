#include "core/schedule/problem/compact.h"

#include <algorithm>

namespace convscope::schedule {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Lists<Edge> edges(const Problem& problem, int Dependence::*owner, int Dependence::*other) {
  const auto& d = problem.dependences;
  return {problem.operations.size(), d.size(), [&](std::size_t i) { return at(d[i].*owner); },
          [&](std::size_t i) {
            return Edge{d[i].*other, d[i].distance, d[i].iterations};
          }};
}

// Tarjan 1972, without recursion: a body may be a chain of a million operations.
class Search {
 public:
  explicit Search(const Neighbours& neighbours)
      : neighbours_(neighbours),
        number_(neighbours.out.size(), 0),
        low_(neighbours.out.size(), 0),
        component_(neighbours.out.size(), -1) {
    finished_.reserve(number_.size());
    for (std::size_t i = 0; i < number_.size(); ++i)
      if (number_[i] == 0) walk(static_cast<int>(i));
  }

  int count() const { return count_; }
  const std::vector<int>& component() const { return component_; }  // sinks first
  const std::vector<int>& finished() const { return finished_; }    // in the order in which the search left them

 private:
  struct Step {
    int operation;
    std::size_t next;
  };

  void enter(int operation) {
    number_[at(operation)] = low_[at(operation)] = ++numbers_;
    open_.push_back(operation);
    way_.push_back({operation, 0});
  }

  void walk(int start) {
    enter(start);
    while (!way_.empty()) {
      const int operation = way_.back().operation;
      const auto out = neighbours_.out[at(operation)];
      if (way_.back().next < out.size()) {
        look_at(operation, out[way_.back().next++].other);
      } else {
        leave(operation);
      }
    }
  }

  void look_at(int operation, int other) {
    if (number_[at(other)] == 0) {
      enter(other);
    } else if (component_[at(other)] < 0) {
      low_[at(operation)] = std::min(low_[at(operation)], number_[at(other)]);
    }
  }

  void leave(int operation) {
    finished_.push_back(operation);
    way_.pop_back();
    if (!way_.empty()) {
      int& low = low_[at(way_.back().operation)];
      low = std::min(low, low_[at(operation)]);
    }
    if (low_[at(operation)] != number_[at(operation)]) return;
    int member = -1;
    do {
      member = open_.back();
      open_.pop_back();
      component_[at(member)] = count_;
    } while (member != operation);
    ++count_;
  }

  const Neighbours& neighbours_;
  std::vector<int> number_, low_, component_, open_, finished_;
  std::vector<Step> way_;
  int numbers_ = 0, count_ = 0;
};

}  // namespace

Neighbours::Neighbours(const Problem& problem)
    : into(edges(problem, &Dependence::to, &Dependence::from)),
      out(edges(problem, &Dependence::from, &Dependence::to)) {}

Components::Components(const Neighbours& neighbours) {
  const Search search(neighbours);
  const std::size_t count = search.component().size();
  of.resize(count);
  for (std::size_t i = 0; i < count; ++i) of[i] = search.count() - 1 - search.component()[i];
  // Who was left last stands first: against that order lead only the dependences that close circles.
  const auto& finished = search.finished();
  members = Lists<int>(
      at(search.count()), count, [&](std::size_t i) { return at(of[at(finished[count - 1 - i])]); },
      [&](std::size_t i) { return finished[count - 1 - i]; });
}

std::vector<std::int64_t> longest_paths(const Lists<Edge>& into, const Components& components, bool forward,
                                        std::int64_t interval) {
  std::vector<std::int64_t> length(into.size(), 0);
  const auto relax = [&](int operation) {
    std::int64_t longest = length[at(operation)];
    for (const Edge& edge : into[at(operation)])
      longest = std::max(longest, length[at(edge.other)] + edge.length(interval));
    const bool changed = longest != length[at(operation)];
    length[at(operation)] = longest;
    return changed;
  };
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto members = components.members[forward ? i : components.size() - 1 - i];
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t m = 0; m < members.size(); ++m) changed |= relax(members[forward ? m : members.size() - 1 - m]);
      changed &= members.size() > 1;
    }
  }
  return length;
}

}  // namespace convscope::schedule
