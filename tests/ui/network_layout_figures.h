#pragma once
// What a network's layout is judged by.

#include "ui/views/network/network_graph/layout/layered_layout.h"

namespace convscope::ui::test {

/// Pairs of boxes that overlap, and pairs of an edge and a box that it passes and has nothing to do with.
int overlaps(const LayeredLayout& layout);
int boxes_passed(const LayeredLayout& layout);
/// Pairs of edges without a common end that cross; routes drawn straight from point to point.
int crossings(const LayeredLayout& layout, const std::vector<LayoutEdge>& edges);

}  // namespace convscope::ui::test
