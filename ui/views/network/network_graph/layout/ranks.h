#pragma once
// Rows for the boxes of a graph without circles.

#include <utility>
#include <vector>

#include "ui/views/network/network_graph/layout/step_budget.h"

namespace convscope::ui::layout {

/// A row for each node, every edge to a larger one, the sum of lengths the least there is (within the budget). Nodes
/// that may move at no cost go where fewest are. Every connected graph begins at 0.
std::vector<int> rank_nodes(int nodes, const std::vector<std::pair<int, int>>& edges, StepBudget& budget);

}  // namespace convscope::ui::layout
