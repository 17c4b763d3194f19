#include "tests/core/schedule/exhaustive.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace convscope::schedule::test {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

std::int64_t modulo(std::int64_t a, std::int64_t b) {
  return ((a % b) + b) % b;
}

class Search {
 public:
  Search(const Problem& problem, std::int64_t interval, std::int64_t& looks)
      : problem_(problem), interval_(interval), looks_(looks) {
    units_.resize(at(interval), std::vector<std::vector<int>>(problem.resources.size()));
  }

  bool run() { return place(0); }

 private:
  bool place(std::size_t operation) {
    if (operation == problem_.operations.size()) return true;
    const std::int64_t rows = operation == 0 ? 1 : interval_;
    for (std::int64_t row = 0; row < rows && --looks_ > 0; ++row) {
      rows_.push_back(row);
      if (stages_exist() && use(operation, 0, row)) return true;
      rows_.pop_back();
    }
    return false;
  }

  // Every way to give the operation's uses their resources, then everything behind it.
  bool use(std::size_t operation, std::size_t index, std::int64_t row) {
    const auto& uses = problem_.operations[operation].uses;
    if (index == uses.size()) return place(operation + 1);
    const Resource& asked = problem_.resources[at(uses[index].resource)];
    std::vector<int> options = asked.any_of;
    if (options.empty()) options.push_back(uses[index].resource);
    for (const int option : options) {
      auto& users = units_[at(modulo(row + uses[index].offset, interval_))][at(option)];
      if (static_cast<int>(users.size()) >= problem_.resources[at(option)].capacity) continue;
      users.push_back(static_cast<int>(operation));
      if (use(operation, index + 1, row)) return true;
      users.pop_back();
    }
    return false;
  }

  // Whole intervals can be added so that the dependences among those with a row hold: no circle asks for more than
  // none.
  bool stages_exist() const {
    const std::size_t count = rows_.size();
    std::vector<std::int64_t> cycle(rows_);
    for (std::size_t round = 0; round <= count; ++round) {
      bool changed = false;
      for (const Dependence& d : problem_.dependences) {
        if (at(d.from) >= count || at(d.to) >= count) continue;
        const std::int64_t earliest = cycle[at(d.from)] + d.distance - d.iterations * interval_;
        while (cycle[at(d.to)] < earliest) cycle[at(d.to)] += interval_, changed = true;
      }
      if (!changed) return true;
    }
    return false;
  }

  const Problem& problem_;
  std::int64_t interval_;
  std::int64_t& looks_;
  std::vector<std::int64_t> rows_;
  std::vector<std::vector<std::vector<int>>> units_;  // users by row and resource
};

// What is impossible for one operation needs no search of the others.
bool each_alone(const Problem& problem, std::int64_t interval, std::int64_t& looks) {
  for (std::size_t i = 0; i < problem.operations.size(); ++i) {
    Problem alone{problem.resources, {problem.operations[i]}, {}};
    for (const Dependence& d : problem.dependences)
      if (at(d.from) == i && at(d.to) == i) alone.dependences.push_back({0, 0, d.distance, d.iterations});
    if (!Search(alone, interval, looks).run()) return false;
  }
  return true;
}

}  // namespace

Found has_schedule(const Problem& problem, std::int64_t interval, std::int64_t& looks) {
  if (each_alone(problem, interval, looks) && Search(problem, interval, looks).run()) return Found::yes;
  return looks > 0 ? Found::no : Found::given_up;
}

std::optional<std::int64_t> least_interval(const Problem& problem, std::int64_t largest, std::int64_t looks) {
  for (std::int64_t interval = 1; interval <= largest; ++interval) {
    const Found found = has_schedule(problem, interval, looks);
    if (found == Found::given_up) return std::nullopt;
    if (found == Found::yes) return interval;
  }
  return 0;
}

}  // namespace convscope::schedule::test
