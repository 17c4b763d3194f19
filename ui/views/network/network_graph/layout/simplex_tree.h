#pragma once
// The network simplex on one connected graph of spans.

#include <vector>

#include "ui/views/network/network_graph/layout/network_simplex.h"

namespace convscope::ui::layout {

/// A spanning tree of spans without slack. What moving a subtree costs is the sum of its nodes' pulls (weights of spans
/// that end there less those that begin there), so that a pivot changes sums along two paths only.
class SimplexTree {
 public:
  /// `places` is legal, and stays so; moves nodes until the spans without slack connect all.
  SimplexTree(const std::vector<Span>& spans, std::vector<int>& places);

  void minimize(StepBudget& budget);
  void centre(StepBudget& budget);

 private:
  struct Node {
    int parent = -1, parent_span = -1;
    long pull = 0;  ///< of its subtree
    int size = 1;   ///< of its subtree
    std::vector<int> tree_spans = {};
  };

  int other_end(int span, int node) const;
  int slack(int span) const;
  void hang_from_first();
  /// Cost of pulling the two sides of a node's parent span apart by one.
  long cut_value(int node) const;
  /// A node whose parent span had better be pulled apart, or -1.
  int next_to_leave();
  /// Marks the smaller side of a node's parent span.
  void mark_side(int node);
  bool marked(int node) const { return mark_[static_cast<std::size_t>(node)] == stamp_; }
  /// The span with least slack that gets shorter when the sides of a node's parent span are pulled apart, or -1.
  int entering(int node);
  void pull_apart(int node, int distance);
  /// Cuts a node's parent span and hangs its subtree up at another.
  void exchange(int node, int span);
  void hang_subtree(int inner, int old_top, int span);

  const std::vector<Span>& spans_;
  std::vector<int>& places_;
  std::vector<std::vector<int>> incident_;
  std::vector<Node> nodes_;
  std::vector<int> mark_, side_;
  int stamp_ = 0;
  std::size_t cursor_ = 0;
  long steps_ = 0;  ///< since the budget was asked
};

}  // namespace convscope::ui::layout
