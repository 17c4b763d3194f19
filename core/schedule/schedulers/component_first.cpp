#include "core/schedule/schedulers/component_first.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/schedule/schedulers/ejection_search.h"
#include "core/schedule/schedulers/stages.h"

namespace convscope::schedule {
namespace {

constexpr int tries_within_component = 8;

// One attempt; the order of its calls is the method.
class Attempt {
 public:
  Attempt(const AtInterval& at_interval, Budget& budget)
      : in_(at_interval),
        budget_(budget),
        search_(in_.problem, in_.graph, in_.windows, in_.interval),
        earliest_(in_.problem.operations.size(), 0) {}

  bool place(std::size_t component) {
    const auto members = in_.graph.components.members[component];
    if (members.size() == 1) {
      wait_for_others(members.front());
      return search_.place(members, earliest_, 1, budget_);
    }
    return search_.place(by_latest(members), earliest_,
                         tries_within_component * static_cast<std::int64_t>(members.size()) + 64, budget_);
  }

  bool place(const std::vector<int>& operations, std::int64_t placements) {
    return search_.place(operations, earliest_, placements, budget_);
  }

  // Behind whatever operations of other components have their cycles already.
  void wait_for_others(int operation) {
    std::int64_t earliest = 0;
    for (const Edge& edge : in_.graph.all.into[at(operation)])
      if (edge.other != operation && search_.is_placed(edge.other))
        earliest = std::max(earliest, search_.cycles()[at(edge.other)] + edge.length(in_.interval));
    earliest_[at(operation)] = earliest;
  }

  void wait_as_component(std::size_t component) {
    const auto members = in_.graph.components.members[component];
    std::int64_t earliest = 0;
    for (const int member : members) {
      wait_for_others(member);
      earliest = std::max(earliest, earliest_[at(member)] - in_.windows.latest[at(member)]);
    }
    earliest_[at(members.front())] = earliest;
  }

  // Members whose time is up first come first; the anchor, which the others stand around, before them.
  std::vector<int> by_latest(std::span<const int> members) const {
    std::vector<int> order(members.begin(), members.end());
    std::stable_sort(order.begin() + 1, order.end(),
                     [&](int a, int b) { return in_.windows.latest[at(a)] - in_.windows.latest[at(b)] < 0; });
    return order;
  }

  // Moves a component's schedule as a whole to the first offset where everything fits.
  bool place_whole(std::span<const int> members, const std::vector<std::int64_t>& cycles) {
    for (std::int64_t offset = 0; offset < in_.interval; ++offset)
      if (search_.place_whole(members, cycles, offset, budget_)) return true;
    return false;
  }

  bool place_whole_at(std::span<const int> operations, const std::vector<std::int64_t>& cycles) {
    return search_.place_whole(operations, cycles, 0, budget_);
  }

  const std::vector<std::int64_t>& cycles() const { return search_.cycles(); }
  void remove(std::span<const int> operations) { search_.remove(operations); }

  Result result() const { return with_fewest_stages(in_.graph, {search_.cycles(), in_.interval}); }
  Result failure(const char* method) {
    if (!budget_.take()) return budget_.failure();
    return Failure{FailureKind::interval_limit,
                   fmt::format("{} found nothing at an interval of {}", method, in_.interval)};
  }

