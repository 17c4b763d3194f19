#pragma once
// A graph in rows: boxes, and stretches of lanes where edges pass rows.

#include <cstddef>
#include <utility>
#include <vector>

namespace convscope::ui::layout {

struct Vertex {
  int row = 0;
  int width = 0;
  bool lane = false;
  std::vector<int> above = {}, below = {};  ///< neighbours in the rows beside, ascending
};

struct LayerGraph {
  std::vector<Vertex> vertices;         ///< boxes first
  std::vector<std::vector<int>> rows;   ///< vertices from left to right
  std::vector<std::vector<int>> lanes;  ///< of each edge: stretches that it passes, from top to bottom
};

/// One lane for all edges of a box, as long as the longest; shortest first while less than a number of stretches that
/// is linear in the boxes. Edges of the others pass straight through the rows. Rows are in order of index.
LayerGraph layer_graph(const std::vector<int>& widths, const std::vector<int>& rows,
                       const std::vector<std::pair<int, int>>& edges);

/// Least distance of the middles of neighbours in a row.
int least_distance(const Vertex& left, const Vertex& right);

}  // namespace convscope::ui::layout
