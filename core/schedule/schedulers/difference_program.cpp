#include "core/schedule/schedulers/difference_program.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/integers.h"

namespace convscope::schedule {
int DifferenceProgram::number(std::int64_t weight) {
  weights_.push_back(weight);
  return static_cast<int>(weights_.size()) - 1;
}

void DifferenceProgram::bound(int from, int to, std::int64_t least) {
  arcs_.push_back({from, to, least});
}

// The dual: flows along the arcs, of the largest sum of least * flow, so that each number's weight arrives at it. A
// tree of arcs carries the flow; its values are those at which its arcs' bounds hold with equality.
class NetworkSimplex {
 public:
  NetworkSimplex(const DifferenceProgram& program, Budget& budget)
      : arcs_(program.arcs_), real_(arcs_.size()), budget_(budget) {
    const std::size_t count = program.weights_.size();
    std::int64_t sum = 1;
    for (const auto& arc : arcs_) sum += std::abs(arc.least);
    nodes_.resize(count);
    for (std::size_t i = 1; i < count; ++i) add_to_root(static_cast<int>(i), program.weights_[i], sum);
    flow_.resize(arcs_.size(), 0);
    for (std::size_t i = 1; i < count; ++i) flow_[at(nodes_[i].arc)] = std::abs(program.weights_[i]);
  }

  std::optional<std::vector<std::int64_t>> run() {
    for (int arc = entering(); arc >= 0; arc = entering())
      if (!pivot(arc)) return std::nullopt;
    if (out_of_steps_) return std::nullopt;
    for (std::size_t arc = real_; arc < arcs_.size(); ++arc)
      if (flow_[arc] > 0) return std::nullopt;
    std::vector<std::int64_t> values;
    for (const Node& node : nodes_) values.push_back(node.value);
    return values;
  }

 private:
  struct Node {
    int parent = -1, arc = -1;  // the arc to the parent
    int child = -1, next = -1, previous = -1;
    int depth = 0;
    std::int64_t value = 0;
  };

  // Arcs that nobody wants and that carry everything at first.
  void add_to_root(int node, std::int64_t weight, std::int64_t large) {
    arcs_.push_back(weight > 0 ? DifferenceProgram::Arc{0, node, -large} : DifferenceProgram::Arc{node, 0, -large});
    nodes_[at(node)].arc = static_cast<int>(arcs_.size()) - 1;
    hang(node, 0);
    settle(node);
  }

  void hang(int node, int parent) {
    Node& mine = nodes_[at(node)];
    mine.parent = parent, mine.previous = -1, mine.next = nodes_[at(parent)].child;
    if (mine.next >= 0) nodes_[at(mine.next)].previous = node;
    nodes_[at(parent)].child = node;
  }

  void unhang(int node) {
    const Node& mine = nodes_[at(node)];
    if (mine.next >= 0) nodes_[at(mine.next)].previous = mine.previous;
    (mine.previous >= 0 ? nodes_[at(mine.previous)].next : nodes_[at(mine.parent)].child) = mine.next;
  }

  // Value and depth from the parent's.
  void settle(int node) {
    Node& mine = nodes_[at(node)];
    const auto& arc = arcs_[at(mine.arc)];
    mine.depth = nodes_[at(mine.parent)].depth + 1;
    mine.value = nodes_[at(mine.parent)].value + (arc.to == node ? arc.least : -arc.least);
  }

  std::int64_t violation(int arc) const {
    const auto& [from, to, least] = arcs_[at(arc)];
    return nodes_[at(from)].value + least - nodes_[at(to)].value;
  }

  // The most violated of a block of arcs; blocks come in turn.
  int entering() {
    const int count = static_cast<int>(real_);
    const int block = std::max(32, count / 16);
    int best = -1;
    std::int64_t most = 0;
    for (int looked = 0; looked < count; ++looked) {
      if (looked % block == 0 && best >= 0) break;
      if (!budget_.take()) return out_of_steps_ = true, -1;
      next_ = next_ + 1 < count ? next_ + 1 : 0;
      if (violation(next_) > most) most = violation(next_), best = next_;
    }
    return best;
  }

  // Calls see(node) for the nodes below the common ancestor on either side of an arc: its head's, then its tail's.
  template <class See>
  void circle(int entering, See see) const {
    int from = arcs_[at(entering)].from, to = arcs_[at(entering)].to;
    while (from != to) {
      const bool head = nodes_[at(to)].depth >= nodes_[at(from)].depth;
      int& node = head ? to : from;
      see(node, head);
      node = nodes_[at(node)].parent;
    }
  }

  // Flow that is pushed from `from` to `to` comes back from the head up to the ancestor and down to the tail.
  bool with_flow(int node, bool head) const { return (arcs_[at(nodes_[at(node)].arc)].from == node) == head; }

  bool pivot(int entering) {
    int leaver = -1;
    bool leaver_at_head = false;
    std::int64_t least = 0;
    // Of equals the last around the circle, seen from the ancestor in the flow's direction: cycling is impossible so
    // (Cunningham 1976).
    circle(entering, [&](int node, bool head) {
      if (with_flow(node, head)) return;
      const std::int64_t flow = flow_[at(nodes_[at(node)].arc)];
      if (leaver >= 0 && (flow > least || (flow == least && !head))) return;
      leaver = node, leaver_at_head = head, least = flow;
    });
    if (leaver < 0 || !budget_.take(8)) return out_of_steps_ = true, false;
    flow_[at(entering)] += least;
    circle(entering,
           [&](int node, bool head) { flow_[at(nodes_[at(node)].arc)] += with_flow(node, head) ? least : -least; });
    turn(entering, leaver, leaver_at_head);
    return true;
  }

  // The part below the leaving arc hangs on the entering one: parents turn round up to the leaver.
  void turn(int entering, int leaver, bool leaver_at_head) {
    int node = leaver_at_head ? arcs_[at(entering)].to : arcs_[at(entering)].from;
    int parent = leaver_at_head ? arcs_[at(entering)].from : arcs_[at(entering)].to;
    const int top = node;
    int arc = entering;
    for (bool last = false; !last;) {
      last = node == leaver;
      const int up = nodes_[at(node)].parent, old_arc = nodes_[at(node)].arc;
      unhang(node);
      hang(node, parent);
      nodes_[at(node)].arc = arc;
      parent = node, arc = old_arc, node = up;
    }
    std::vector<int>& work = work_;
    work.assign(1, top);
    while (!work.empty()) {
      const int below = work.back();
      work.pop_back();
      settle(below);
      for (int child = nodes_[at(below)].child; child >= 0; child = nodes_[at(child)].next) work.push_back(child);
    }
  }

  std::vector<DifferenceProgram::Arc> arcs_;  // those of the program, then those of the first tree
  std::size_t real_;
  Budget& budget_;
  std::vector<Node> nodes_;
  std::vector<std::int64_t> flow_;
  std::vector<int> work_;
  int next_ = -1;
  bool out_of_steps_ = false;
};

std::optional<std::vector<std::int64_t>> DifferenceProgram::solve(Budget& budget) const {
  if (weights_.empty()) return std::vector<std::int64_t>();
  return NetworkSimplex(*this, budget).run();
}

}  // namespace convscope::schedule
