#include "core/schedule/schedulers/iterative_modulo.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/modulo_table.h"

namespace convscope::schedule {
namespace {

class ModuloAttempt {
 public:
  ModuloAttempt(const Problem& problem, const Graph& graph, std::int64_t interval)
      : neighbours_(graph.all),
        table_(problem, interval),
        cycles_(problem.operations.size(), unplaced),
        last_(problem.operations.size(), unplaced) {
    rank_by_height(graph.components);
  }

  bool run(std::int64_t placements, Budget& budget) {
    for (; !waiting_.empty(); --placements) {
      if (placements == 0) return false;
      const int operation = by_rank_[at(waiting_.top())];
      waiting_.pop();
      const std::int64_t earliest = earliest_of(operation);
      const std::int64_t free = table_.first_fit(operation, earliest, earliest + table_.interval() - 1);
      if (!budget.take(1 + (free == unplaced ? table_.interval() : free - earliest) / 64)) return false;
      place(operation, free == unplaced ? forced(operation, earliest) : free);
    }
    return true;
  }

  std::vector<std::int64_t> cycles() && { return std::move(cycles_); }

 private:
  void rank_by_height(const Components& components) {
    const auto height = longest_paths(neighbours_.out, components, false,
                                      [&](const Edge& edge, int) { return edge.length(table_.interval()); });
    by_rank_.resize(cycles_.size());
    std::iota(by_rank_.begin(), by_rank_.end(), 0);
    std::stable_sort(by_rank_.begin(), by_rank_.end(), [&](int a, int b) { return height[at(a)] > height[at(b)]; });
    rank_.resize(cycles_.size());
    for (std::size_t i = 0; i < by_rank_.size(); ++i) {
      rank_[at(by_rank_[i])] = static_cast<int>(i);
      waiting_.push(static_cast<int>(i));
    }
  }

  std::int64_t earliest_of(int operation) const {
    std::int64_t earliest = unplaced;
    for (const Edge& edge : neighbours_.into[at(operation)])
      if (edge.other != operation && cycles_[at(edge.other)] != unplaced)
        earliest = std::max(earliest, cycles_[at(edge.other)] + edge.length(table_.interval()));
    return earliest == unplaced ? 0 : earliest;
  }

  std::int64_t forced(int operation, std::int64_t earliest) const {
    const std::int64_t last = last_[at(operation)];
    return last == unplaced ? earliest : std::max(earliest, last + 1);
  }

  void evict(int operation) {
    table_.remove(operation, cycles_[at(operation)]);
    cycles_[at(operation)] = unplaced;
    waiting_.push(rank_[at(operation)]);
  }

  void place(int operation, std::int64_t cycle) {
    in_the_way_.clear();
    table_.in_the_way(operation, cycle, [&](int other) { in_the_way_.push_back(other); });
    for (const Edge& edge : neighbours_.out[at(operation)])
      if (edge.other != operation && cycles_[at(edge.other)] != unplaced &&
          cycles_[at(edge.other)] < cycle + edge.length(table_.interval()))
        in_the_way_.push_back(edge.other);
    for (const int other : in_the_way_)
      if (cycles_[at(other)] != unplaced) evict(other);
    table_.place(operation, cycle);
    cycles_[at(operation)] = last_[at(operation)] = cycle;
  }

  const Neighbours& neighbours_;
  ModuloTable table_;
  std::vector<std::int64_t> cycles_, last_;
  std::vector<int> by_rank_, rank_, in_the_way_;
  std::priority_queue<int, std::vector<int>, std::greater<>> waiting_;  // ranks
};

}  // namespace

Result iterative_modulo_at(const Problem& problem, const Graph& graph, std::int64_t interval, int tries,
                           Budget& budget) {
  if (auto failure = infeasible_operation(problem, interval)) {
    failure->kind = FailureKind::interval_limit;
    return *std::move(failure);
  }
  ModuloAttempt attempt(problem, graph, interval);
  const std::int64_t placements = tries * static_cast<std::int64_t>(problem.operations.size());
  if (attempt.run(placements, budget)) return Schedule{std::move(attempt).cycles(), interval};
  if (!budget.take()) return budget.failure();
  return Failure{FailureKind::interval_limit,
                 fmt::format("{} placements did not settle at an interval of {}", placements, interval)};
}

}  // namespace convscope::schedule
