#include "ui/views/network/network_graph/layout/network_simplex.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "core/base/integers.h"
#include "ui/views/network/network_graph/layout/biconnected.h"
#include "ui/views/network/network_graph/layout/simplex_tree.h"

namespace convscope::ui::layout {
namespace {

/// Nodes so that every span goes to a later one.
std::vector<int> topological_order(int nodes, const std::vector<Span>& spans) {
  std::vector<std::vector<int>> targets(at(nodes));
  std::vector<int> open(at(nodes), 0), order;
  for (const Span& span : spans) {
    targets[at(span.from)].push_back(span.to);
    ++open[at(span.to)];
  }
  for (int node = 0; node < nodes; ++node)
    if (open[at(node)] == 0) order.push_back(node);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int target : targets[at(order[i])])
      if (--open[at(target)] == 0) order.push_back(target);
  assert(order.size() == at(nodes));
  return order;
}

/// Halfway between as early and as late as spans allow.
std::vector<int> start(int nodes, const std::vector<Span>& spans) {
  const std::vector<int> order = topological_order(nodes, spans);
  std::vector<std::vector<int>> out(at(nodes));
  for (std::size_t i = 0; i < spans.size(); ++i) out[at(spans[i].from)].push_back(static_cast<int>(i));
  std::vector<int> early(at(nodes), 0);
  for (const int node : order)
    for (const int i : out[at(node)])
      early[at(spans[at(i)].to)] = std::max(early[at(spans[at(i)].to)], early[at(node)] + spans[at(i)].least);
  const int last = nodes == 0 ? 0 : *std::max_element(early.begin(), early.end());
  std::vector<int> late(at(nodes), last);
  for (auto node = order.rbegin(); node != order.rend(); ++node)
    for (const int i : out[at(*node)])
      late[at(*node)] = std::min(late[at(*node)], late[at(spans[at(i)].to)] - spans[at(i)].least);
  for (std::size_t node = 0; node < early.size(); ++node) early[node] = (early[node] + late[node]) / 2;
  return early;
}

/// A biconnected part with its own numbers for nodes, in the order in which spans name them after the top.
struct Part {
  std::vector<int> nodes;
  std::vector<Span> spans;
};

/// Cuts parts out; `numbers` is -1 everywhere, before and after.
Part cut_out(const Biconnected& part, const std::vector<Span>& spans, std::vector<int>& numbers) {
  Part own;
  const auto number = [&](int node) {
    int& known = numbers[at(node)];
    if (known < 0) {
      known = static_cast<int>(own.nodes.size());
      own.nodes.push_back(node);
    }
    return known;
  };
  number(part.top);
  for (const int edge : part.edges) {
    const Span& span = spans[at(edge)];
    const int from = number(span.from), to = number(span.to);
    own.spans.push_back({from, to, span.least, span.weight});
  }
  for (const int node : own.nodes) numbers[at(node)] = -1;
  return own;
}

std::vector<int> optimum(const Part& part, const std::vector<int>& start, Ties ties, StepBudget& budget) {
  std::vector<int> places;
  for (const int node : part.nodes) places.push_back(start[at(node)]);
  SimplexTree tree(part.spans, places);
  tree.minimize(budget);
  if (ties == Ties::centred) tree.centre(budget);
  return places;
}

}  // namespace

std::vector<int> place_on_line(int nodes, const std::vector<Span>& spans, Ties ties, StepBudget& budget) {
  std::vector<std::pair<int, int>> edges;
  for (const Span& span : spans) edges.emplace_back(span.from, span.to);
  const std::vector<int> from = start(nodes, spans);
  std::vector<int> places(at(nodes), 0), numbers(at(nodes), -1);
  for (const Biconnected& each : biconnected_parts(nodes, edges)) {
    const Part part = cut_out(each, spans, numbers);
    const std::vector<int> own = optimum(part, from, ties, budget);
    const int shift = places[at(each.top)] - own[0];
    for (std::size_t i = 0; i < own.size(); ++i) places[at(part.nodes[i])] = own[i] + shift;
  }
  return places;
}

}  // namespace convscope::ui::layout
