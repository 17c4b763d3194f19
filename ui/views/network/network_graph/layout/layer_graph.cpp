#include "ui/views/network/network_graph/layout/layer_graph.h"

#include <algorithm>

#include "core/base/integers.h"

namespace convscope::ui::layout {
namespace {

constexpr int box_gap = 28, lane_gap = 16;

class Maker {
 public:
  Maker(const std::vector<int>& widths, const std::vector<int>& rows, const std::vector<std::pair<int, int>>& edges)
      : edges_(edges), outgoing_(widths.size()) {
    for (std::size_t i = 0; i < widths.size(); ++i) graph_.vertices.push_back({rows[i], widths[i]});
    for (std::size_t i = 0; i < edges.size(); ++i) outgoing_[at(edges[i].first)].push_back(static_cast<int>(i));
  }

  LayerGraph run() {
    make_lanes();
    int last = -1;
    for (const Vertex& vertex : graph_.vertices) last = std::max(last, vertex.row);
    graph_.rows.resize(at(last + 1));
    for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
      Vertex& vertex = graph_.vertices[i];
      graph_.rows[at(vertex.row)].push_back(static_cast<int>(i));
      std::sort(vertex.above.begin(), vertex.above.end());
      std::sort(vertex.below.begin(), vertex.below.end());
    }
    return std::move(graph_);
  }

 private:
  int row(int vertex) const { return graph_.vertices[at(vertex)].row; }

  void make_lanes() {
    std::vector<std::pair<int, int>> lengths;
    for (int box = 0; box < static_cast<int>(outgoing_.size()); ++box) {
      int last = row(box);
      for (const int edge : outgoing_[at(box)]) last = std::max(last, row(edges_[at(edge)].second));
      if (last > row(box)) lengths.emplace_back(last - row(box) - 1, box);
    }
    std::sort(lengths.begin(), lengths.end());
    graph_.lanes.resize(edges_.size());
    std::size_t left = 4 * outgoing_.size() + 4096;
    for (const auto& [length, box] : lengths) {
      if (at(length) > left) break;
      left -= at(length);
      make_lane(box, length);
    }
  }

  void make_lane(int box, int length) {
    std::vector<int> lane;
    for (int i = 0; i < length; ++i) {
      lane.push_back(static_cast<int>(graph_.vertices.size()));
      graph_.vertices.push_back({row(box) + 1 + i, 0, true});
      join(i == 0 ? box : lane[at(i - 1)], lane.back());
    }
    for (const int edge : outgoing_[at(box)]) {
      const int target = edges_[at(edge)].second;
      const int passed = row(target) - row(box) - 1;
      graph_.lanes[at(edge)].assign(lane.begin(), lane.begin() + passed);
      join(passed == 0 ? box : lane[at(passed - 1)], target);
    }
  }

  void join(int upper, int lower) {
    graph_.vertices[at(upper)].below.push_back(lower);
    graph_.vertices[at(lower)].above.push_back(upper);
  }

  const std::vector<std::pair<int, int>>& edges_;
  std::vector<std::vector<int>> outgoing_;
  LayerGraph graph_;
};

}  // namespace

LayerGraph layer_graph(const std::vector<int>& widths, const std::vector<int>& rows,
                       const std::vector<std::pair<int, int>>& edges) {
  return Maker(widths, rows, edges).run();
}

int least_distance(const Vertex& left, const Vertex& right) {
  return (left.width + right.width + 1) / 2 + (left.lane || right.lane ? lane_gap : box_gap);
}

}  // namespace convscope::ui::layout
