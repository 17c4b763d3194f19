#pragma once
// Parts of a graph that share no more than one node with each other, whatever the direction of the edges.

#include <utility>
#include <vector>

namespace convscope::ui::layout {

struct Biconnected {
  int top = 0;             ///< the node that it shares with a part before, or the first of its connected graph
  std::vector<int> edges;  ///< indices, ascending
};

/// Biconnected components, each after those that hold its `top` (Hopcroft, J., Tarjan, R.: "Algorithm 447", 1973).
/// Nodes without edges are in none. Time O(V + E), without recursion.
std::vector<Biconnected> biconnected_parts(int nodes, const std::vector<std::pair<int, int>>& edges);

}  // namespace convscope::ui::layout
