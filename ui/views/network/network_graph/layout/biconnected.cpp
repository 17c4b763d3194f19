#include "ui/views/network/network_graph/layout/biconnected.h"

#include <algorithm>
#include <cstddef>

#include "core/base/integers.h"

namespace convscope::ui::layout {
namespace {

class Finder {
 public:
  Finder(int nodes, const std::vector<std::pair<int, int>>& edges)
      : edges_(edges), incident_(at(nodes)), next_(at(nodes), 0), depth_(at(nodes), -1), low_(at(nodes), 0) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      incident_[at(edges[edge].first)].push_back(static_cast<int>(edge));
      incident_[at(edges[edge].second)].push_back(static_cast<int>(edge));
    }
    used_.assign(edges.size(), false);
  }

  std::vector<Biconnected> run() {
    for (int node = 0; node < static_cast<int>(incident_.size()); ++node)
      if (depth_[at(node)] < 0) search(node);
    std::reverse(parts_.begin(), parts_.end());
    return std::move(parts_);
  }

 private:
  void search(int root) {
    enter(root, 0);
    while (!path_.empty()) {
      const int node = path_.back();
      if (next_[at(node)] == incident_[at(node)].size()) {
        leave(node);
      } else {
        follow(node, incident_[at(node)][next_[at(node)]++]);
      }
    }
  }

  void enter(int node, int depth) {
    depth_[at(node)] = low_[at(node)] = depth;
    path_.push_back(node);
  }

  void follow(int node, int edge) {
    if (used_[at(edge)]) return;
    used_[at(edge)] = true;
    open_.push_back(edge);
    const auto [from, to] = edges_[at(edge)];
    const int other = from == node ? to : from;
    if (depth_[at(other)] < 0) {
      first_open_.push_back(open_.size() - 1);
      enter(other, depth_[at(node)] + 1);
    } else {
      low_[at(node)] = std::min(low_[at(node)], depth_[at(other)]);
    }
  }

  /// What was opened below a node that nothing below bypasses is a part.
  void leave(int node) {
    path_.pop_back();
    if (path_.empty()) return;
    const int parent = path_.back();
    if (low_[at(node)] >= depth_[at(parent)]) {
      const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(first_open_.back());
      parts_.push_back({parent, {begin, open_.end()}});
      std::sort(parts_.back().edges.begin(), parts_.back().edges.end());
      open_.erase(begin, open_.end());
    }
    first_open_.pop_back();
    low_[at(parent)] = std::min(low_[at(parent)], low_[at(node)]);
  }

  const std::vector<std::pair<int, int>>& edges_;
  std::vector<std::vector<int>> incident_;
  std::vector<std::size_t> next_;
  std::vector<int> depth_, low_, path_, open_;
  std::vector<std::size_t> first_open_;  ///< of each node of the path but the first: where its edges begin
  std::vector<bool> used_;
  std::vector<Biconnected> parts_;
};

}  // namespace

std::vector<Biconnected> biconnected_parts(int nodes, const std::vector<std::pair<int, int>>& edges) {
  return Finder(nodes, edges).run();
}

}  // namespace convscope::ui::layout
