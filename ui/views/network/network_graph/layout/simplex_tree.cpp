#include "ui/views/network/network_graph/layout/simplex_tree.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "core/base/integers.h"

namespace convscope::ui::layout {
namespace {

constexpr int most_candidates = 30;  ///< to leave, of which the best does; Gansner et al., section 2.4

/// Grows a tree from node 0 by the span with least slack, moving the tree as a whole until that has none.
class TreeGrower {
 public:
  TreeGrower(const std::vector<Span>& spans, const std::vector<std::vector<int>>& incident, std::vector<int>& places)
      : spans_(spans), incident_(incident), places_(places), inside_(places.size(), false) {}

  /// Spans of the tree.
  std::vector<int> run() {
    std::vector<int> tree;
    add(0);
    while (tree.size() + 1 < places_.size()) {
      drop_inner(ahead_);
      drop_inner(behind_);
      const bool forward =
          behind_.empty() || (!ahead_.empty() && ahead_.top().first - moved_ <= behind_.top().first + moved_);
      auto& queue = forward ? ahead_ : behind_;
      const auto [slack, span] = queue.top();
      moved_ = forward ? slack : -slack;
      tree.push_back(span);
      add(forward ? spans_[at(span)].to : spans_[at(span)].from);
    }
    for (int& place : places_) place += moved_;
    return tree;
  }

 private:
  using Queue = std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>>;

  void drop_inner(Queue& queue) {
    const auto inner = [&](const Span& span) { return inside_[at(span.from)] && inside_[at(span.to)]; };
    while (!queue.empty() && inner(spans_[at(queue.top().second)])) queue.pop();
  }

  void add(int node) {
    inside_[at(node)] = true;
    places_[at(node)] -= moved_;
    for (const int index : incident_[at(node)]) {
      const Span& span = spans_[at(index)];
      const int slack = places_[at(span.to)] - places_[at(span.from)] - span.least;
      if (span.from == node && !inside_[at(span.to)]) ahead_.emplace(slack, index);
      if (span.to == node && !inside_[at(span.from)]) behind_.emplace(slack, index);
    }
  }

  const std::vector<Span>& spans_;
  const std::vector<std::vector<int>>& incident_;
  std::vector<int>& places_;  ///< of nodes inside, less what the tree was moved
  std::vector<bool> inside_;
  Queue ahead_, behind_;  ///< slack before the tree was moved, and the span
  int moved_ = 0;
};

}  // namespace

SimplexTree::SimplexTree(const std::vector<Span>& spans, std::vector<int>& places)
    : spans_(spans), places_(places), incident_(places.size()), nodes_(places.size()), mark_(places.size(), 0) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    incident_[at(spans[i].from)].push_back(static_cast<int>(i));
    incident_[at(spans[i].to)].push_back(static_cast<int>(i));
    nodes_[at(spans[i].to)].pull += spans[i].weight;
    nodes_[at(spans[i].from)].pull -= spans[i].weight;
  }
  for (const int span : TreeGrower(spans, incident_, places).run()) {
    nodes_[at(spans[at(span)].from)].tree_spans.push_back(span);
    nodes_[at(spans[at(span)].to)].tree_spans.push_back(span);
  }
  hang_from_first();
}

int SimplexTree::other_end(int span, int node) const {
  return spans_[at(span)].from == node ? spans_[at(span)].to : spans_[at(span)].from;
}

int SimplexTree::slack(int span) const {
  const Span& of = spans_[at(span)];
  return places_[at(of.to)] - places_[at(of.from)] - of.least;
}

void SimplexTree::hang_from_first() {
  std::vector<int> order{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const int span : nodes_[at(order[i])].tree_spans) {
      if (span == nodes_[at(order[i])].parent_span) continue;
      Node& child = nodes_[at(other_end(span, order[i]))];
      child.parent = order[i];
      child.parent_span = span;
      order.push_back(other_end(span, order[i]));
    }
  }
  for (std::size_t i = order.size(); i-- > 1;) {
    const Node& node = nodes_[at(order[i])];
    nodes_[at(node.parent)].pull += node.pull;
    nodes_[at(node.parent)].size += node.size;
  }
}

void SimplexTree::minimize(StepBudget& budget) {
  for (int node = next_to_leave(); node >= 0; node = next_to_leave()) {
    mark_side(node);
    const int span = entering(node);
    if (span < 0 || !budget.spend(std::exchange(steps_, 0))) return;
    pull_apart(node, slack(span));
    exchange(node, span);
  }
}

