#pragma once
// A layered drawing of a directed graph without circles, from top to bottom, after Gansner, E. et al.: "A Technique for
// Drawing Directed Graphs", 1993: rows (ranks.h), lanes for long edges (layer_graph.h), the order within rows
// (order.h), places along them (coordinates.h), routes. Crossings are few, not least; the rest is exact for graphs of
// usual size.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <stop_token>
#include <vector>

namespace convscope::ui {

struct LayoutEdge {
  int from = 0, to = 0;
};

struct LayeredLayout {
  std::vector<QRectF> boxes;                 ///< one per node; no two overlap
  std::vector<int> layers;                   ///< row of each node; every edge goes to a larger one
  std::vector<std::vector<QPointF>> routes;  ///< one per edge, from the foot of a box to the head of another
  QSizeF size;
};

/// Same input, same output; the number of steps is bounded, and linear in V + E for what is large. Edges must go from a
/// smaller to a larger index, as they do after a topological sort. Edges over several layers get a lane of their own,
/// shared by all edges of one source; past a budget of lanes that is linear in V, the longest go straight. Otherwise no
/// route passes a box. Throws Cancelled if stopped.
LayeredLayout layered_layout(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges,
                             const std::stop_token& stop = {});

}  // namespace convscope::ui
