#pragma once
// A layered drawing of a directed graph without circles, from top to bottom: longest-path layering, a few barycentre
// sweeps for the order within a layer, and places that minimize squared distances to neighbours (Sugiyama, K. et al.:
// "Methods for Visual Understanding of Hierarchical System Structures", 1981). Heuristic: crossings are few, not least.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <vector>

namespace convscope::ui {

struct LayoutEdge {
  int from = 0, to = 0;
};

struct LayeredLayout {
  std::vector<QRectF> boxes;                 ///< one per node; no two overlap
  std::vector<int> layers;                   ///< row of each node; every edge goes to a larger one
  std::vector<std::vector<QPointF>> routes;  ///< one per edge, from the foot of a box to the head of another
  std::vector<double> tops;                  ///< of the rows, ascending
  bool curved = false;                       ///< routes are Bezier curves: one point, then three for each stretch
  QSizeF size;
};

/// Time O((V + E) log V) for each of a fixed number of sweeps; same input, same output. Edges must go from a smaller to
/// a larger index, as they do after a topological sort. Edges over several layers get a lane of their own, shared by
/// all edges of one source; past a budget of lanes that is linear in V, the longest go straight.
LayeredLayout layered_layout(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges);

}  // namespace convscope::ui
