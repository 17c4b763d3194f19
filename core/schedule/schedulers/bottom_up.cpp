#include "core/schedule/schedulers/bottom_up.h"

#include <algorithm>
#include <deque>
#include <optional>

#include <fmt/format.h>

#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/partial_schedule.h"

namespace convscope::schedule {
namespace {

struct Use {
  int other;
  int distance;
};

// Incoming edges of every operation, in the order in which the problem lists them: the order of visits.
std::vector<std::vector<Use>> incoming(const Problem& problem) {
  std::vector<std::vector<Use>> edges(problem.operations.size());
  for (const Dependence& d : problem.dependences)
    if (d.iterations == 0) edges[static_cast<std::size_t>(d.to)].push_back({d.from, d.distance});
  return edges;
}

// The same problem with the uses of contended resources only.
Problem only(const Problem& problem, const std::vector<int>& contended) {
  Problem result{problem.resources, problem.operations, problem.dependences};
  for (Operation& operation : result.operations)
    std::erase_if(operation.uses, [&](const ResourceUse& use) {
      return std::find(contended.begin(), contended.end(), use.resource) == contended.end();
    });
  return result;
}

// What neither of the two methods takes.
std::optional<Failure> refused(const Problem& problem) {
  if (auto failure = malformed(problem)) return failure;
  for (const Operation& operation : problem.operations)
    for (const ResourceUse& use : operation.uses)
      if (const Resource& resource = problem.resources[static_cast<std::size_t>(use.resource)]; resource.is_choice())
        return Failure{FailureKind::malformed,
                       fmt::format("'{}' uses '{}', a choice among resources", operation.name, resource.name)};
  return std::nullopt;
}

// Below this cycle no operation comes by dependences that lead forwards only: a way to the bottom takes each of them
// once, and on it each use can be in the way of each other once.
std::int64_t lowest_cycle(const Problem& problem) {
  std::int64_t distances = 0, uses = 0;
  for (const Dependence& d : problem.dependences)
    if (d.iterations == 0) distances += std::max(d.distance, 0);
  for (const Operation& operation : problem.operations) uses += static_cast<std::int64_t>(operation.uses.size());
  return -distances - uses * uses;
}

// Backs off from `cycle` to the first earlier one that has room; false if the budget ends before.
bool place_before(PartialSchedule& partial, int operation, std::int64_t cycle, Budget& budget) {
  while (budget.take()) {
    if (partial.fits(operation, cycle)) {
      partial.place(operation, cycle);
      return true;
    }
    --cycle;
  }
  return false;
}

// Algorithm 1 with its table, queue and visits.
class BottomUp {
 public:
  BottomUp(const Problem& problem, const Problem& reserved, Budget& budget)
      : problem_(problem),
        budget_(budget),
        parents_(incoming(problem)),
        partial_(reserved),
        lowest_(lowest_cycle(reserved)),
        visits_(problem.operations.size(), 0) {}

  Result run(int bottom) {
    if (!assign(bottom, 0)) return budget_.failure();
    while (!queue_.empty()) {
      const int child = queue_.front();
      queue_.pop_front();
      if (may_circle(child))
        if (auto failure = infeasible_circle(problem_)) return *std::move(failure);
      if (partial_.cycle(child) < lowest_) return driven_around(child);
      if (!visit_parents(child)) return budget_.failure();
    }
    return complete(bottom);
  }

 private:
  bool assign(int operation, std::int64_t latest) {
    if (partial_.cycle(operation) != unplaced) partial_.remove(operation);
    queue_.push_back(operation);
    return place_before(partial_, operation, latest, budget_);
  }

  bool visit_parents(int child) {
    for (const Use& edge : parents_[static_cast<std::size_t>(child)]) {
      const std::int64_t latest = partial_.cycle(child) - edge.distance;
      const std::int64_t current = partial_.cycle(edge.other);
      if (current != unplaced && current <= latest) continue;
      if (!assign(edge.other, latest)) return false;
    }
    return true;
  }

