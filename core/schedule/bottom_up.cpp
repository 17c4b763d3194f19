#include "core/schedule/bottom_up.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>

#include "core/schedule/reservation_table.h"

namespace convscope::schedule {
namespace {

struct Edge {
  int other;
  int distance;
};

// Incoming edges of every operation, in the order in which the problem lists them: the order of visits.
std::vector<std::vector<Edge>> incoming(const Problem& problem) {
  std::vector<std::vector<Edge>> edges(problem.operations.size());
  for (const Dependence& d : problem.dependences)
    if (d.iterations == 0) edges[static_cast<std::size_t>(d.to)].push_back({d.from, d.distance});
  return edges;
}

// The same problem with the uses of contended resources only.
Problem only(const Problem& problem, const std::vector<int>& contended) {
  Problem result{problem.resources, problem.operations, {}};
  for (Operation& operation : result.operations)
    std::erase_if(operation.uses, [&](const ResourceUse& use) {
      return std::find(contended.begin(), contended.end(), use.resource) == contended.end();
    });
  return result;
}

constexpr std::int64_t unvisited = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::vector<std::int64_t> bottom_up(const Problem& problem, int bottom, const std::vector<int>& contended) {
  const auto parents = incoming(problem);
  const Problem reserved = only(problem, contended);
  ReservationTable table(reserved);
  std::vector<std::int64_t> cycles(problem.operations.size(), unvisited);
  const auto assign = [&](int operation, std::int64_t cycle) {
    auto& current = cycles[static_cast<std::size_t>(operation)];
    if (current != unvisited) table.remove(operation, current);
    while (!table.fits(operation, cycle)) --cycle;  // back-off
    table.place(operation, cycle);
    current = cycle;
  };
  assign(bottom, 0);
  std::deque<int> queue{bottom};
  while (!queue.empty()) {
    const int child = queue.front();
    queue.pop_front();
    for (const Edge& edge : parents[static_cast<std::size_t>(child)]) {
      const std::int64_t latest = cycles[static_cast<std::size_t>(child)] - edge.distance;
      if (cycles[static_cast<std::size_t>(edge.other)] <= latest) continue;
      assign(edge.other, latest);
      queue.push_back(edge.other);
    }
  }
  assert(std::find(cycles.begin(), cycles.end(), unvisited) == cycles.end());
  return cycles;
}

std::vector<std::int64_t> as_late_as_possible(const Problem& problem) {
  const auto parents = incoming(problem);
  std::vector<int> successors(problem.operations.size(), 0);
  for (const auto& edges : parents)
    for (const Edge& edge : edges) ++successors[static_cast<std::size_t>(edge.other)];
  std::vector<std::int64_t> cycles(problem.operations.size(), 0);
  std::deque<int> ready;
  for (std::size_t i = problem.operations.size(); i-- > 0;)
    if (successors[i] == 0) ready.push_back(static_cast<int>(i));
  ReservationTable table(problem);
  while (!ready.empty()) {
    const int operation = ready.front();
    ready.pop_front();
    auto& cycle = cycles[static_cast<std::size_t>(operation)];
    while (!table.fits(operation, cycle)) --cycle;
    table.place(operation, cycle);
    for (const Edge& edge : parents[static_cast<std::size_t>(operation)]) {
      auto& latest = cycles[static_cast<std::size_t>(edge.other)];
      latest = std::min(latest, cycle - edge.distance);
      if (--successors[static_cast<std::size_t>(edge.other)] == 0) ready.push_back(edge.other);
    }
  }
  return cycles;
}

}  // namespace convscope::schedule
