#include "core/schedule/schedulers/slack_modulo.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/modulo_table.h"

namespace convscope::schedule {
namespace {

// Resources that are busy in nine tenths of the cycles (section 4.3).
std::vector<bool> on_critical_resources(const Problem& problem, std::int64_t interval) {
  std::vector<std::int64_t> uses(problem.resources.size(), 0);
  for (const Operation& operation : problem.operations)
    for (const ResourceUse& use : operation.uses) ++uses[at(use.resource)];
  std::vector<bool> result(problem.operations.size(), false);
  for (std::size_t i = 0; i < result.size(); ++i)
    for (const ResourceUse& use : problem.operations[i].uses)
      if (10 * uses[at(use.resource)] >= 9 * interval * problem.resources[at(use.resource)].capacity) result[i] = true;
  return result;
}

class Attempt {
 public:
  Attempt(const Problem& problem, const Graph& graph, std::int64_t interval)
      : graph_(graph),
        table_(problem, interval),
        critical_(on_critical_resources(problem, interval)),
        cycles_(problem.operations.size(), unplaced),
        last_(problem.operations.size(), unplaced),
        earliest_(problem.operations.size()),
        latest_(problem.operations.size()),
        left_(static_cast<std::int64_t>(problem.operations.size())) {}

  bool run(std::int64_t placements, Budget& budget) {
    bound_all();
    for (; left_ > 0 && placements > 0; --placements) {
      const int operation = least_slack();
      if (!budget.take(static_cast<std::int64_t>(cycles_.size()) / 8 + 1)) return false;
      const std::int64_t free = free_cycle(operation);
      const bool ejected = place(operation, free == unplaced ? forced(operation) : free);
      if (ejected || late_) {
        if (!budget.take(2 * static_cast<std::int64_t>(cycles_.size()))) return false;
        bound_all();
      }
    }
    return left_ == 0;
  }

  std::vector<std::int64_t> cycles() && { return std::move(cycles_); }

 private:
  // Longest paths from what is placed, and to it; unplaced ones otherwise begin at 0 and end with the last.
  void bound_all() {
    const auto fixed = [&](std::vector<std::int64_t>& bound) {
      for (std::size_t i = 0; i < bound.size(); ++i)
        if (cycles_[i] != unplaced) bound[i] = cycles_[i];
    };
    std::fill(earliest_.begin(), earliest_.end(), 0);
    fixed(earliest_);
    for (std::size_t c = 0; c < graph_.components.size(); ++c) relax(c, true);
    const std::int64_t interval = table_.interval(), longest = *std::max_element(earliest_.begin(), earliest_.end());
    end_ = std::max(end_, (longest / interval + 2) * interval);
    std::fill(latest_.begin(), latest_.end(), end_);
    fixed(latest_);
    for (std::size_t c = graph_.components.size(); c-- > 0;) relax(c, false);
    late_ = false;
  }

  bool relax_one(int operation, bool forward) {
    if (cycles_[at(operation)] != unplaced) return false;
    std::int64_t& bound = forward ? earliest_[at(operation)] : latest_[at(operation)];
    const std::int64_t before = bound;
    for (const Edge& edge : (forward ? graph_.all.into : graph_.all.out)[at(operation)]) {
      const std::int64_t length = edge.length(table_.interval());
      if (edge.other == operation) continue;
      bound = forward ? std::max(bound, earliest_[at(edge.other)] + length)
                      : std::min(bound, latest_[at(edge.other)] - length);
    }
    return bound != before;
  }

  void relax(std::size_t component, bool forward) {
    const auto members = graph_.components.members[component];
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t m = 0; m < members.size(); ++m)
        changed |= relax_one(members[forward ? m : members.size() - 1 - m], forward);
      changed &= members.size() > 1;
    }
  }