  // Without a circle and without back-off, no operation is visited more often than there are operations. Asked once:
  // if back-off was the reason, no circle can come later.
  bool may_circle(int operation) {
    if (circle_checked_ || ++visits_[static_cast<std::size_t>(operation)] <= problem_.operations.size()) return false;
    return circle_checked_ = true;
  }

  Failure driven_around(int operation) const {
    return {FailureKind::circle,
            fmt::format("'{}' backs off to cycle {} and no way ends it: resources and dependences that lead back "
                        "drive it around a circle",
                        problem_.operations[static_cast<std::size_t>(operation)].name, partial_.cycle(operation)),
            operation};
  }

  Result complete(int bottom) const {
    const auto& cycles = partial_.cycles();
    const auto left = std::find(cycles.begin(), cycles.end(), unplaced);
    if (left == cycles.end()) return Schedule{cycles, 0};
    const auto operation = static_cast<std::size_t>(left - cycles.begin());
    return Failure{
        FailureKind::unconnected,
        fmt::format("no dependences within an iteration lead from '{}' to '{}'", problem_.operations[operation].name,
                    problem_.operations[static_cast<std::size_t>(bottom)].name),
        static_cast<int>(operation)};
  }

  const Problem& problem_;
  Budget& budget_;
  std::vector<std::vector<Use>> parents_;
  PartialSchedule partial_;
  const std::int64_t lowest_;
  std::deque<int> queue_;
  std::vector<std::size_t> visits_;
  bool circle_checked_ = false;
};

// What as_late_as_possible couldn't bring into an order.
Failure no_order(const Problem& problem, const std::vector<int>& successors) {
  if (auto failure = infeasible_circle(problem)) return *std::move(failure);
  const auto first = std::find_if(successors.begin(), successors.end(), [](int count) { return count > 0; });
  const auto operation = static_cast<std::size_t>(first - successors.begin());
  return {
      FailureKind::circle,
      fmt::format("'{}' and {} more operations wait for each other within one iteration: there is no order for them",
                  problem.operations[operation].name,
                  std::count_if(first, successors.end(), [](int count) { return count > 0; }) - 1),
      static_cast<int>(operation)};
}

}  // namespace

Result bottom_up(const Problem& problem, int bottom, const std::vector<int>& contended, Budget& budget) {
  if (bottom < 0 || static_cast<std::size_t>(bottom) >= problem.operations.size())
    return Failure{FailureKind::malformed, fmt::format("the bottom is operation {}: there are {} operations", bottom,
                                                       problem.operations.size())};
  if (auto failure = refused(problem)) return *std::move(failure);
  const Problem reserved = only(problem, contended);
  if (auto failure = infeasible_operation(reserved)) return *std::move(failure);
  return BottomUp(problem, reserved, budget).run(bottom);
}

Result as_late_as_possible(const Problem& problem, Budget& budget) {
  if (auto failure = refused(problem)) return *std::move(failure);
  if (auto failure = infeasible_operation(problem)) return *std::move(failure);
  const auto parents = incoming(problem);
  std::vector<int> successors(problem.operations.size(), 0);
  for (const auto& edges : parents)
    for (const Use& edge : edges) ++successors[static_cast<std::size_t>(edge.other)];
  std::vector<std::int64_t> latest(problem.operations.size(), 0);
  std::deque<int> ready;
  for (std::size_t i = problem.operations.size(); i-- > 0;)
    if (successors[i] == 0) ready.push_back(static_cast<int>(i));
  PartialSchedule partial(problem);
  while (!ready.empty()) {
    const int operation = ready.front();
    ready.pop_front();
    if (!place_before(partial, operation, latest[static_cast<std::size_t>(operation)], budget)) return budget.failure();
    for (const Use& edge : parents[static_cast<std::size_t>(operation)]) {
      auto& bound = latest[static_cast<std::size_t>(edge.other)];
      bound = std::min(bound, partial.cycle(operation) - edge.distance);
      if (--successors[static_cast<std::size_t>(edge.other)] == 0) ready.push_back(edge.other);
    }
  }
  if (std::any_of(successors.begin(), successors.end(), [](int count) { return count > 0; }))
    return no_order(problem, successors);
  return Schedule{partial.cycles(), 0};
}

}  // namespace convscope::schedule
