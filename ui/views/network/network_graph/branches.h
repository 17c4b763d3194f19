#pragma once
// Parallel paths between a fork and its join, e.g. a residual block or an inception module: what can be folded into
// one box without hiding where the data comes from.

#include <set>
#include <vector>

#include "ui/views/network/network_graph/network_boxes.h"

namespace convscope::ui {

/// What lies on all paths from a fork to the first box where they all have come together; nobody else feeds or reads
/// what lies between. Any two branches are apart or one holds the other.
struct Branch {
  int fork = 0, join = 0;    ///< boxes; the join is part of the branch, the fork is not
  std::vector<int> members;  ///< boxes, ascending; the join is the last
  bool operator==(const Branch&) const = default;
};

/// Branches by falling size, so that outer ones come before inner ones; branches of more than 2000 boxes are left out,
/// and in graphs with very many nested ones those that would take more than a million steps. Immediate postdominators
/// (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", 2001).
std::vector<Branch> find_branches(const NetworkBoxes& boxes);

/// The same network with branches as a box each, at the place of their join; indices into `branches`, a folded branch
/// inside another folded one doesn't matter. Every box tells the branch that it stands for or ends.
NetworkBoxes fold_branches(const NetworkBoxes& boxes, const std::vector<Branch>& branches, const std::set<int>& folded);

}  // namespace convscope::ui
