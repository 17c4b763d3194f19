#include "core/schedule/bounds/bounds.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

namespace convscope::schedule {
namespace {

struct Edge {
  std::size_t from = 0, to = 0;
  std::int64_t distance = 0, iterations = 0;
};

// A strongly connected part of the dependence graph; its operations are numbered from 0.
struct Component {
  std::vector<int> operations;  // in the problem
  std::vector<Edge> edges;
};

// Only circles bound the interval, and every circle lies inside one strongly connected component.
std::vector<Component> components_with_circles(const Problem& problem) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const std::size_t count = problem.operations.size();
  Graph graph(count);
  for (const Dependence& dependence : problem.dependences)
    boost::add_edge(static_cast<std::size_t>(dependence.from), static_cast<std::size_t>(dependence.to), graph);
  std::vector<std::size_t> component(count), local(count);
  if (count == 0) return {};
  std::vector<Component> result(boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph))));
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<int>& operations = result[component[i]].operations;
    local[i] = operations.size();
    operations.push_back(static_cast<int>(i));
  }
  for (const Dependence& dependence : problem.dependences) {
    const auto from = static_cast<std::size_t>(dependence.from), to = static_cast<std::size_t>(dependence.to);
    if (component[from] == component[to])
      result[component[from]].edges.push_back({local[from], local[to], dependence.distance, dependence.iterations});
  }
  result.erase(std::remove_if(result.begin(), result.end(), [](const Component& c) { return c.edges.empty(); }),
               result.end());
  return result;
}

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// A circle that following predecessors comes back to, in the order of its edges; empty if there is none. Each operation
// is walked over once.
std::vector<std::size_t> circle_of(const std::vector<std::size_t>& predecessor) {
  std::vector<std::size_t> walk(predecessor.size(), none);
  for (std::size_t start = 0; start < predecessor.size(); ++start) {
    std::size_t at = start;
    while (at != none && walk[at] == none) {
      walk[at] = start;
      at = predecessor[at];
    }
    if (at == none || walk[at] != start) continue;
    std::vector<std::size_t> circle{at};
    for (std::size_t i = predecessor[at]; i != at; i = predecessor[i]) circle.push_back(i);
    std::reverse(circle.begin(), circle.end());
    return circle;
  }
  return {};
}

// Bellman-Ford for longest paths from everywhere at once. A circle of predecessors is a circle of positive weight;
// looking for one after each round stops long before the last of the rounds that the theorem allows.
std::vector<std::size_t> positive_circle(const Component& component, std::int64_t interval) {
  std::vector<std::int64_t> start(component.operations.size(), 0);
  std::vector<std::size_t> predecessor(component.operations.size(), none);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge& edge : component.edges) {
      const std::int64_t earliest = start[edge.from] + edge.distance - edge.iterations * interval;
      if (earliest <= start[edge.to]) continue;
      start[edge.to] = earliest;
      predecessor[edge.to] = edge.from;
      changed = true;
    }
    if (!changed) break;
    if (auto circle = circle_of(predecessor); !circle.empty()) return circle;
  }
  return {};
}

bool has_positive_circle(const Component& component, std::int64_t interval) {
  return !positive_circle(component, interval).empty();
}

// A circle's distances sum to at most this, and it spans at least one iteration.
std::int64_t sufficient_interval(const Component& component) {
  std::int64_t sum = 1;
  for (const Edge& edge : component.edges) sum += std::max<std::int64_t>(edge.distance, 0);
  return sum;
}

// Smallest interval not below `low` that the component admits.
std::int64_t smallest_interval(const Component& component, std::int64_t low) {
  if (!has_positive_circle(component, low)) return low;
  std::int64_t high = sufficient_interval(component);  // admitted, while `low` is not
  if (high <= low || has_positive_circle(component, high)) return no_interval;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (has_positive_circle(component, middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::int64_t resource_bound(const Problem& problem, int* resource) {
  std::vector<std::int64_t> uses(problem.resources.size());
  for (const Operation& operation : problem.operations)
    for (const ResourceUse& use : operation.uses) ++uses[static_cast<std::size_t>(use.resource)];
  std::int64_t bound = 0;
  int binding = -1;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const std::int64_t capacity = problem.resources[i].capacity;
    assert(capacity > 0 || uses[i] == 0);
    const std::int64_t cycles = uses[i] == 0 ? 0 : (uses[i] + capacity - 1) / capacity;
    if (cycles > bound) bound = cycles, binding = static_cast<int>(i);
  }
  if (resource != nullptr) *resource = binding;
  return bound;
}

std::int64_t recurrence_bound(const Problem& problem) {
  std::int64_t bound = 1;
  for (const Component& component : components_with_circles(problem)) {
    bound = smallest_interval(component, bound);
    if (bound == no_interval) break;
  }
  return bound;
}

std::vector<int> unmet_circle(const Problem& problem) {
  for (const Component& component : components_with_circles(problem)) {
    std::vector<int> circle;
    for (const std::size_t local : positive_circle(component, sufficient_interval(component)))
      circle.push_back(component.operations[local]);
    if (!circle.empty()) return circle;
  }
  return {};
}

}  // namespace convscope::schedule
