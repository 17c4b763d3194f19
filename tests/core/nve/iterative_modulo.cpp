#include "tests/core/nve/iterative_modulo.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/reservation_table.h"

namespace convscope::nve::test {
namespace {

using schedule::Dependence;
using schedule::Problem;
using schedule::unplaced;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Longest path from each operation at an interval that meets all recurrences: the height-based priority.
std::vector<std::int64_t> heights(const Problem& problem, std::int64_t interval) {
  std::vector<std::int64_t> result(problem.operations.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Dependence& d : problem.dependences) {
      const std::int64_t height = result[at(d.to)] + d.distance - d.iterations * interval;
      if (height > result[at(d.from)]) result[at(d.from)] = height, changed = true;
    }
  }
  return result;
}

class Attempt {
 public:
  Attempt(const Problem& problem, std::int64_t interval)
      : problem_(problem),
        interval_(interval),
        height_(heights(problem, interval)),
        in_(problem.operations.size()),
        out_(problem.operations.size()),
        cycles_(problem.operations.size(), unplaced),
        last_(problem.operations.size(), unplaced),
        table_(problem, interval) {
    for (const Dependence& d : problem.dependences) out_[at(d.from)].push_back(&d), in_[at(d.to)].push_back(&d);
    for (std::size_t i = 0; i < cycles_.size(); ++i) waiting_.insert({-height_[i], static_cast<int>(i)});
  }

  bool run(std::int64_t placements, schedule::Budget& budget) {
    for (; !waiting_.empty() && placements > 0; --placements) {
      const int operation = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      const std::int64_t earliest = earliest_of(operation);
      std::int64_t cycle = earliest;
      while (cycle < earliest + interval_ && !table_.fits(operation, cycle)) {
        if (!budget.take()) return false;
        ++cycle;
      }
      if (cycle == earliest + interval_)
        cycle = last_[at(operation)] == unplaced ? earliest : std::max(earliest, last_[at(operation)] + 1);
      place(operation, cycle);
    }
    return waiting_.empty();
  }

  std::vector<std::int64_t> cycles() const { return cycles_; }

 private:
  std::int64_t earliest_of(int operation) const {
    std::int64_t earliest = unplaced;
    for (const Dependence* d : in_[at(operation)])
      if (d->from != operation && cycles_[at(d->from)] != unplaced)
        earliest = std::max(earliest, cycles_[at(d->from)] + d->distance - d->iterations * interval_);
    return earliest == unplaced ? 0 : earliest;
  }

  void evict(int operation) {
    table_.remove(operation, cycles_[at(operation)]);
    cycles_[at(operation)] = unplaced;
    waiting_.insert({-height_[at(operation)], operation});
  }

  // Whoever is in the way, by resource or by dependence, waits again.
  void place(int operation, std::int64_t cycle) {
    for (std::size_t other = 0; other < cycles_.size() && !table_.fits(operation, cycle); ++other)
      if (cycles_[other] != unplaced && meet(operation, cycle, static_cast<int>(other))) evict(static_cast<int>(other));
    table_.place(operation, cycle);
    cycles_[at(operation)] = last_[at(operation)] = cycle;
    for (const auto& edges : {in_[at(operation)], out_[at(operation)]})
      for (const Dependence* d : edges) {
        const int other = d->from == operation ? d->to : d->from;
        const std::int64_t from = cycles_[at(d->from)], to = cycles_[at(d->to)];
        if (from == unplaced || to == unplaced || to >= from + d->distance - d->iterations * interval_) continue;
        if (other != operation) evict(other);
      }
  }

  bool meet(int operation, std::int64_t cycle, int other) const {
    for (const auto& a : problem_.operations[at(operation)].uses)
      for (const auto& b : problem_.operations[at(other)].uses)
        if (a.resource == b.resource && schedule::same_row(cycle + a.offset, cycles_[at(other)] + b.offset, interval_))
          return true;
    return false;
  }

  const Problem& problem_;
  std::int64_t interval_;
  std::vector<std::int64_t> height_;
  std::vector<std::vector<const Dependence*>> in_, out_;
  std::vector<std::int64_t> cycles_, last_;
  schedule::ReservationTable table_;
  std::set<std::pair<std::int64_t, int>> waiting_;
};

}  // namespace

schedule::Result iterative_modulo(const Problem& problem, int tries, schedule::Budget& budget) {
  if (auto failure = schedule::infeasible_circle(problem)) return *std::move(failure);
  const std::int64_t first = std::max(schedule::resource_bound(problem), schedule::recurrence_bound(problem));
  const std::int64_t last = 4 * first + 64;
  for (std::int64_t interval = first; interval <= last; interval += 1 + interval / 16) {
    Attempt attempt(problem, interval);
    if (!budget.take()) return budget.failure();
    if (attempt.run(tries * static_cast<std::int64_t>(problem.operations.size()), budget))
      return schedule::Schedule{attempt.cycles(), interval};
    if (!budget.take()) return budget.failure();
  }
  return schedule::Failure{schedule::FailureKind::interval_limit, "no interval found"};
}

}  // namespace convscope::nve::test
