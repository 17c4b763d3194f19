#pragma once
// Places of vertices along their rows.

#include <vector>

#include "ui/views/network/network_graph/layout/layer_graph.h"
#include "ui/views/network/network_graph/layout/step_budget.h"

namespace convscope::ui::layout {

/// The middle of each vertex, in order and without overlap: lanes and chains stand upright, as far as they don't cross
/// (Brandes, U., Koepf, B.: "Fast and Simple Horizontal Coordinate Assignment", 2001, section 3.1), and these blocks
/// are placed so that what connects them is short (Gansner, E. et al., 1993, section 4.2; exact within the budget).
std::vector<int> place_vertices(const LayerGraph& graph, StepBudget& budget);

}  // namespace convscope::ui::layout