  // After a placement bounds only get tighter: along the dependences, from there on.
  void tighten(int start, bool forward) {
    work_.assign(1, start);
    while (!work_.empty()) {
      const int operation = work_.back();
      work_.pop_back();
      for (const Edge& edge : (forward ? graph_.all.out : graph_.all.into)[at(operation)])
        if (relax_one(edge.other, forward)) {
          work_.push_back(edge.other);
          late_ |= earliest_[at(edge.other)] > end_;
        }
    }
  }

  int least_slack() const {
    int best = -1;
    std::int64_t least = 0;
    for (std::size_t i = 0; i < cycles_.size(); ++i) {
      if (cycles_[i] != unplaced) continue;
      const std::int64_t slack = (latest_[i] - earliest_[i]) / (critical_[i] ? 2 : 1);
      if (best >= 0 && (slack > least || (slack == least && latest_[i] >= latest_[at(best)]))) continue;
      best = static_cast<int>(i), least = slack;
    }
    return best;
  }

  std::int64_t free_cycle(int operation) const {
    const std::int64_t first = earliest_[at(operation)];
    const std::int64_t last = std::min(latest_[at(operation)], first + table_.interval() - 1);
    if (first > last) return unplaced;
    if (graph_.all.into[at(operation)].size() >= graph_.all.out[at(operation)].size())
      return table_.first_fit(operation, first, last);
    for (std::int64_t cycle = last; cycle >= first; --cycle)
      if (table_.fits(operation, cycle)) return cycle;
    return unplaced;
  }

  std::int64_t forced(int operation) const {
    const std::int64_t last = last_[at(operation)];
    return last == unplaced ? earliest_[at(operation)] : std::max(earliest_[at(operation)], last + 1);
  }

  bool place(int operation, std::int64_t cycle) {
    leavers_.clear();
    table_.in_the_way(operation, cycle, [&](int other) { leavers_.push_back(other); });
    const auto stays = [&](const Edge& edge) { return edge.other != operation && cycles_[at(edge.other)] != unplaced; };
    for (const Edge& edge : graph_.all.into[at(operation)])
      if (stays(edge) && cycle < cycles_[at(edge.other)] + edge.length(table_.interval()))
        leavers_.push_back(edge.other);
    for (const Edge& edge : graph_.all.out[at(operation)])
      if (stays(edge) && cycles_[at(edge.other)] < cycle + edge.length(table_.interval()))
        leavers_.push_back(edge.other);
    for (const int other : leavers_) {
      if (cycles_[at(other)] == unplaced) continue;
      table_.remove(other, cycles_[at(other)]);
      cycles_[at(other)] = unplaced;
      ++left_;
    }
    table_.place(operation, cycle);
    cycles_[at(operation)] = last_[at(operation)] = earliest_[at(operation)] = latest_[at(operation)] = cycle;
    --left_;
    if (!leavers_.empty()) return true;
    tighten(operation, true);
    tighten(operation, false);
    return false;
  }

  const Graph& graph_;
  ModuloTable table_;
  std::vector<bool> critical_;
  std::vector<std::int64_t> cycles_, last_, earliest_, latest_;
  std::vector<int> leavers_, work_;
  std::int64_t left_, end_ = 0;
  bool late_ = false;  // an operation is pushed behind the end, which moves then
};

}  // namespace

Result slack_modulo_at(const Problem& problem, const Graph& graph, std::int64_t interval, int tries, Budget& budget) {
  if (auto failure = infeasible_operation(problem, interval)) {
    failure->kind = FailureKind::interval_limit;
    return *std::move(failure);
  }
  Attempt attempt(problem, graph, interval);
  const std::int64_t placements = tries * static_cast<std::int64_t>(problem.operations.size());
  if (problem.operations.empty() || attempt.run(placements, budget))
    return Schedule{std::move(attempt).cycles(), interval};
  if (!budget.take()) return budget.failure();
  return Failure{FailureKind::interval_limit,
                 fmt::format("{} placements did not settle at an interval of {}", placements, interval)};
}

}  // namespace convscope::schedule
