#pragma once
// The order of vertices within rows.

#include "ui/views/network/network_graph/layout/layer_graph.h"
#include "ui/views/network/network_graph/layout/step_budget.h"

namespace convscope::ui::layout {

/// Orders rows so that few segments cross: from a depth-first search, by weighted medians and transpositions (Gansner,
/// E. et al.: "A Technique for Drawing Directed Graphs", 1993, section 3). Heuristic; crossings are few, not least, but
/// what series and parallel paths make has none. Long edges go to the right of boxes.
void order_rows(LayerGraph& graph, StepBudget& budget);

/// Segments between rows that cross.
long crossings(const LayerGraph& graph);

}  // namespace convscope::ui::layout
