#include "ui/views/network/network_graph/layout/ranks.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "core/base/integers.h"
#include "ui/views/network/network_graph/layout/network_simplex.h"

namespace convscope::ui::layout {
namespace {

constexpr int longest_look = 64;  ///< rows that a node looks at for a place among fewer

using Edges = std::vector<std::pair<int, int>>;

/// The first node of each node's connected graph.
std::vector<int> first_of_graph(int nodes, const Edges& edges) {
  std::vector<int> first(at(nodes));
  std::iota(first.begin(), first.end(), 0);
  const auto find = [&](int node) {
    while (first[at(node)] != node) node = first[at(node)] = first[at(first[at(node)])];
    return node;
  };
  for (const auto& [from, to] : edges) {
    const auto [less, more] = std::minmax({find(from), find(to)});
    first[at(more)] = less;
  }
  for (int node = 0; node < nodes; ++node) first[at(node)] = find(node);
  return first;
}

void begin_at_zero(std::vector<int>& rows, const Edges& edges) {
  const std::vector<int> first = first_of_graph(static_cast<int>(rows.size()), edges);
  std::vector<int> least(rows.size(), std::numeric_limits<int>::max());
  for (std::size_t node = 0; node < rows.size(); ++node)
    least[at(first[node])] = std::min(least[at(first[node])], rows[node]);
  for (std::size_t node = 0; node < rows.size(); ++node) rows[node] -= least[at(first[node])];
}

/// Of several, the one nearest to the middle.
int least_crowded(const std::vector<int>& crowd, int first, int last) {
  int best = (first + last) / 2;
  for (int way = 1; way <= last - first; ++way)
    for (const int row : {(first + last) / 2 - way, (first + last) / 2 + way})
      if (row >= first && row <= last && crowd[at(row)] < crowd[at(best)]) best = row;
  return best;
}

/// Nodes with as many edges from above as to below cost the same in every row between their neighbours.
void balance(std::vector<int>& rows, const Edges& edges) {
  std::vector<int> above(rows.size(), 0), below(rows.size(), 0), low(rows.size(), -1);
  std::vector<std::vector<int>> sources(rows.size()), targets(rows.size());
  std::vector<int> crowd(rows.empty() ? 0 : at(*std::max_element(rows.begin(), rows.end()) + 1), 0);
  for (const auto& [from, to] : edges) {
    targets[at(from)].push_back(to);
    sources[at(to)].push_back(from);
  }
  for (const int row : rows) ++crowd[at(row)];
  for (std::size_t node = 0; node < rows.size(); ++node) {
    if (sources[node].empty() || sources[node].size() != targets[node].size()) continue;
    int first = 0, last = std::numeric_limits<int>::max();
    for (const int source : sources[node]) first = std::max(first, rows[at(source)] + 1);
    for (const int target : targets[node]) last = std::min(last, rows[at(target)] - 1);
    last = std::min(last, first + longest_look);
    --crowd[at(rows[node])];
    rows[node] = least_crowded(crowd, first, last);
    ++crowd[at(rows[node])];
  }
}

}  // namespace

std::vector<int> rank_nodes(int nodes, const Edges& edges, StepBudget& budget) {
  std::vector<Span> spans;
  for (const auto& [from, to] : edges) spans.push_back({from, to, 1, 1});
  std::vector<int> rows = place_on_line(nodes, spans, Ties::as_they_come, budget);
  begin_at_zero(rows, edges);
  balance(rows, edges);
  return rows;
}

}  // namespace convscope::ui::layout