 private:
  const AtInterval& in_;
  Budget& budget_;
  EjectionSearch search_;
  std::vector<std::int64_t> earliest_;
};

// How much of what an operation needs is taken by all: the larger, the fewer rows will be left for it.
std::vector<double> scarcity(const Problem& problem) {
  std::vector<double> load(problem.resources.size(), 0), result(problem.operations.size(), 0);
  for (const Operation& operation : problem.operations)
    for (const ResourceUse& use : operation.uses)
      load[at(use.resource)] += 1.0 / std::max(1, problem.resources[at(use.resource)].capacity);
  for (std::size_t i = 0; i < result.size(); ++i)
    for (const ResourceUse& use : problem.operations[i].uses) result[i] += load[at(use.resource)];
  return result;
}

// What the methods place in which order.
struct Order {
  std::vector<std::size_t> circles;  // components, the largest first
  std::vector<int> bound, free;      // operations without a circle: several uses, scarcest first; in topological order
};

Order order_of(const AtInterval& in) {
  Order order;
  const std::vector<bool> is_free = free_operations(in.problem, in.graph);
  const auto members = [&](std::size_t c) { return in.graph.components.members[c]; };
  for (std::size_t c = 0; c < in.graph.components.size(); ++c) {
    if (in.graph.has_circle(c)) {
      order.circles.push_back(c);
    } else {
      (is_free[at(members(c).front())] ? order.free : order.bound).push_back(members(c).front());
    }
  }
  std::stable_sort(order.circles.begin(), order.circles.end(),
                   [&](std::size_t a, std::size_t b) { return members(a).size() > members(b).size(); });
  const std::vector<double> scarce = scarcity(in.problem);
  std::stable_sort(order.bound.begin(), order.bound.end(), [&](int a, int b) { return scarce[at(a)] > scarce[at(b)]; });
  return order;
}

// The rest of a schedule: always found if all of them are free.
bool place_each(Attempt& attempt, const AtInterval& in, const std::vector<int>& operations) {
  return std::all_of(operations.begin(), operations.end(), [&](int operation) {
    attempt.wait_for_others(operation);
    return attempt.place(at(in.graph.components.of[at(operation)]));
  });
}

}  // namespace

std::vector<bool> free_operations(const Problem& problem, const Graph& graph) {
  std::vector<bool> result(problem.operations.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = problem.operations[i].uses.size() <= 1 && !graph.has_circle(at(graph.components.of[i]));
  return result;
}

Result topological(const AtInterval& at_interval, Budget& budget) {
  Attempt attempt(at_interval, budget);
  for (std::size_t c = 0; c < at_interval.graph.components.size(); ++c) {
    if (at_interval.graph.has_circle(c)) attempt.wait_as_component(c);
    if (!attempt.place(c)) return attempt.failure("the topological order");
  }
  return attempt.result();
}

Result component_first(const AtInterval& at_interval, Budget& budget) {
  const Order order = order_of(at_interval);
  Attempt attempt(at_interval, budget), alone(at_interval, budget);
  for (const std::size_t c : order.circles) {
    const auto members = at_interval.graph.components.members[c];
    if (!alone.place(c)) return attempt.failure("component-first search");
    const bool moved = attempt.place_whole(members, alone.cycles());
    alone.remove(members);
    if (!moved && !attempt.place(c)) return attempt.failure("component-first search");
  }
  if (place_each(attempt, at_interval, order.bound) && place_each(attempt, at_interval, order.free))
    return attempt.result();
  return attempt.failure("component-first search");
}

Result ejection(const AtInterval& at_interval, int tries, Budget& budget) {
  const Order order = order_of(at_interval);
  Attempt attempt(at_interval, budget);
  std::vector<int> operations;
  for (const std::size_t c : order.circles) {
    const auto members = attempt.by_latest(at_interval.graph.components.members[c]);
    operations.insert(operations.end(), members.begin(), members.end());
  }
  operations.insert(operations.end(), order.bound.begin(), order.bound.end());
  const std::int64_t placements = tries * static_cast<std::int64_t>(operations.size()) + 256;
  if (attempt.place(operations, placements) && place_each(attempt, at_interval, order.free)) return attempt.result();
  return attempt.failure("ejection");
}

Result completed(const AtInterval& at_interval, const std::vector<std::int64_t>& cycles, Budget& budget) {
  Attempt attempt(at_interval, budget);
  std::vector<int> placed, others;
  for (std::size_t c = 0; c < at_interval.graph.components.size(); ++c)
    for (const int member : at_interval.graph.components.members[c])
      (cycles[at(member)] == unplaced ? others : placed).push_back(member);
  if (attempt.place_whole_at(placed, cycles) && place_each(attempt, at_interval, others)) return attempt.result();
  return attempt.failure("completing");
}

}  // namespace convscope::schedule
