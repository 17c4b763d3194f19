#pragma once
// Boxes and routes on paper, from a graph in rows and places along them.

#include <vector>

#include "ui/views/network/network_graph/layout/layer_graph.h"
#include "ui/views/network/network_graph/layout/layered_layout.h"

namespace convscope::ui::layout {

/// Rows below each other, further apart where what runs between them goes far. Routes change sides between rows alone,
/// and pass rows in lanes, upright.
LayeredLayout drawn(const LayerGraph& graph, const std::vector<int>& middles, const std::vector<QSizeF>& sizes,
                    const std::vector<LayoutEdge>& edges);

}  // namespace convscope::ui::layout
