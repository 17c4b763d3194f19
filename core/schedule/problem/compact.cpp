#include "core/schedule/problem/compact.h"

#include <algorithm>
#include <utility>

#include "core/base/integers.h"

namespace convscope::schedule {
namespace {

Lists<Edge> edges(std::size_t operations, const std::vector<Dependence>& d, int Dependence::*owner,
                  int Dependence::*other) {
  return {operations, d.size(), [&](std::size_t i) { return at(d[i].*owner); },
          [&](std::size_t i) {
            return Edge{d[i].*other, d[i].distance, d[i].iterations};
          }};
}

Neighbours neighbours(std::size_t operations, const std::vector<Dependence>& dependences) {
  return {edges(operations, dependences, &Dependence::to, &Dependence::from),
          edges(operations, dependences, &Dependence::from, &Dependence::to)};
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

namespace {

Components components_of(const Neighbours& neighbours) {
  const Search search(neighbours);
  const std::size_t count = search.component().size();
  std::vector<int> of(count);
  for (std::size_t i = 0; i < count; ++i) of[i] = search.count() - 1 - search.component()[i];
  // Who was left last stands first: against that order lead only the dependences that close circles.
  const auto& finished = search.finished();
  const auto by_finish = [&](std::size_t i) { return finished[count - 1 - i]; };
  Lists<int> members(
      at(search.count()), count, [&](std::size_t i) { return at(of[at(by_finish(i))]); }, by_finish);
  return {std::move(of), std::move(members)};
}

std::vector<Dependence> inner_dependences(const Problem& problem, const std::vector<int>& component) {
  std::vector<Dependence> result;
  for (const Dependence& d : problem.dependences)
    if (component[at(d.from)] == component[at(d.to)]) result.push_back(d);
  return result;
}

}  // namespace

Graph::Graph(const Problem& problem)
    : all(neighbours(problem.operations.size(), problem.dependences)),
      components(components_of(all)),
      inner(neighbours(problem.operations.size(), inner_dependences(problem, components.of))) {}

}  // namespace convscope::schedule