void SimplexTree::centre(StepBudget& budget) {
  for (int node = 1; node < static_cast<int>(nodes_.size()); ++node) {
    if (cut_value(node) != 0) continue;
    mark_side(node);
    const int span = entering(node);
    if (!budget.spend(std::exchange(steps_, 0))) return;
    if (span >= 0 && slack(span) > 1) pull_apart(node, slack(span) / 2);
  }
}

long SimplexTree::cut_value(int node) const {
  const Node& child = nodes_[at(node)];
  return spans_[at(child.parent_span)].to == node ? child.pull : -child.pull;
}

int SimplexTree::next_to_leave() {
  int best = -1, found = 0;
  for (std::size_t i = 0; i + 1 < nodes_.size() && found < most_candidates; ++i) {
    cursor_ = cursor_ + 1 < nodes_.size() ? cursor_ + 1 : 1;
    const int node = static_cast<int>(cursor_);
    ++steps_;
    if (cut_value(node) >= 0) continue;
    ++found;
    if (best < 0 || cut_value(node) < cut_value(best)) best = node;
  }
  return best;
}

void SimplexTree::mark_side(int node) {
  ++stamp_;
  const bool below = 2 * at(nodes_[at(node)].size) <= nodes_.size();
  const int cut = nodes_[at(node)].parent_span;
  side_.assign(1, below ? node : nodes_[at(node)].parent);
  mark_[at(side_[0])] = stamp_;
  for (std::size_t i = 0; i < side_.size(); ++i) {
    for (const int span : nodes_[at(side_[i])].tree_spans) {
      const int next = other_end(span, side_[i]);
      if (span == cut || marked(next)) continue;
      mark_[at(next)] = stamp_;
      side_.push_back(next);
    }
  }
}

int SimplexTree::entering(int node) {
  const bool head_marked = marked(spans_[at(nodes_[at(node)].parent_span)].to);
  int best = -1;
  for (const int inside : side_) {
    steps_ += static_cast<long>(incident_[at(inside)].size()) + 1;
    for (const int span : incident_[at(inside)]) {
      const bool closes = head_marked ? spans_[at(span)].from == inside : spans_[at(span)].to == inside;
      if (!closes || marked(other_end(span, inside))) continue;
      if (best < 0 || std::pair(slack(span), span) < std::pair(slack(best), best)) best = span;
    }
  }
  return best;
}

void SimplexTree::pull_apart(int node, int distance) {
  const int shift = marked(spans_[at(nodes_[at(node)].parent_span)].to) ? distance : -distance;
  for (const int each : side_) places_[at(each)] += shift;
}

void SimplexTree::exchange(int node, int span) {
  const int leaving = nodes_[at(node)].parent_span;
  for (const int end : {spans_[at(leaving)].from, spans_[at(leaving)].to})
    std::erase(nodes_[at(end)].tree_spans, leaving);
  for (const int end : {spans_[at(span)].from, spans_[at(span)].to}) nodes_[at(end)].tree_spans.push_back(span);
  // The marked side is the subtree or everything else; either way one end of the new span lies in the subtree.
  const bool subtree_marked = marked(node);
  const int inner = marked(spans_[at(span)].from) == subtree_marked ? spans_[at(span)].from : spans_[at(span)].to;
  const long pull = nodes_[at(node)].pull;
  const int size = nodes_[at(node)].size;
  for (int above = nodes_[at(node)].parent; above >= 0; above = nodes_[at(above)].parent) {
    nodes_[at(above)].pull -= pull;
    nodes_[at(above)].size -= size;
    ++steps_;
  }
  hang_subtree(inner, node, span);
  for (int above = nodes_[at(inner)].parent; above >= 0; above = nodes_[at(above)].parent) {
    nodes_[at(above)].pull += pull;
    nodes_[at(above)].size += size;
    ++steps_;
  }
}

void SimplexTree::hang_subtree(int inner, int old_top, int span) {
  const long pull = nodes_[at(old_top)].pull;
  const int size = nodes_[at(old_top)].size;
  long pull_below = 0;
  int size_below = 0, parent = other_end(span, inner);
  for (int each = inner, done = -1; done != old_top;) {
    Node& node = nodes_[at(each)];
    done = each;
    each = std::exchange(node.parent, parent);
    span = std::exchange(node.parent_span, span);
    const long old_pull = std::exchange(node.pull, pull - pull_below);
    const int old_size = std::exchange(node.size, size - size_below);
    pull_below = old_pull;
    size_below = old_size;
    parent = done;
  }
}

}  // namespace convscope::ui::layout
