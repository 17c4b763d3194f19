#include "core/schedule/bounds/bounds.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace convscope::schedule {
namespace {

struct LocalEdge {
  std::size_t from = 0, to = 0;
  std::int64_t distance = 0, iterations = 0;
};

// A strongly connected part of the dependence graph; its operations are numbered from 0, so that few edges lead back.
struct Component {
  std::vector<int> operations;  // in the problem
  std::vector<LocalEdge> edges;
};

// Only circles bound the interval, and every circle lies inside one strongly connected component.
std::vector<Component> components_with_circles(const Graph& graph) {
  std::vector<Component> result;
  std::vector<std::size_t> local(graph.components.of.size());
  for (std::size_t c = 0; c < graph.components.size(); ++c) {
    const auto members = graph.components.members[c];
    if (!graph.has_circle(c)) continue;
    Component component{{members.begin(), members.end()}, {}};
    for (std::size_t i = 0; i < members.size(); ++i) local[static_cast<std::size_t>(members[i])] = i;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const Edge& edge : graph.inner.out[static_cast<std::size_t>(members[i])])
        component.edges.push_back({i, local[static_cast<std::size_t>(edge.other)], edge.distance, edge.iterations});
    result.push_back(std::move(component));
  }
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
    for (const LocalEdge& edge : component.edges) {
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
  for (const LocalEdge& edge : component.edges) sum += std::max<std::int64_t>(edge.distance, 0);
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
    const std::int64_t cycles = uses[i] == 0 ? 0 : capacity > 0 ? (uses[i] + capacity - 1) / capacity : no_interval;
    if (cycles > bound) bound = cycles, binding = static_cast<int>(i);
  }
  if (resource != nullptr) *resource = binding;
  return bound;
}

std::int64_t recurrence_bound(const Problem& problem) {
  std::vector<int> circle;
  return recurrence_bound(Graph(problem), 1, circle);
}

std::int64_t recurrence_bound(const Graph& graph, std::int64_t at_least, std::vector<int>& circle) {
  std::int64_t bound = at_least;
  const Component* tightest = nullptr;
  const std::vector<Component> components = components_with_circles(graph);
  for (const Component& component : components) {
    const std::int64_t interval = smallest_interval(component, bound);
    if (interval > bound) tightest = &component, bound = interval;
    if (bound == no_interval) break;
  }
  circle.clear();
  if (tightest == nullptr) return bound;
  // What is in the way of the interval before; of one that nothing meets, of the largest.
  const std::int64_t refused = bound == no_interval ? sufficient_interval(*tightest) : bound - 1;
  for (const std::size_t i : positive_circle(*tightest, refused)) circle.push_back(tightest->operations[i]);
  return bound;
}

std::vector<int> unmet_circle(const Problem& problem) {
  std::vector<int> circle;
  return recurrence_bound(Graph(problem), 1, circle) == no_interval ? circle : std::vector<int>();
}

}  // namespace convscope::schedule
