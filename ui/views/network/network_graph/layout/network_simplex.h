#pragma once
// Places on a line that keep least distances and make weighted distances short.

#include <vector>

#include "ui/views/network/network_graph/layout/step_budget.h"

namespace convscope::ui::layout {

/// `to` stands at least `least` after `from`; every unit between them costs `weight`.
struct Span {
  int from = 0, to = 0;
  int least = 0, weight = 0;
};

enum class Ties { as_they_come, centred };  ///< centred: what may move at no cost stands in the middle of its way

/// A place for each node, the sum of weights times distances the least there is; if the budget ends before, a legal
/// placement that is no worse than the start. Spans must make no circle. Connected graphs are placed one by one, each
/// with its first node at 0.
/// The network simplex of Gansner, E. et al.: "A Technique for Drawing Directed Graphs", 1993, sections 2.3 and 4.2,
/// run on each biconnected part by itself: parts share a node at most, so that their optima are one of the whole.
std::vector<int> place_on_line(int nodes, const std::vector<Span>& spans, Ties ties, StepBudget& budget);

}  // namespace convscope::ui::layout
